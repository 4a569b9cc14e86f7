/**
 * The records of the simulated carriers at start: their addresses, and new credentials in each process. The operator's
 * other settings stay.
 */
import { setAt } from '../../carriers/setting.ts';
import { secretsOf } from '../../carriers/settings.ts';
import type { SimulatorClient } from '../../carriers/simulated.ts';
import { carrierSecretPlace } from '../../kernel/sealed-place.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';
import { sealOrKeep } from './carrier-secrets.ts';
import { sandboxCarriers } from './sandbox-records.ts';

/** A carrier of the running simulator. */
export interface SimulatedCarrier extends SimulatorClient {
  carrierId: string;
}

/** Carriers that the simulator does not run do not change. */
export function simulatedCarriers(
  onRecord: readonly CarrierRecord[],
  running: readonly SimulatedCarrier[],
  sealer: Sealer,
): CarrierRecord[] {
  return sandboxCarriers.map((seeded) => {
    const { carrierId, kind } = seeded;
    const record = onRecord.find((one) => one.carrierId === carrierId && one.kind === kind) ?? seeded;
    const { address, login } = running.find((one) => one.carrierId === carrierId) ?? { address: {}, login: {} };
    const profile: Record<string, unknown> = { ...profileOf(record) };
    const sealed = secretsOf(record);
    for (const [name, value] of Object.entries({ ...address, ...login })) {
      setAt(profile, name, name in sealed ? seal(carrierId, `${kind}.${name}`, String(value), sealed[name]) : value);
    }
    return { ...record, [kind]: profile };
  });

  // If it was sealed with a lost key, nothing is lost: the password is new anyway.
  function seal(carrierId: string, field: string, secret: string, sealed: string | undefined): string {
    return sealOrKeep(secret, sealed, carrierSecretPlace(carrierId, field), { sealer, reseal: false });
  }
}
