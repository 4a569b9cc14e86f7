/** SMPP over TLS: what a carrier's status shows about the peer's certificate. */
import { createServer } from '@heliograph/smpp';
import { afterEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock, until } from '../../../../../test/props/clock.ts';
import { testCertificate, testKey } from '../../http/tls-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Carrier } from '../carrier.ts';
import { loadAdapters, recordingSink } from '../carrier-fixture.ts';
import type { SmppProfile } from './profile.ts';
import { smppRecord } from './smpp-fixture.ts';

const openCarrier = await loadAdapters();

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A started carrier whose peer has the tests' certificate. */
async function open(profile: Partial<SmppProfile>): Promise<Carrier> {
  const tls = { cert: testCertificate, key: testKey };
  const server = createServer({ system_id: 'PEER', tls }, { authenticate: () => 0, onRequest: () => {} });
  ends.push(() => server.close({ drainMs: 0 }));
  const { port } = await server.listen(0, '127.0.0.1');
  const clock = movedClock();
  const carrier = openCarrier(smppRecord(port, { tls: true, ...profile }), {
    clock,
    random: steadyRandom(),
    logger: silentLogger,
  });
  ends.push(() => carrier.stop(0));
  expect(carrier.status().certificate).toBeNull();
  carrier.start(recordingSink());
  return carrier;
}

describe('SMPP over TLS', () => {
  it('shows the certificate of the peer, and since when each bind stands', async () => {
    const carrier = await open({ tlsVerify: false, bindMode: 'transmitter+receiver' });
    const isBound = () => carrier.status().binds.every(({ state }) => state.startsWith('bound_'));
    await until(isBound);
    const { certificate, refusedCertificate, binds } = carrier.status();
    expect(refusedCertificate).toBeNull();
    expect(certificate).toMatchObject({
      subject: 'CN=localhost',
      issuer: 'CN=localhost',
      names: 'DNS:localhost, IP Address:127.0.0.1',
      validTo: Date.UTC(2126, 9, 28, 3, 25, 58),
      fingerprint256: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}/),
    });
    expect(binds.map(({ kind, since }) => [kind, since])).toEqual([
      ['transmitter', expect.any(Number)],
      ['receiver', expect.any(Number)],
    ]);
  });

  it('shows the one of a peer that was not trusted as refused', async () => {
    const carrier = await open({});
    await until(() => carrier.status().binds.some(({ detail }) => detail !== null));
    const { certificate, refusedCertificate, binds, up } = carrier.status();
    expect(refusedCertificate).toMatchObject({ subject: 'CN=localhost', fingerprint256: expect.stringContaining(':') });
    expect([certificate, up, binds[0]!.since]).toEqual([null, false, null]);
    expect(binds[0]!.detail).toMatch(/certificate/);
  });
});
