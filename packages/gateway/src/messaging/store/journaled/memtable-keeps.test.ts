/** What the journal may handle: only writes that the database cannot refuse later. */
import { describe, expect, it } from 'vitest';
import type { Claim, Settlement } from '../../../model/delivery.ts';
import { acceptItem, minute, settlement, start } from '../../../store/contract/fixture.ts';
import type { AcceptItem } from '../items.ts';
import { isKeepable, isPlain } from './memtable.ts';

const key = { key: 'k1', bodyHash: 'aa' };

/** A plain item except for these fields. */
function but(message: object, delivery: object = {}, rest: object = {}): AcceptItem {
  const item = acceptItem(start, { recipients: ['14155550100', '14155550101'] });
  Object.assign(item.message, message);
  Object.assign(item.deliveries[1]!, delivery);
  return Object.assign(item, rest);
}

describe('isKeepable', () => {
  it.each<[string, AcceptItem]>([
    ['a plain text', but({})],
    ['one to a single recipient', acceptItem(start, {})],
    ['one of any characters but NUL', but({ text: 'Grüße 😀 \u0001 \ud800' })],
    ['one with the longest reference', but({ referenceId: '😀'.repeat(64) })],
    ['one that is empty', but({ text: '' })],
    ['one with another text for the wire', but({ wireText: 'Gruesse' })],
    ['one without encoding', but({ encoding: null })],
    ['one that is sending at once', but({}, { sending: true })],
    ['one that ends in a minute', but({}, { expiresAt: start + minute })],
    [
      'one beside refused recipients',
      but({}, {}, { refused: [{ place: 0, to: 'x', status: 'invalid', detail: 'no' }] }),
    ],
  ])('takes %s', (_, item) => expect(isKeepable(item)).toBe(true));

  it.each<[string, AcceptItem]>([
    ['an MMS', but({ messageType: 'MMS' })],
    ['what has an idempotency key', acceptItem(start, { key })],
    ['what is held back', but({}, {}, { held: { until: start + minute, code: 'HELD', detail: 'Later.' } })],
    ['what nobody receives', acceptItem(start, { recipients: [] })],
    ['what ends sooner than in a minute', but({}, { expiresAt: start + minute - 1 })],
    ['what ended before', but({}, { expiresAt: start - 1 })],
    ['what PostgreSQL cannot store', but({ text: 'a\0b' })],
    ['what none of its indexes can hold', but({}, { lane: 'ž'.repeat(201) })],
    ...['requestId', 'accountId', 'keyId', 'direction', 'referenceId', 'from', 'text'].flatMap((name) =>
      [null, undefined, 7].map((value): [string, AcceptItem] => [`a ${name} of ${value}`, but({ [name]: value })]),
    ),
    ['a wireText of 7', but({ wireText: 7 })],
    ['an encoding of 7', but({ encoding: 7 })],
    ...['segments', 'acceptedAt'].flatMap((name) =>
      [null, undefined, Number.NaN, 1.5, '1', 2 ** 53].map((value): [string, AcceptItem] => [
        `${name} of ${JSON.stringify(value)} ${value}`,
        but({ [name]: value }),
      ]),
    ),
    ...['messageId', 'to', 'lane'].flatMap((name) =>
      [null, undefined, 7].map((value): [string, AcceptItem] => [`a ${name} of ${value}`, but({}, { [name]: value })]),
    ),
    ...['expiresAt', 'concatReference'].flatMap((name) =>
      [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, '9999999999999'].map((value): [string, AcceptItem] => [
        `${name} of ${JSON.stringify(value)} ${value}`,
        but({}, { [name]: value }),
      ]),
    ),
  ])('leaves to the database %s', (_, item) => expect(isKeepable(item)).toBe(false));
});

describe('isPlain', () => {
  const claim = { messageId: 'msg_1', attempt: 1, lane: 'c1' } as Claim;
  const plain = (fields: Partial<Settlement> = {}) => isPlain(settlement(claim, start, fields));

  it('takes what was sent, in one part or several', () => {
    expect(plain()).toBe(true);
    expect(plain({ parts: [1, 2].map((part) => ({ part, carrierMessageId: `a${part}` })) })).toBe(true);
  });

  it.each<Partial<Settlement>>([
    { to: 'failed', code: 'CARRIER_REJECTED' },
    { to: 'failed' },
    { to: 'queued' },
    { to: 'uncertain' },
    { code: 'DELIVERED' },
    { carrierCode: '0' },
    { detail: 'Sent after a pause.' },
    { detail: '' },
  ])('leaves to the database %j', (fields) => expect(plain(fields)).toBe(false));

  it.each<[string, object]>([
    ['a part twice', { parts: [1, 1].map((part) => ({ part, carrierMessageId: `a${part}` })) }],
    ['a part without number', { parts: [{ part: null, carrierMessageId: 'a' }] }],
    ['a part without id', { parts: [{ part: 1, carrierMessageId: null }] }],
    ['an id for which no index has room', { parts: [{ part: 1, carrierMessageId: 'a'.repeat(201) }] }],
  ])('leaves to the database what it would refuse: %s', (_, fields) => expect(plain(fields)).toBe(false));
});
