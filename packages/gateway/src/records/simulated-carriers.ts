/**
 * The records of the simulated carriers as they should stand at a start: where each listens, and the credentials it and
 * its client agree on, which are new in each process. What else the operator set on them stays. Writes nothing.
 */
import { randomBytes } from 'node:crypto';
import type { CarrierRecord } from '../domain/records.ts';
import { carrierSecretPlace } from '../domain/sealed-place.ts';
import type { Sealer } from '../sealing.ts';
import { sealOrKeep } from './carrier-secrets.ts';
import { sandboxCarrier, sandboxMm4Carrier, sandboxMm7Carrier } from './sandbox-records.ts';

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

/** Where the simulator takes MMS. */
export interface SandboxMms {
  mm7: Mm7Login & { url: string };
  mm4: { host: string; port: number };
}

export function simulatedCarriers(
  onRecord: readonly CarrierRecord[],
  { smpp, mms, sealer }: { smpp: { host: string; port: number }; mms: SandboxMms; sealer: Sealer },
): CarrierRecord[] {
  const at = <T extends CarrierRecord>(seeded: T): T =>
    (onRecord.find((one) => one.carrierId === seeded.carrierId && one.kind === seeded.kind) as T | undefined) ?? seeded;
  // Sealed with a key that is gone: here nothing is lost, a new password is made anyway.
  const seal = ({ carrierId }: CarrierRecord, field: string, secret: string, sealed: string) =>
    sealOrKeep(secret, sealed, carrierSecretPlace(carrierId, field), { sealer, reseal: false });
  const sms = at(sandboxCarrier);
  const { system_id, password } = sandboxCarrierLogin;
  const overSmpp = {
    ...sms,
    smpp: {
      ...sms.smpp,
      host: smpp.host,
      port: smpp.port,
      system_id,
      password: seal(sms, 'smpp.password', password, sms.smpp.password),
    },
  };
  const mm7 = at(sandboxMm7Carrier);
  const { url, username, inbound } = mms.mm7;
  const overMm7 = {
    ...mm7,
    mm7: {
      ...mm7.mm7,
      url,
      username,
      password: seal(mm7, 'mm7.password', mms.mm7.password, mm7.mm7.password),
      inbound: {
        ...mm7.mm7.inbound,
        username: inbound.username,
        password: seal(mm7, 'mm7.inbound.password', inbound.password, mm7.mm7.inbound.password),
      },
    },
  };
  const mm4 = at(sandboxMm4Carrier);
  const overMm4 = { ...mm4, mm4: { ...mm4.mm4, host: mms.mm4.host, port: mms.mm4.port } };
  return [overSmpp, overMm7, overMm4];
}

function newPassword(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
