/** A carrier's TLS certificate as people see it, and its remaining days. */
import { dayMs, type EpochMs } from '../kernel/clock.ts';

export interface PeerCertificate {
  /** On one line, in the notation of certificates: `CN=smpp.example, O=Example`. */
  subject: string;
  issuer: string;
  /** Names that it is valid for, as in the certificate; '' when it has none. */
  names: string;
  validFrom: EpochMs;
  validTo: EpochMs;
  /** SHA-256 of the certificate, as pairs of hexadecimal digits with colons. */
  fingerprint256: string;
}

/** People are warned this many days before it expires. */
const warnDays = 30;

/** Whole days until it expires, negative afterwards; null while no warning is due. */
export function daysLeft({ validTo }: Pick<PeerCertificate, 'validTo'>, now: EpochMs): number | null {
  return validTo - now > warnDays * dayMs ? null : Math.floor((validTo - now) / dayMs);
}

/** The certificate that expires first; null when there is none. */
export function endingFirst(certificates: readonly (PeerCertificate | null)[]): PeerCertificate | null {
  return certificates.reduce(
    (first, one) => (one !== null && (first === null || one.validTo < first.validTo) ? one : first),
    null,
  );
}
