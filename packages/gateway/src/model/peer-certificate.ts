/** A carrier's TLS certificate as people see it, and its remaining days. */
import type { EpochMs } from '../kernel/clock.ts';

export interface PeerCertificate {
  /** As names are written in certificates, on one line: `CN=smpp.example, O=Example`. */
  subject: string;
  issuer: string;
  /** Names it is good for, as in the certificate; '' when it tells none. */
  names: string;
  validFrom: EpochMs;
  validTo: EpochMs;
  /** SHA-256 of all of it, pairs of hexadecimal digits with colons. */
  fingerprint256: string;
}

const dayMs = 86_400_000;
/** So long before it ends people are warned. */
const warnDays = 30;

/** Whole days that it still holds, negative when it has ended; null while nobody needs to be warned. */
export function daysLeft({ validTo }: Pick<PeerCertificate, 'validTo'>, now: EpochMs): number | null {
  return validTo - now > warnDays * dayMs ? null : Math.floor((validTo - now) / dayMs);
}

/** Of several connections' certificates, the one that expires first; null when there is none. */
export function endingFirst(certificates: readonly (PeerCertificate | null)[]): PeerCertificate | null {
  return certificates.reduce(
    (first, one) => (one !== null && (first === null || one.validTo < first.validTo) ? one : first),
    null,
  );
}
