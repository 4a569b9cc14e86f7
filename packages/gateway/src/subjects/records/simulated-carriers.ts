/**
 * The records of the simulated carriers at start: addresses, and credentials that are new in each process. The
 * operator's other settings stay.
 */
import { randomBytes } from 'node:crypto';
import { setAt } from '../../carriers/setting.ts';
import { secretsOf } from '../../carriers/settings.ts';
import { carrierSecretPlace } from '../../kernel/sealed-place.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';
import { sealOrKeep } from './carrier-secrets.ts';
import { sandboxCarriers } from './sandbox-records.ts';

/** What the simulated carrier and its client agree on, anew in each process: no password of ours is the same twice. */
export const sandboxCarrierLogin: Readonly<{ system_id: string; password: string }> = {
  system_id: 'sandbox',
  // SMPP 3.4 §4.1.1: at most 8 characters.
  password: newPassword(4),
};

/** The same over MM7: what we show to the simulator, and what it shows to us. */
export const sandboxMm7Login: Readonly<Mm7Login> = {
  username: 'sandbox',
  password: newPassword(16),
  inbound: { username: 'sim-mm7', password: newPassword(16) },
};

export interface Mm7Login {
  username: string;
  password: string;
  inbound: { username: string; password: string };
}

/** A login over MM7 by the names of the settings. */
export function mm7Settings({ username, password, inbound }: Mm7Login): Record<string, string> {
  return { username, password, 'inbound.username': inbound.username, 'inbound.password': inbound.password };
}

/** One of the simulator's carriers, by the names of its settings. */
export interface SimulatedCarrier {
  carrierId: string;
  /** Where it listens. */
  address: Readonly<Record<string, string | number>>;
  /** What it and its client have agreed on, secrets in plain. */
  login: Readonly<Record<string, string>>;
}

/** A carrier that the simulator does not run does not change. */
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

  // Sealed with a key that is gone: here nothing is lost, a new password is made anyway.
  function seal(carrierId: string, field: string, secret: string, sealed: string | undefined): string {
    return sealOrKeep(secret, sealed, carrierSecretPlace(carrierId, field), { sealer, reseal: false });
  }
}

function newPassword(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
