import { expect, it, onTestFinished } from 'vitest';
import { buildDirectory } from '../carriers/directory.ts';
import { machineClock } from '../kernel/machine.ts';
import { noRecords } from '../records/kinds.ts';
import { createOutside } from './outside.ts';

function opened() {
  const config = { allowPrivateUrls: null, host: '127.0.0.1', publicUrl: null, sandbox: true };
  const records = buildDirectory({ ...noRecords(), version: 1 });
  const outside = createOutside({ clock: machineClock }, { config, directory: { current: () => records } });
  onTestFinished(async () => outside.parts[0]!.stop?.());
  return outside;
}

it('opens no URL to a port of the gateway from the moment that port is told', async () => {
  const outside = opened();
  const check = () => outside.guarded.checkUrlResolved('http://127.0.0.1:9321/', outside.policy(), 1_000);
  expect(await check()).toMatchObject({ ok: true });
  outside.forbidPorts(9_320, 9_321);
  expect(await check()).toMatchObject({ ok: false });
  expect(outside.threadPolicy().ownPorts).toEqual([9_320, 9_321]);
});

it('lets only records of the sandbox reach its simulators', () => {
  const outside = opened();
  const address = { address: '127.0.0.1', port: 9_322 };
  outside.addSimulator(address);
  expect(outside.policyFor('sandbox').simulators).toEqual([address]);
  expect(outside.policyFor('live').simulators).toEqual([]);
  expect(outside.threadPolicy().simulators).toEqual([address]);
});
