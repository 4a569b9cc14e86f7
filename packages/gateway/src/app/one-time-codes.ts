/** Time-based one-time codes (RFC 6238) as authenticator apps generate them: 6 digits, 30 s, SHA-1. */
import { Secret, TOTP } from 'otpauth';
import type { OneTimeCodes } from '../subjects/people/people-parts.ts';

const periodSeconds = 30;
/** Steps before and after the present one that are taken, for clocks that are not the same. */
const window = 1;
const shape = { algorithm: 'SHA1', digits: 6, period: periodSeconds };

export const totpCodes: OneTimeCodes = {
  newSecret: (bytes) => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32,
  uri: (secret, { issuer, label }) =>
    new TOTP({ ...shape, issuer, label, secret: Secret.fromBase32(secret) }).toString(),
  stepOf: (secret, code, now) => {
    const delta = new TOTP({ ...shape, secret: Secret.fromBase32(secret) }).validate({
      token: code,
      timestamp: now,
      window,
    });
    return delta === null ? null : Math.floor(now / 1_000 / periodSeconds) + delta;
  },
};
