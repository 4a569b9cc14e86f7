/** Applies a change to every sealed secret of a record. */
import { type SealedPlace, totpPlace, webhookHeaderPlace, webhookSecretPlace } from '../kernel/sealed-place.ts';
import type { User } from './people.ts';
import type { Endpoint } from './records.ts';

type Change = (sealed: string, place: SealedPlace) => string;

export function withEndpointSecrets(endpoint: Endpoint, change: Change): Endpoint {
  const { endpointId, header, secrets } = endpoint;
  return {
    ...endpoint,
    header: header && { ...header, value: change(header.value, webhookHeaderPlace(endpointId)) },
    secrets: secrets.map((one) => ({ ...one, secret: change(one.secret, webhookSecretPlace(endpointId)) })),
  };
}

export function withUserSecrets(user: User, change: Change): User {
  const { userId, totp } = user;
  return totp === null ? user : { ...user, totp: { ...totp, secret: change(totp.secret, totpPlace(userId)) } };
}
