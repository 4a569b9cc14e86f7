/** The ceremonies of passkeys, by a library that is loaded when the first one ends: it takes 30 MB, which a gateway at rest goes without. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { peopleTimes } from '../model/people.ts';
import type { PasskeyCeremonies, PasskeySite } from '../subjects/people/people-parts.ts';

/** EdDSA, ES256 and RS256, as authenticators have them (IANA COSE algorithms). */
const supportedAlgorithmIDs = [-8, -7, -257];

const library = () => import('@simplewebauthn/server');

/** The device has verified its person, or the passkey would be one factor only. */
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
      // What the authenticator says at a sign-in: it names the person, so that nobody types an address.
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
  // Every visit of the sign-in page asks for these: four fields, without the library and its memory.
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
      // The library throws for whatever does not hold.
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
