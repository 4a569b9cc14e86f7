/** The adapter of MM4 carriers, with its connection test: EHLO, login if configured, QUIT. */
import type { CarrierDeps } from '../deps.ts';
import type { CarrierAdapter, ConnectionStep } from '../kind.ts';
import { patienceMs, recordSteps } from '../steps.ts';
import { createMm4Carrier } from './carrier.ts';
import { openMm4Connection } from './connection.ts';
import type { Mm4CarrierRecord, Mm4Profile } from './profile.ts';

export const adapter: CarrierAdapter<Mm4CarrierRecord> = {
  create: createMm4Carrier,
  test: ({ mm4 }, deps) => testMm4(mm4, deps),
};

async function testMm4(profile: Mm4Profile, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const { steps, add } = recordSteps(deps.clock);
  const problem = await new Promise<string | null>((resolve) => {
    const cancel = deps.clock.after(patienceMs, () => connection.close('no answer in time'));
    const connection = openMm4Connection(profile, deps.clock, {
      opened: () => {
        cancel();
        resolve(null);
        connection.quit();
      },
      ended: (detail) => {
        cancel();
        resolve(detail);
      },
    });
  });
  const login = profile.username === '' ? '' : ` and sign in as ${profile.username}`;
  add(`Connect to ${profile.host}:${profile.port}, EHLO${login}`, problem === null, problem ?? 'the peer is ready');
  if (problem === null) add('QUIT', true, 'closed');
  return steps;
}
