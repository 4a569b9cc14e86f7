/**
 * The ceremonies of passkeys, using a library that is loaded when the first ceremony ends: it takes 30 MB, which an
 * idle gateway saves.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { peopleTimes } from '../model/people.ts';
import type { PasskeyCeremonies, PasskeySite } from '../subjects/people/people-parts.ts';

/** EdDSA, ES256 and RS256, which authenticators support (IANA COSE algorithms). */
const supportedAlgorithmIDs = [-8, -7, -257];

const library = () => import('@simplewebauthn/server');

/** Requires that the device verified its user; otherwise the passkey would be only one factor. */
function expected({ rpId, origin }: PasskeySite, challenge: string) {
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true };
}

export const passkeyCeremonies: PasskeyCeremonies = {
  async creationOptions({ rpId }, { challenge, user }) {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: 'Heliograph',
      rpID: rpId,
      userName: user.email,
      userDisplayName: user.name,
      // The authenticator returns this at sign-in: it identifies the user without an e-mail address.
      userID: Uint8Array.from(Buffer.from(user.userId)),
      challenge: Uint8Array.from(challenge),
      timeout: peopleTimes.challengeMs,
      attestationType: 'none',
      supportedAlgorithmIDs,
      excludeCredentials: user.passkeys.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  },
  // Every visit of the sign-in page needs these four fields; building them here saves loading the library.
  requestOptions: async ({ rpId }, challenge) => ({
    challenge: Buffer.from(challenge).toString('base64url'),
    ...{ rpId, timeout: peopleTimes.challengeMs, userVerification: 'required' },
  }),
  async created(site, { challenge, response }) {
    const { verifyRegistrationResponse } = await library();
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        ...expected(site, challenge),
        supportedAlgorithmIDs,
      });
      if (!verified) return null;
      const { credential, credentialBackedUp: backedUp } = registrationInfo;
      const transports = (credential.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10);
      return {
        ...{ credentialId: credential.id, counter: credential.counter, transports, backedUp },
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      };
    } catch {
      // The library throws for every failed check.
      return null;
    }
  },
  async used(site, { challenge, response, passkey }) {
    const { verifyAuthenticationResponse } = await library();
    const { credentialId: id, counter, transports } = passkey;
    const publicKey = Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url'));
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        ...expected(site, challenge),
        credential: { id, publicKey, counter, transports: [...transports] },
      });
      if (!verified) return null;
      const { newCounter, credentialBackedUp: backedUp } = authenticationInfo;
      return { counter: newCounter, backedUp };
    } catch (error) {
      return /counter value/.test((error as Error).message) ? 'counter' : null;
    }
  },
};
