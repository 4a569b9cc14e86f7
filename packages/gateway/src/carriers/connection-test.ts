/** Tests whether a carrier can be reached with its record, reporting each step. Sends no message. */
import type { CarrierRecord } from '../model/records.ts';
import type { CarrierDeps } from './deps.ts';
import type { ConnectionStep } from './kind.ts';
import { kindOf } from './kinds.ts';

/** Returns the steps up to the first that failed. Never rejects. */
export async function testConnection(record: CarrierRecord, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const adapter = await kindOf(record).open();
  return adapter.test(record, deps);
}
