import { expect, it, onTestFinished } from 'vitest';
import { buildDirectory } from '../carriers/directory.ts';
import { machineClock } from '../kernel/machine.ts';
import { noRecords } from '../model/records.ts';
import { createEgressPolicy } from './egress-policy.ts';

function opened() {
  const config = { allowPrivateUrls: null, host: '127.0.0.1', publicUrl: null, sandbox: true };
  const records = buildDirectory({ ...noRecords(), version: 1 });
  const egress = createEgressPolicy({ clock: machineClock }, { config, directory: { current: () => records } });
  onTestFinished(async () => egress.parts[0]!.stop?.());
  return egress;
}

it('opens no URL to a port of the gateway once that port is registered', async () => {
  const egress = opened();
  const check = () => egress.guarded.checkUrlResolved('http://127.0.0.1:9321/', egress.policy(), 1_000);
  expect(await check()).toMatchObject({ ok: true });
  egress.forbidPorts(9_320, 9_321);
  expect(await check()).toMatchObject({ ok: false });
  expect(egress.threadPolicy().ownPorts).toEqual([9_320, 9_321]);
});

it('says of a URL inside that it is there, whatever its port', async () => {
  const { checkUrl } = opened();
  for (const url of [
    'http://127.0.0.1/',
    'http://127.0.0.1:9323/',
    'https://localhost:9323/',
    'http://10.0.0.1:8500/',
  ]) {
    expect([url, await checkUrl(url, 'live')]).toEqual([url, { ok: true, isPrivate: true }]);
  }
  expect(await checkUrl('https://93.184.215.14:8443/', 'live')).toEqual({ ok: true, isPrivate: false });
  expect(await checkUrl('http://169.254.169.254/', 'live')).toMatchObject({ ok: false, why: 'address' });
});

it('lets only records of the sandbox reach its simulators', () => {
  const egress = opened();
  const address = { address: '127.0.0.1', port: 9_322 };
  egress.addSimulator(address);
  expect(egress.policyFor('sandbox').simulators).toEqual([address]);
  expect(egress.policyFor('live').simulators).toEqual([]);
  expect(egress.threadPolicy().simulators).toEqual([address]);
});
