/**
 * A passkey in software (WebAuthn level 3, ES256, attestation `none`): the output of a browser with an authenticator.
 * Each part can be made wrong.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

export interface Wrong {
  origin?: string;
  rpId?: string;
  /** Present only, not verified. */
  unverified?: boolean;
  /** Replaces the counter, which otherwise grows by one. */
  counter?: number;
  userHandle?: string;
  challenge?: string;
  /** Signed by another key. */
  forged?: boolean;
}

export interface Authenticator {
  readonly credentialId: string;
  create(options: Options, wrong?: Wrong): object;
  get(options: Options, wrong?: Wrong): object;
}

// biome-ignore lint/suspicious/noExplicitAny: options as the gateway gave them
type Options = any;

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const credentialId = randomBytes(32);
  let counter = 0;
  let userHandle = '';

  function clientData(type: string, { challenge }: Options, wrong: Wrong): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  }

  function head(rpId: string, wrong: Wrong, flags: number): Buffer {
    counter = wrong.counter ?? counter + 1;
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8(flags | 1 | (wrong.unverified === true ? 0 : 4), 0);
    bytes.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(wrong.rpId ?? rpId), bytes]);
  }

  const common = { id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' };
  return {
    credentialId: common.id,
    create(options, wrong = {}) {
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = [Buffer.alloc(16), length, credentialId, coseKey(publicKey)];
      const authData = Buffer.concat([head(options.rp.id, wrong, 0x40), ...attested]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), cborBytes(authData)],
      ]);
      const clientDataJSON = base64url(clientData('webauthn.create', options, wrong));
      return {
        ...common,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: base64url(attestationObject), transports: ['internal'] },
      };
    },
    get(options, wrong = {}) {
      const clientDataJSON = clientData('webauthn.get', options, wrong);
      const authData = head(options.rpId, wrong, 0);
      const signed = Buffer.concat([authData, sha256(clientDataJSON)]);
      const signature = createSign('sha256')
        .update(signed)
        .sign(wrong.forged === true ? other : privateKey);
      return {
        ...common,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: wrong.userHandle ?? userHandle,
        },
      };
    },
  };
}

/** RFC 9053: EC2, ES256, P-256, x and y. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const length = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from(length), bytes]);
}
