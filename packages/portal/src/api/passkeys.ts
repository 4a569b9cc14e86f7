/**
 * Passkeys in this browser: whether they are available, and the two ceremonies, whose library is loaded at the first
 * one.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api } from './client';

const library = () => import('@simplewebauthn/browser');

/** False over plain http, except on this machine itself, and in browsers without passkeys. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function';
}

/** Whether the browser offers passkeys in the list under a field. */
export async function offersInFields(): Promise<boolean> {
  if (!hasPasskeys()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** The person or the browser cancelled it: not an error, and nothing was done. */
export class PasskeyEnded extends Error {
  readonly why: 'left' | 'known' | 'address' | 'failed';

  constructor(error: unknown) {
    super('a passkey was not used', { cause: error });
    const { name } = error as Error;
    this.why =
      name === 'InvalidStateError'
        ? 'known'
        : name === 'SecurityError'
          ? 'address'
          : name === 'NotAllowedError' || name === 'AbortError'
            ? 'left'
            : 'failed';
  }
}

export async function makePasskey(): Promise<object> {
  const { options } = (await api.post('/me/passkeys/begin', {})).data;
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }).catch(ended);
}

/** `inFields`: in the list under a field; resolves after a choice there. */
export async function askPasskey({ inFields = false }: { inFields?: boolean } = {}): Promise<object> {
  const { options } = (await api.post('/sign-in/passkey/begin', {})).data;
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: inFields }).catch(ended);
}

/** Cancels a request that waits for a choice in a field. */
export async function endAsking(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}

function ended(error: unknown): never {
  throw new PasskeyEnded(error);
}
