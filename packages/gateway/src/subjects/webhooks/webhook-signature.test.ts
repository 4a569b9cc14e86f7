import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { machineRandom } from '../../kernel/machine.ts';
import { Secret } from '../../kernel/secret.ts';
import { createWebhookSecret, isWebhookSecret, signWebhook } from './webhook-signature.ts';

/** The example of the Standard Webhooks specification. */
const known = {
  secret: new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const now = () => Math.floor(Date.now() / 1_000);

/** The verdict of the standard's own package. */
function verifies(secret: Secret, id: string, timestamp: number, body: string, signature: string): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  try {
    new Webhook(secret.reveal()).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const ids = fc.stringMatching(/^[!-\-/-~]{1,40}$/);
const bodies = fc.json({ stringUnit: 'binary' }).map((text) => text.toWellFormed());
const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => {
  return new Secret(`whsec_${Buffer.from(bytes).toString('base64')}`);
});

interface Sent {
  id: string;
  timestamp: number;
  body: string;
  signature: string;
}
type Change = (sent: Sent, at: number) => Partial<Sent>;

/** The package reads bytes as UTF-8, so a flipped bit may leave the text unchanged; those cases do not count. */
const otherBody: Change = ({ body }, at) => {
  const bytes = Buffer.from(body);
  bytes[at % bytes.length]! ^= 1 << (at % 8);
  return { body: bytes.toString() };
};
const otherId: Change = ({ id }, at) => ({ id: `${id.slice(0, at % id.length)}_${id.slice(at % id.length)}` });
const otherTimestamp: Change = ({ timestamp }) => ({ timestamp: timestamp - 1 });
const otherSignature: Change = ({ signature }, at) => {
  const place = 3 + (at % 43);
  return {
    signature: `${signature.slice(0, place)}${signature[place] === 'A' ? 'B' : 'A'}${signature.slice(place + 1)}`,
  };
};
const changes = fc.constantFrom(otherBody, otherId, otherTimestamp, otherSignature);

describe('signWebhook', () => {
  it('makes the signature of the standard', () => {
    expect(signWebhook({ ...known, secrets: [known.secret] })).toBe(known.signature);
    expect(signWebhook({ ...known, body: Buffer.from(known.body), secrets: [known.secret] })).toBe(known.signature);
  });

  it("is verified by the standard's package, and no longer when a byte changes", () => {
    fc.assert(
      fc.property(ids, bodies, secrets, changes, fc.nat(), (id, body, secret, change, at) => {
        const timestamp = now();
        const signature = signWebhook({ id, timestamp, body, secrets: [secret] });
        expect(verifies(secret, id, timestamp, body, signature)).toBe(true);
        const sent = { id, timestamp, body, signature };
        const changed = { ...sent, ...change(sent, at) };
        fc.pre(changed.body !== body || change !== otherBody);
        expect(verifies(secret, changed.id, changed.timestamp, changed.body, changed.signature)).toBe(false);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is verified with either secret during a rotation, and with no other', () => {
    fc.assert(
      fc.property(bodies, secrets, secrets, secrets, (body, fresh, old, other) => {
        fc.pre(new Set([fresh, old, other].map((secret) => secret.reveal())).size === 3);
        const timestamp = now();
        const signature = signWebhook({ id: 'evt_1', timestamp, body, secrets: [fresh, old] });
        expect(verifies(fresh, 'evt_1', timestamp, body, signature)).toBe(true);
        expect(verifies(old, 'evt_1', timestamp, body, signature)).toBe(true);
        expect(verifies(other, 'evt_1', timestamp, body, signature)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['evt.1', '', 'evt 1', 'evt\n1', 'évt'])('refuses the id %j', (id) => {
    expect(() => signWebhook({ ...known, id, secrets: [known.secret] })).toThrow('full stop');
  });

  it('refuses what would never verify', () => {
    expect(() => signWebhook({ ...known, timestamp: 1.5, secrets: [known.secret] })).toThrow('seconds');
    expect(() => signWebhook({ ...known, timestamp: -1, secrets: [known.secret] })).toThrow('seconds');
    expect(() => signWebhook({ ...known, secrets: [] })).toThrow('at least one');
    expect(() => signWebhook({ ...known, secrets: [new Secret('whsec_x')] })).toThrow('base64');
  });
});

describe('a secret', () => {
  it('is whsec_ and 32 random bytes', () => {
    const made = Array.from({ length: 100 }, () => createWebhookSecret(machineRandom).reveal());
    expect(new Set(made).size).toBe(100);
    for (const text of made) {
      expect(isWebhookSecret(text)).toBe(true);
      expect(Buffer.from(text.slice(6), 'base64')).toHaveLength(32);
    }
  });

  it.each([
    known.secret.reveal().slice(6),
    'whsec_',
    `whsec_${'A'.repeat(28)}`,
    `whsec_${'A'.repeat(88)}`,
    `whsec_${'A'.repeat(31)}`,
    `whsec_${'_'.repeat(32)}`,
    ` whsec_${'A'.repeat(32)}`,
    `whsec_${'A'.repeat(32)}\n`,
  ])('is not %j', (text) => expect(isWebhookSecret(text)).toBe(false));
});
