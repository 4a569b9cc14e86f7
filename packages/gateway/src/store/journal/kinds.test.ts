/** Which work may stay in memory: every kind by name, so that a new one is never there by accident. */
import { describe, expect, it } from 'vitest';
import { type LookUpKind, lookUpOperations, writeKinds } from '../engine.ts';
import { asksOfNewest, blindKinds, erasingKinds, journaledKinds } from './kinds.ts';

describe('the kinds of writes', () => {
  it.each(Object.entries({ journaledKinds, blindKinds, erasingKinds }))('of %s exist', (_, kinds) => {
    expect([...kinds].filter((kind) => !writeKinds.includes(kind))).toEqual([]);
    expect(kinds.size).toBeGreaterThan(0);
  });

  it('belong to no two of these', () => {
    const all = [...journaledKinds, ...blindKinds, ...erasingKinds];
    expect(new Set(all).size).toBe(all.length);
  });

  it('are not blind when they move, judge or delete deliveries', () => {
    const about = ['receipts', 'recover', 'sweep', 'decide', 'relane', 'makeDue', 'matchReceipt', 'inbound', 'gather'];
    expect(about.filter((kind) => blindKinds.has(kind as never) || journaledKinds.has(kind as never))).toEqual([]);
  });
});

describe('look-ups', () => {
  const newest = Object.keys(lookUpOperations).filter((kind) => asksOfNewest(kind as LookUpKind, {}, 0));

  it('ask for the newest, but for those that are known not to', () => {
    expect(newest.sort()).toEqual(
      [
        ...['queued', 'queueCounts', 'message', 'messages', 'unmatchedReceipts', 'receiptCandidates', 'carrierErrors'],
        ...[
          'newestSent',
          'eventsAfter',
          'accountEvents',
          'eventPosition',
          'replayable',
          'outcomes',
          'threads',
          'thread',
        ],
        ...['unreadCount', 'threadMessages', 'numberTraffic', 'queuedFrom', 'positionAt', 'handedOver', 'waitingFor'],
        ...['searchMessages', 'webhooksOf', 'receiptTimes', 'sentWith', 'refusedRecipients', 'refusedCounts'],
        ...[
          'recentCounts',
          'recentFailures',
          'stuckMessages',
          'forgettable',
          'forgettableEvents',
          'erasures',
          'erasable',
        ],
        ...['removableDemo', 'storeFacts'],
      ].sort(),
    );
  });

  it('for what is overdue ask when nothing was committed for long', () => {
    expect([0, 29_999, 30_000, 1e9].map((since) => asksOfNewest('overdue', {}, since))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('for events ask when these may be of messages in memory', () => {
    const asks = (types: unknown) => asksOfNewest('eventsAfter', { types }, 0);
    expect([undefined, null, ['message.sent'], ['message.failed', 'message.sent']].map(asks)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([[], ['message.failed'], ['carrier.down']].map(asks)).toEqual([false, false, false]);
  });
});
