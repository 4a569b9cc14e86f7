import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from './events.ts';
import { HeliographError } from './heliograph-error.ts';
import { WebhookVerificationError, webhooks } from './webhooks.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const at = new Date('2026-03-01T12:00:00Z');
const event = {
  type: 'message.delivered',
  timestamp: '2026-03-01T11:59:59.000Z',
  data: {
    messageId: 'msg_1',
    referenceId: 'order-77 ✓',
    from: '12025550199',
    to: '12025550100',
    state: 'delivered',
    code: 'DELIVERED',
    carrierCode: '000',
    segments: 1,
    sequence: 3,
    occurredAt: '2026-03-01T11:59:59.000Z',
    dupRisk: false,
  },
};
const body = JSON.stringify(event);
const headers = webhooks.sign({ id: 'evt_1', body, secret, timestamp: at });

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toBeInstanceOf(HeliographError);
    expect(String((error as Error).message)).not.toContain(secret.slice(6));
    return (error as WebhookVerificationError).reason;
  }
  return 'none';
}

describe('the example of the specification', () => {
  const known = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: new Date(1614265330_000),
    body: '{"test": 2432232314}',
    secret,
  };
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

  it('is signed as specified, and verified', () => {
    const signed = webhooks.sign(known);
    expect(signed).toEqual({
      'webhook-id': known.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    });
    const verified = webhooks.verifySignature(known.body, signed, secret, { now: known.timestamp });
    expect(verified).toEqual({ id: known.id, timestamp: known.timestamp });
  });

  it('is no event', () => {
    const fault = faultOf(() => webhooks.verify(known.body, webhooks.sign(known), secret, { now: known.timestamp }));
    expect(fault).toBe('INVALID_BODY');
  });
});

describe('verify', () => {
  it.each([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['bytes', new TextEncoder().encode(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('takes the raw body as %s', (_what, raw) => {
    expect(webhooks.verify(raw, headers, secret, { now: at })).toEqual({ ...event, id: 'evt_1' });
  });

  it.each([
    ['of Fetch', new Headers(headers)],
    ['in capitals', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))],
    ['as lists', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
  ])('takes headers %s', (_what, given) => {
    expect(webhooks.verify(body, given, secret, { now: at })).toMatchObject({ id: 'evt_1' });
  });

  it('distinguishes event types by `type`', () => {
    const verified = webhooks.verify(body, headers, secret, { now: at });
    expect(summary(verified)).toBe('msg_1 is delivered (3)');
    const reply = { type: 'message.received', timestamp: event.timestamp, data: { from: '12025550100', text: 'YES' } };
    const raw = JSON.stringify(reply);
    const signed = webhooks.sign({ id: 'evt_2', body: raw, secret, timestamp: at });
    expect(summary(webhooks.verify(raw, signed, secret, { now: at }))).toBe('12025550100: YES');
  });

  it('passes on an unknown type unchanged', () => {
    const later = { type: 'brand.new', timestamp: event.timestamp, data: { anything: [1] } };
    const raw = JSON.stringify(later);
    const signed = webhooks.sign({ id: 'evt_3', body: raw, secret, timestamp: at });
    const verified = webhooks.verify(raw, signed, secret, { now: at });
    expect(verified).toEqual({ ...later, id: 'evt_3' });
    expect(summary(verified)).toBe('brand.new');
  });

  it('accepts any of several secrets and of several signatures', () => {
    const both = {
      ...headers,
      'webhook-signature': `v1,AAAA v1a,xyz ${headers['webhook-signature']} v2,${'A'.repeat(44)}`,
    };
    expect(faultOf(() => webhooks.verify(body, both, [other, secret], { now: at }))).toBe('none');
    expect(faultOf(() => webhooks.verify(body, both, [other], { now: at }))).toBe('NO_MATCHING_SIGNATURE');
  });

  it('accepts a secret with and without its prefix', () => {
    expect(faultOf(() => webhooks.verify(body, headers, secret.slice(6), { now: at }))).toBe('none');
  });

  it.each(['', 'whsec_', 'whsec_x', 'not base64!', undefined as unknown as string])(
    'refuses the secret %j',
    (wrong) => {
      expect(faultOf(() => webhooks.verify(body, headers, wrong, { now: at }))).toBe('INVALID_SECRET');
      expect(faultOf(() => webhooks.verify(body, headers, [secret, wrong], { now: at }))).toBe('INVALID_SECRET');
    },
  );

  it('refuses to verify without a secret', () => {
    expect(faultOf(() => webhooks.verify(body, headers, [], { now: at }))).toBe('INVALID_SECRET');
  });

  it('refuses every changed byte of the body', () => {
    const bytes = Buffer.from(body);
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(faultOf(() => webhooks.verify(changed, headers, secret, { now: at }))).toBe('NO_MATCHING_SIGNATURE');
    }
  });

  it.each([
    ['webhook-id', 'evt_2', 'NO_MATCHING_SIGNATURE'],
    ['webhook-timestamp', String(at.getTime() / 1_000 + 1), 'NO_MATCHING_SIGNATURE'],
    ['webhook-signature', headers['webhook-signature'].replace('v1,', 'v2,'), 'NO_MATCHING_SIGNATURE'],
    ['webhook-signature', headers['webhook-signature'].slice(3), 'NO_MATCHING_SIGNATURE'],
    ['webhook-signature', headers['webhook-signature'].slice(0, -1), 'NO_MATCHING_SIGNATURE'],
    ['webhook-signature', `${headers['webhook-signature']}=`, 'NO_MATCHING_SIGNATURE'],
    ['webhook-signature', 'v1,', 'NO_MATCHING_SIGNATURE'],
    ['webhook-id', '', 'MISSING_HEADER'],
    ['webhook-id', undefined, 'MISSING_HEADER'],
    ['webhook-timestamp', undefined, 'MISSING_HEADER'],
    ['webhook-timestamp', '1e9', 'MISSING_HEADER'],
    ['webhook-timestamp', '-1', 'MISSING_HEADER'],
    ['webhook-signature', undefined, 'MISSING_HEADER'],
    ['webhook-signature', ['v1,a', 'v1,b'], 'MISSING_HEADER'],
  ] as const)('refuses %s: %j', (name, value, fault) => {
    expect(faultOf(() => webhooks.verify(body, { ...headers, [name]: value }, secret, { now: at }))).toBe(fault);
  });

  it('refuses a full stop in the id, which would shift the signed fields', () => {
    const seconds = headers['webhook-timestamp'];
    const moved = { ...headers, 'webhook-id': `evt_1.${seconds}`, 'webhook-timestamp': '7' };
    const signed = webhooks.sign({ id: 'evt_1', body: `7.${body}`, secret, timestamp: at });
    const given = { ...moved, 'webhook-signature': signed['webhook-signature'] };
    expect(faultOf(() => webhooks.verify(body, given, secret, { now: new Date(7_000) }))).toBe('MISSING_HEADER');
    expect(() => webhooks.sign({ id: 'a.b', body, secret })).toThrow(TypeError);
  });

  it('refuses a timestamp that is too old or too new', () => {
    const after = (seconds: number, toleranceSeconds?: number) =>
      faultOf(() =>
        webhooks.verify(body, headers, secret, { now: new Date(at.getTime() + seconds * 1_000), toleranceSeconds }),
      );
    expect([after(300), after(-300), after(10, 10)]).toEqual(['none', 'none', 'none']);
    expect([after(301), after(11, 10), after(1, Number.NaN)]).toEqual(Array(3).fill('TIMESTAMP_TOO_OLD'));
    expect([after(-301), after(-11, 10)]).toEqual(Array(2).fill('TIMESTAMP_TOO_NEW'));
    expect(faultOf(() => webhooks.verify(body, headers, secret))).toMatch(/^TIMESTAMP_TOO_/);
  });

  it.each(['[]', 'null', '"x"', '{', '', '{"type":1,"timestamp":"","data":{}}', '{"type":"a","timestamp":"b"}'])(
    'refuses %j, signed or not',
    (raw) => {
      const signed = webhooks.sign({ id: 'evt_1', body: raw, secret, timestamp: at });
      expect(faultOf(() => webhooks.verify(raw, signed, secret, { now: at }))).toBe('INVALID_BODY');
      expect(faultOf(() => webhooks.verifySignature(raw, signed, secret, { now: at }))).toBe('none');
    },
  );

  it('refuses a body that was parsed already', () => {
    expect(faultOf(() => webhooks.verify(event as never, headers, secret, { now: at }))).toBe('INVALID_BODY');
  });
});

describe("the standard's own package", () => {
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);

  it('signs what we verify', () => {
    for (const key of [secret, other]) {
      const signed = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(now.getTime() / 1_000),
        'webhook-signature': new Webhook(key).sign('evt_1', now, body),
      };
      expect(webhooks.verify(body, signed, key)).toEqual({ ...event, id: 'evt_1' });
    }
  });

  it('verifies what we sign', () => {
    for (const key of [secret, other]) {
      const signed = webhooks.sign({ id: 'evt_1', body, secret: key });
      expect(new Webhook(key).verify(body, signed)).toEqual(event);
      expect(() => new Webhook(key).verify(`${body} `, signed)).toThrow();
    }
  });
});

/** Compiles only when `type` narrows the data. */
function summary(verified: WebhookEvent): string {
  switch (verified.type) {
    case 'message.received':
      return `${verified.data.from}: ${verified.data.text}`;
    case 'message.delivered':
    case 'message.failed':
      return `${verified.data.messageId} is ${verified.data.state} (${verified.data.sequence})`;
    case 'contact.opted_out':
      return `${verified.data.contact} wants nothing more from ${verified.data.scope}`;
    case 'endpoint.disabled':
      return `${verified.data.url} is ${verified.data.why}`;
    default:
      return verified.type;
  }
}
