/** The place that a secret is sealed for: it opens nowhere else. */

export interface SealedPlace {
  record: 'carrier' | 'endpoint' | 'user' | 'sign-in';
  /** Id of the record; it never changes. */
  id: string;
  /**
   * Path of the secret within the record (kind and setting of a carrier); elsewhere `secret`, `header` or `totp`. All
   * secrets of an endpoint share one.
   */
  field: string;
}

/** Opens and seals secrets that the store must not hold in plain text. */
export interface Sealing {
  seal(text: string, place: SealedPlace): string;
  open(sealed: string, place: SealedPlace): string;
}

/** `field`: kind and setting, separated by a dot. */
export function carrierSecretPlace(id: string, field: string): SealedPlace {
  return { record: 'carrier', id, field };
}

export const webhookSecretPlace = (id: string): SealedPlace => ({ record: 'endpoint', id, field: 'secret' });
export const webhookHeaderPlace = (id: string): SealedPlace => ({ record: 'endpoint', id, field: 'header' });
/** The state of a sign-in at the identity provider, kept in the browser's cookie. */
export const ssoPlace: SealedPlace = { record: 'sign-in', id: 'sso', field: 'flow' };
export const totpPlace = (id: string): SealedPlace => ({ record: 'user', id, field: 'totp' });
