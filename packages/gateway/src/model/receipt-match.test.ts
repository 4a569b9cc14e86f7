import { describe, expect, it } from 'vitest';
import type { Receipt } from './delivery.ts';
import { cluesOf, type MatchCandidate, matchFault, submitDateOf } from './receipt-match.ts';

const at = Date.UTC(2026, 0, 31, 12, 0, 5);
const receipt: Receipt = {
  carrier: 'c1',
  carrierMessageId: '0000beef01',
  idKeys: ['beef01'],
  to: '14155550100',
  state: 'delivered',
  code: 'DELIVERED',
  carrierCode: '000',
  receivedAt: at + 4_000,
  raw: 'id:0000beef01 sub:001 dlvrd:001 submit date:2601311200 done date:2601311200 stat:DELIVRD err:000 text:Hello',
};
const candidate: MatchCandidate = {
  messageId: 'msg_1',
  accountId: 'acc1',
  from: '15550001111',
  to: '14155550100',
  carrier: 'c1',
  state: 'sent',
  part: 1,
  partCount: 1,
  partState: 'accepted',
  carrierMessageId: 'a1',
  partsMissing: 0,
  acceptedAt: at,
  handedOverAt: at,
};
const fault = (more: Partial<MatchCandidate>, of: Partial<Receipt> = {}) =>
  matchFault({ ...receipt, ...of }, { ...candidate, ...more });
const clues = (of: Partial<Receipt>, more: Partial<MatchCandidate> = {}, text: string | null = 'Hello you') =>
  cluesOf({ ...receipt, ...of }, { ...candidate, ...more }, text).map(({ speaks, what }) => `${speaks}: ${what}`);

describe('a receipt given by hand', () => {
  it('fits what waits for its receipt, and what was never answered', () => {
    expect(fault({})).toBeNull();
    expect(fault({}, { to: null })).toBeNull();
    expect(fault({ state: 'unconfirmed' })).toBeNull();
    expect(fault({ state: 'held', partState: null, partsMissing: 1 })).toBeNull();
    expect(fault({ state: 'uncertain' }, { state: 'interim' })).toBeNull();
  });

  it('fits nothing else', () => {
    expect(fault({ carrier: 'c2' })).toBe('other carrier');
    expect(fault({ to: '14155550101' })).toBe('other handset');
    expect(fault({ partState: 'undelivered' })).toBe('answered');
    expect(fault({ state: 'sending', partState: null, partsMissing: 1 })).toBe('being sent');
    expect(fault({ state: 'queued', partState: null, partsMissing: 1 })).toBe('not handed over');
    expect(fault({ state: 'uncertain', partState: null, partsMissing: 2 })).toBe('several missing');
    expect(fault({}, { state: 'interim' })).toBe('nothing new');
  });
});

describe('what speaks for a message', () => {
  it('is its handset, its state, its id, its times and its text', () => {
    expect(clues({})).toEqual([
      ...['for: same handset', 'for: waits for its receipt', 'against: other id', 'neither: after the message'],
      ...['for: submit date fits', 'for: text fits'],
    ]);
  });

  it('is separated from the evidence against it', () => {
    const other = clues(
      { to: null, raw: 'submit date:2601311107 text:Bye', receivedAt: at - 120_000 },
      { state: 'failed' },
    );
    expect(other).toEqual([
      ...['neither: no handset named', 'against: over already', 'against: other id', 'against: before the message'],
      ...['against: submit date differs', 'neither: text differs'],
    ]);
  });

  it.each([
    ['other form of the id', '12513025'],
    ['id contained', 'xbeef01-2'],
    ['other id', '77'],
    ['no id on record', ''],
  ])('is, of the id, %s', (what, carrierMessageId) => {
    expect(clues({}, { carrierMessageId }).some((clue) => clue.endsWith(what))).toBe(true);
  });

  it('is nothing of the id where the receipt has none', () => {
    const words = clues({ carrierMessageId: '(none) 0123456789abcdef' }, { carrierMessageId: '0123456789abcdef' });
    expect(words).toContain('neither: no id on record');
  });

  it('is a time of submission in whatever zone the carrier lives', () => {
    for (const raw of ['submit date:2601310701', 'submit_date:260131173004', 'SUBMIT DATE: 2602010000']) {
      expect(clues({ raw })).toContain('for: submit date fits');
    }
    expect(submitDateOf('stat:DELIVRD')).toBeNull();
    expect(clues({ raw: '' })).toHaveLength(4);
  });

  it('says nothing of a text that is gone', () => {
    expect(clues({}, {}, null).some((clue) => clue.includes('text'))).toBe(false);
  });
});
