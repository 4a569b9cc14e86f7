/**
 * Authenticates a request as an MM7 carrier: every check configured in its record must pass, and a record without
 * checks admits nobody. Tells the peer only that it was refused.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { CarrierRequest } from '../../model/carrier-http.ts';
import { peerAddresses } from '../peer-addresses.ts';
import type { Mm7Profile } from './profile.ts';

/** `why` is for the log. */
export type Admission = { admitted: true } | { admitted: false; status: 401 | 403; why: string };
export type Admit = (request: Pick<CarrierRequest, 'headers' | 'remoteAddress' | 'clientCertSha256'>) => Admission;

type Inbound = Mm7Profile['inbound'];

export function createAdmit({ username, password, addresses, clientCertSha256 }: Inbound): Admit {
  const asksBasic = username !== '' || password !== '';
  const asksNothing = !asksBasic && addresses.length === 0 && clientCertSha256.length === 0;
  const expected = digest(Buffer.from(`${username}:${password}`, 'utf8'));
  const allowed = peerAddresses(addresses);

  return ({ headers, remoteAddress, clientCertSha256: shown }) => {
    // Compared in any case, so that the time tells nothing.
    const credentialsFit = timingSafeEqual(digest(basicCredentials(headers.authorization)), expected);
    if (asksNothing) return refusal(403, 'nothing is set that the carrier must show');
    if (addresses.length > 0 && !allowed(remoteAddress)) return refusal(403, 'the address is not in its list');
    if (clientCertSha256.length > 0 && (shown === null || !clientCertSha256.includes(shown))) {
      return refusal(403, shown === null ? 'no client certificate' : 'an unknown client certificate');
    }
    return asksBasic && !credentialsFit ? refusal(401, 'missing or wrong credentials') : { admitted: true };
  };
}

const refusal = (status: 401 | 403, why: string): Admission => ({ admitted: false, status, why });
const digest = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

/** `user:password` of a Basic header (RFC 7617); empty, which no carrier's are, for anything else. */
function basicCredentials(authorization: string | undefined): Buffer {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? [];
  return Buffer.from(encoded ?? '', 'base64');
}
