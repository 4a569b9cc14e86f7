/** The place that a secret is sealed for: it opens nowhere else. */

export interface SealedPlace {
  record: 'carrier' | 'endpoint' | 'user' | 'sign-in';
  /** Id of the record; it never changes. */
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
/** A sign-in under way at the identity provider, kept by its browser. */
export const ssoPlace: SealedPlace = { record: 'sign-in', id: 'sso', field: 'flow' };
export const totpPlace = (id: string): SealedPlace => ({ record: 'user', id, field: 'totp' });
