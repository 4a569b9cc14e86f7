import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import type { MessageView, StoredWait } from '../../model/message-view.ts';
import type { CarrierRecord } from '../../model/records.ts';
import { records } from '../../model/world-fixture.ts';
import type { LaneReport } from './lane-meter.ts';
import { type WaitingParts, waitingOf } from './waiting.ts';

const now = 1_000_000;
const since = now - 5_000;
const soon = now + 60_000;

const carriers = records().carriers.map(
  (one) => ({ ...one, smpp: { messagesPerSecond: 10 } }) as unknown as CarrierRecord,
);

/** In the queue of `a` and due, except for the data in `wait`. */
const queued = (more: Partial<MessageView> = {}, wait: Partial<StoredWait> = {}) =>
  ({
    messageId: 'msg_1',
    state: 'queued',
    from: '12025550199',
    code: null,
    carrierCode: null,
    carrier: null,
    updatedAt: since,
    wait: { accountId: 'acc1', lane: 'a', mediaDueAt: null, dueAt: now, ...wait },
    ...more,
  }) as unknown as MessageView;

/** Carriers `a` and `b`, both up. */
function world(how: { paused?: string[]; down?: string[]; report?: object; account?: object } = {}) {
  const { paused = [], down = [] } = how;
  const parts: WaitingParts = {
    now,
    directory: buildDirectory(records({ carriers, accounts: [{ accountId: 'acc1', ...how.account } as never] })),
    lanes: {
      isPaused: (id) => paused.includes(id),
      pausedSince: (id) => (paused.includes(id) ? since : null),
      report: (id) =>
        id === 'gone'
          ? null
          : ({
              since,
              outPerSecond: 0,
              throttled: 0,
              silentSince: null,
              ...how.report,
              status: { up: !down.includes(id), binds: [] },
            } as unknown as LaneReport),
    },
  };
  return {
    of: (message: MessageView) => waitingOf(message, parts),
    reasons: (message: MessageView) => waitingOf(message, parts)?.reasons,
  };
}

describe('why a message waits', () => {
  it('is null for what does not wait', () => {
    const { wait: _, ...sent } = queued({ state: 'sent' });
    expect(world({ paused: ['a'] }).of(sent as MessageView)).toBeNull();
  });

  it('is its carrier: paused since, down since, switched off', () => {
    expect(world({ paused: ['a'] }).of(queued())).toMatchObject({
      carrier: { carrierId: 'a' },
      reasons: [{ why: 'paused', since }],
    });
    expect(world({ down: ['a', 'b'] }).reasons(queued())).toMatchObject([{ why: 'down', since }]);
    expect(world().of(queued({ carrier: 'gone' }, { lane: 'gone' }))).toEqual({
      carrier: { carrierId: 'gone', name: 'gone' },
      code: null,
      reasons: [{ why: 'off', since: null, perSecond: null }],
    });
  });

  it('belongs to its present queue, not to its earlier carrier', () => {
    const moved = queued({ carrier: 'a' }, { lane: 'b' });
    expect(world({ paused: ['b'] }).of(moved)).toMatchObject({ carrier: { carrierId: 'b' } });
    expect(world({ paused: ['a'] }).reasons(moved)).toEqual([{ why: 'turn' }]);
  });

  it.each([
    ['QUIET_HOURS', 'quiet'],
    ['CAMPAIGN_LIMIT', 'campaign'],
    ['DAILY_CAP_REACHED', 'dayCap'],
  ] as const)('is its own hour or limit (%s) before its carrier, and no more once that time has come', (code, why) => {
    const held = queued({ code }, { dueAt: soon });
    const due = queued({ code }, { dueAt: now });
    const up = world();
    const paused = world({ paused: ['a'] });
    expect(up.of(held)).toMatchObject({ code, reasons: [{ why, until: soon }] });
    expect(paused.reasons(held)).toMatchObject([
      { why, until: soon },
      { why: 'paused', since },
    ]);
    expect(up.reasons(due)).toEqual([{ why: 'turn' }]);
    expect(paused.reasons(due)).toMatchObject([{ why: 'paused' }]);
  });

  it('is the time of its next try, after a carrier that takes nothing at all', () => {
    const code = 'CARRIER_UNAVAILABLE';
    const again = (dueAt: number) => queued({ code, carrierCode: 'ESME_RTHROTTLED', carrier: 'a' }, { dueAt });
    const retry = { why: 'retry', until: soon, code: 'ESME_RTHROTTLED' };
    expect(world().reasons(again(soon))).toEqual([retry]);
    expect(world({ report: { throttled: 3 } }).reasons(again(soon))).toEqual([retry]);
    expect(world({ down: ['a', 'b'] }).reasons(again(soon))).toMatchObject([{ why: 'down' }, retry]);
    expect(world({ report: { silentSince: since } }).reasons(again(soon))).toMatchObject([
      { why: 'unanswered', since },
      retry,
    ]);
    expect(world().reasons(again(now))).toEqual([{ why: 'turn' }]);
  });

  it('is a time alone where nothing says why', () => {
    expect(world().reasons(queued({}, { dueAt: soon }))).toEqual([{ why: 'time', until: soon }]);
  });

  it('is its media until they are ready, and whatever else will hold it then', () => {
    const mms = (mediaDueAt: number) => queued({ messageType: 'MMS' }, { mediaDueAt, dueAt: null });
    const media = { why: 'media', until: null };
    expect(world().reasons(mms(now))).toEqual([media]);
    expect(world({ report: { throttled: 3 } }).reasons(mms(now))).toEqual([media]);
    expect(world().reasons(mms(soon))).toEqual([{ why: 'media', until: soon }]);
    const quietHours = { from: '00:00', to: '00:30' };
    expect(world({ paused: ['a'], account: { quietHours } }).reasons(mms(now))).toMatchObject([
      media,
      { why: 'quiet', until: 30 * 60_000 },
      { why: 'paused', since },
    ]);
  });

  it('is a person, and missing media with that, while it is held', () => {
    const held = (mediaDueAt: number | null) =>
      queued({ state: 'held', code: 'UNCERTAIN' }, { mediaDueAt, dueAt: null });
    const { of, reasons } = world({ paused: ['a'] });
    expect(of(held(null))).toMatchObject({ code: 'UNCERTAIN', reasons: [{ why: 'person', since }] });
    expect(reasons(held(null))).toHaveLength(1);
    expect(reasons(held(soon))).toEqual([
      { why: 'person', since },
      { why: 'media', until: null },
    ]);
  });

  it('is the receipt that would prove what is in doubt; then its repeat, a person, or the end of its validity', () => {
    const later = soon + 3_600_000;
    const doubtful = (doubt: object, account: object = {}) => {
      const known = { accountId: 'acc1', cause: 'unanswered', repeats: 0, dueAt: soon, expiresAt: later, ...doubt };
      const { wait: _, ...message } = queued({ state: 'uncertain', carrier: 'a', doubt: known as never });
      return world({ account }).of(message as MessageView);
    };
    expect(doubtful({})).toEqual({
      carrier: { carrierId: 'a', name: 'a' },
      code: 'UNCERTAIN',
      reasons: [{ why: 'repeat', since, until: soon, doubt: { cause: 'unanswered', repeats: 0, allowed: 1 } }],
    });
    const reason = (...params: Parameters<typeof doubtful>) => doubtful(...params)!.reasons[0];
    expect(reason({ repeats: 1 })).toMatchObject({ why: 'receipt', until: later });
    expect(reason({ repeats: 1, cause: 'broken' })).toMatchObject({ why: 'repeat', doubt: { allowed: 5 } });
    expect(reason({ dueAt: later })).toMatchObject({ why: 'receipt', until: later });
    expect(reason({}, { uncertainPolicy: 'hold' })).toMatchObject({ why: 'hold', until: soon });
    expect(reason({}, { repeatsUnanswered: 0 })).toMatchObject({ why: 'hold', until: soon });
  });

  it('is a carrier that takes no more just now; else its turn', () => {
    expect(world({ report: { outPerSecond: 9.5 } }).reasons(queued())).toMatchObject([{ why: 'rate', perSecond: 10 }]);
    expect(world({ report: { throttled: 3 } }).reasons(queued())).toMatchObject([{ why: 'throttled', since: null }]);
    expect(world().of(queued())).toEqual({
      carrier: { carrierId: 'a', name: 'a' },
      code: null,
      reasons: [{ why: 'turn' }],
    });
  });
});
