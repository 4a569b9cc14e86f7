/**
 * Where sealed secrets stand on record, and how all of one record are gone through. A secret is sealed for its place and
 * opens in no other. Knows nothing of keys.
 */
import type { User } from './people.ts';
import type { Endpoint } from './records.ts';

export interface SealedPlace {
  record: 'carrier' | 'endpoint' | 'user';
  /** Of the record, as it is for good. */
  id: string;
  /** Within the record, as its path (kind and setting of a carrier); `secret`, `header` or `totp` elsewhere. All secrets of an endpoint have one. */
  field: string;
}

/** Gives back and takes secrets that must not stand open in the store. */
export interface Sealing {
  seal(text: string, place: SealedPlace): string;
  open(sealed: string, place: SealedPlace): string;
}

/** `field`: the kind and its setting, with a dot between them. */
export function carrierSecretPlace(id: string, field: string): SealedPlace {
  return { record: 'carrier', id, field };
}

export const webhookSecretPlace = (id: string): SealedPlace => ({ record: 'endpoint', id, field: 'secret' });
export const webhookHeaderPlace = (id: string): SealedPlace => ({ record: 'endpoint', id, field: 'header' });
export const totpPlace = (id: string): SealedPlace => ({ record: 'user', id, field: 'totp' });

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
