/**
 * The adapter of MM7 carriers, with its connection test: it only opens and closes, since only a message would verify
 * the login.
 */
import type { CarrierDeps } from '../deps.ts';
import type { CarrierAdapter, ConnectionStep } from '../kind.ts';
import { recordSteps } from '../steps.ts';
import { createMm7Carrier } from './carrier.ts';
import { createMm7Client } from './client.ts';
import type { Mm7CarrierRecord, Mm7Profile } from './profile.ts';

export const adapter: CarrierAdapter<Mm7CarrierRecord> = {
  create: createMm7Carrier,
  test: ({ mm7 }, deps) => testMm7(mm7, deps),
};

async function testMm7(profile: Mm7Profile, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const { steps, add } = recordSteps(deps.clock);
  const client = createMm7Client(profile, deps.clock);
  const problem = await client.probe();
  const { host, protocol } = new URL(profile.url);
  const how = protocol === 'https:' ? ' with TLS' : '';
  add(`Open a connection to ${host}${how}`, problem === null, problem ?? 'open');
  if (problem === null) add('Close', true, 'closed; the login is shown with the first message only');
  await client.close();
  return steps;
}
