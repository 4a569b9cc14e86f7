/** The sandbox's MMS carriers: seeded with the simulator's real address and with credentials known to both sides. */
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { Mm4CarrierRecord } from '../../carriers/mm4/profile.ts';
import { sandboxMm7Login } from '../../carriers/mm7/kind.ts';
import type { Mm7CarrierRecord } from '../../carriers/mm7/profile.ts';
import { noRecords } from '../../model/records.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import { crossCheck } from './cross-check.ts';
import { readFirstSteps } from './first-steps.ts';
import { memoryRecords, simulatedMms as mms, newFolder, sealer, simulatorAt } from './records-fixture.ts';
import { sandboxSmsRoute } from './sandbox-records.ts';
import { type SeedParts, seedSandbox } from './seed.ts';

function setUp() {
  const store = memoryRecords();
  const dataDir = newFolder();
  const parts: SeedParts = {
    dataDir,
    sealer,
    random: steadyRandom(),
    clock: movedClock(),
    carriers: simulatorAt(2775),
    baseUrl: 'http://localhost:8088',
  };
  const seed = (more: Partial<SeedParts> = {}) => seedSandbox(store, { ...parts, ...more });
  const carrier = <T>(id: string) => buildDirectory(store.now()).carrier(id) as T;
  return { store, dataDir, seed, carrier };
}

describe('carriers for MMS in the sandbox', () => {
  it('are where the simulator listens, with its credentials sealed', async () => {
    const { store, seed, carrier, dataDir } = setUp();
    const steps = await seed();
    expect(crossCheck(store.now())).toEqual([]);
    expect(JSON.stringify(store.now())).not.toContain(sandboxMm7Login.password);
    expect(JSON.stringify(store.now())).not.toContain(sandboxMm7Login.inbound.password);
    const opened = unsealedCarrier(carrier<Mm7CarrierRecord>('sim-mm7'), sealer) as Mm7CarrierRecord;
    expect(opened.mm7).toMatchObject({ ...mms.mm7, clientKey: '' });
    const { mm4 } = carrier<Mm4CarrierRecord>('sim-mm4');
    expect(mm4).toMatchObject({ ...mms.mm4, tls: 'none', password: '', inbound: { addresses: ['127.0.0.1'] } });
    expect(steps).toMatchObject({ mm7: { url: mms.mm7.url }, mm4: mms.mm4 });
    expect(readFirstSteps(dataDir)).toEqual(steps);
  });

  it('take MMS over MM7 first, and over MM4 first from one number', async () => {
    const { store, seed } = setUp();
    await seed();
    const directory = buildDirectory(store.now());
    const carriers = (from: string, kind: 'SMS' | 'MMS') =>
      directory.carriersFor({ environment: 'sandbox', from, to: '12025550100', kind, at: 0 }, 0);
    expect(carriers('12025550199', 'SMS')).toEqual(['sim-carrier']);
    expect(carriers('12025550199', 'MMS')).toEqual(['sim-mm7', 'sim-mm4']);
    expect(carriers('12025550195', 'SMS')).toEqual(['sim-carrier']);
    expect(carriers('12025550195', 'MMS')).toEqual(['sim-mm4', 'sim-mm7']);
    expect(directory.number('12025550195')).toMatchObject({ mmsEnabled: true, campaignId: 'SBX-DEMO' });
  });

  it('change nothing at the next start but what has moved', async () => {
    const { store, seed, carrier } = setUp();
    await seed();
    const before = store.now();
    await seed();
    expect(store.now()).toEqual(before);
    const moved = { mm7: { ...mms.mm7, url: 'http://127.0.0.1:5/mm7' }, mm4: { ...mms.mm4, port: 6 } };
    await seed({ carriers: simulatorAt(2775, moved) });
    expect(carrier<Mm7CarrierRecord>('sim-mm7').mm7).toEqual({
      ...(before.carriers[1] as Mm7CarrierRecord).mm7,
      url: 'http://127.0.0.1:5/mm7',
    });
    expect(carrier<Mm4CarrierRecord>('sim-mm4').mm4.port).toBe(6);
  });

  it('keep what the operator set on them', async () => {
    const { store, seed, carrier } = setUp();
    await seed();
    const mm7 = carrier<Mm7CarrierRecord>('sim-mm7');
    const changed = { ...mm7, mm7: { ...mm7.mm7, mediaBytesMax: 300_000 } };
    await store.putRecords({ ...noRecords(), carriers: [changed] });
    await seed();
    expect(carrier('sim-mm7')).toEqual(changed);
  });

  it('join a sandbox that was seeded before there were any, unless its rule was touched', async () => {
    const { store, seed } = setUp();
    await store.putRecords({ ...noRecords(), routes: [sandboxSmsRoute] });
    await seed();
    expect(store.now().routes[0]!.carrierIds).toEqual(['sim-carrier', 'sim-mm7', 'sim-mm4']);
    const own = { ...sandboxSmsRoute, weight: 2 };
    await store.putRecords({ ...noRecords(), routes: [own] });
    await seed();
    expect(store.now().routes[0]).toEqual(own);
  });
});
