import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import type { MessageView } from '../../model/delivery.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import type { CarrierRecord } from '../../model/records.ts';
import { records } from '../../model/world-fixture.ts';
import type { LaneReport } from './lanes.ts';
import { type WaitingParts, waitingOf } from './waiting.ts';

const now = 1_000_000;
const since = now - 5_000;
const soon = now + 60_000;

const carriers = records().carriers.map(
  (one) => ({ ...one, smpp: { messagesPerSecond: 10 } }) as unknown as CarrierRecord,
);

const queued = (more: Partial<MessageView> = {}) =>
  ({
    messageId: 'msg_1',
    state: 'queued',
    code: null,
    carrierCode: null,
    carrier: null,
    ...more,
  }) as unknown as MessageView;

/** Carriers `a` and `b`, both up; the message stands in the queue of `lane`. */
function world(
  how: { lane?: string; dueAt?: number; paused?: string[]; down?: string[]; report?: object; account?: object } = {},
) {
  const { lane = 'a', dueAt, paused = [], down = [] } = how;
  const looks: string[] = [];
  const parts: WaitingParts = {
    now,
    directory: buildDirectory(records({ carriers, accounts: [{ accountId: 'acc1', ...how.account } as never] })),
    store: {
      queued: async (asked) => {
        looks.push(asked);
        return asked === lane ? [{ messageId: 'msg_1' } as never] : [];
      },
      waitingFor: async () => ({
        waiting: dueAt === undefined ? [] : [{ messageId: 'msg_1', number: '12025550199', dueAt }],
        next: null,
      }),
    },
    lanes: {
      up: (id) => !down.includes(id),
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
  return { looks, of: (message: MessageView, carriers = ['a', 'b']) => waitingOf(message, carriers, parts) };
}

describe('why a message waits', () => {
  it('is not asked of what does not wait', async () => {
    const { looks, of } = world({ paused: ['a'] });
    expect(await of(queued({ state: 'sent' }))).toBeNull();
    expect(looks).toEqual([]);
  });

  it('is its carrier: paused since, down since, switched off', async () => {
    expect(await world({ paused: ['a'] }).of(queued())).toMatchObject({
      why: 'paused',
      carrier: { carrierId: 'a' },
      since,
      until: null,
    });
    expect(await world({ down: ['a', 'b'] }).of(queued())).toMatchObject({ why: 'down', since });
    expect(await world({ lane: 'gone' }).of(queued({ carrier: 'gone' }))).toMatchObject({
      why: 'off',
      carrier: { carrierId: 'gone', name: 'gone' },
    });
  });

  it('is that of the queue in which it stands, not of the first that its rule names', async () => {
    expect(await world({ lane: 'b', paused: ['b'] }).of(queued())).toMatchObject({ carrier: { carrierId: 'b' } });
    expect(await world({ lane: 'b', paused: ['a'] }).of(queued({ carrier: 'a' }))).toMatchObject({ why: 'turn' });
    expect(await world({ lane: 'far back', down: ['a'] }).of(queued())).toMatchObject({ carrier: { carrierId: 'b' } });
  });

  it('is its own hour or limit before its carrier, while that time has not come', async () => {
    const paused = ['a'];
    const held = (code: OutcomeCode, dueAt?: number) =>
      world({ paused, ...(dueAt !== undefined && { dueAt }) }).of(queued({ code }));
    expect(await held('QUIET_HOURS', soon)).toMatchObject({ why: 'quiet', until: soon });
    expect(await held('CAMPAIGN_LIMIT', soon)).toMatchObject({ why: 'campaign', until: soon });
    expect(await held('DAILY_CAP_REACHED', soon)).toMatchObject({ why: 'dayCap', until: soon });
    expect(await held('QUIET_HOURS')).toMatchObject({ why: 'paused', until: null });
    expect(await world().of(queued({ code: 'QUIET_HOURS' }))).toMatchObject({ why: 'quiet', until: null });
  });

  it('is the time of its next try, unless its carrier takes nothing at all', async () => {
    const code = 'CARRIER_UNAVAILABLE';
    const again = queued({ code, carrierCode: 'ESME_RTHROTTLED', carrier: 'a' });
    expect(await world({ dueAt: soon }).of(again)).toMatchObject({
      why: 'retry',
      until: soon,
      code: 'ESME_RTHROTTLED',
    });
    expect(await world({ dueAt: soon, down: ['a', 'b'] }).of(again)).toMatchObject({ why: 'down', until: null });
    expect(await world().of(again)).toMatchObject({ why: 'turn' });
  });

  it('is a carrier that answers nothing, whatever the time of its next try', async () => {
    const silent = { report: { silentSince: since }, dueAt: soon };
    const again = queued({ code: 'CARRIER_UNAVAILABLE', carrier: 'a' });
    expect(await world(silent).of(again)).toMatchObject({ why: 'unanswered', since, until: null });
  });

  it('is the receipt that would prove what is in doubt; then its repeat, a person, or the end of its validity', async () => {
    const later = soon + 3_600_000;
    const doubtful = (doubt: object, account: object = {}) => {
      const known = { accountId: 'acc1', cause: 'unanswered', repeats: 0, dueAt: soon, expiresAt: later, ...doubt };
      return world({ account }).of(
        queued({ state: 'uncertain', carrier: 'a', updatedAt: since, doubt: known as never }),
      );
    };
    expect(await doubtful({})).toMatchObject({
      why: 'repeat',
      carrier: { carrierId: 'a' },
      since,
      until: soon,
      doubt: { cause: 'unanswered', repeats: 0, allowed: 1 },
    });
    expect(await doubtful({ repeats: 1 })).toMatchObject({ why: 'receipt', until: later });
    expect(await doubtful({ repeats: 1, cause: 'broken' })).toMatchObject({ why: 'repeat', doubt: { allowed: 5 } });
    expect(await doubtful({ dueAt: later })).toMatchObject({ why: 'receipt', until: later });
    expect(await doubtful({}, { uncertainPolicy: 'hold' })).toMatchObject({ why: 'hold', until: soon });
    expect(await doubtful({}, { repeatsUnanswered: 0 })).toMatchObject({ why: 'hold', until: soon });
  });

  it('is a carrier that takes no more just now; else its turn, or nobody to name', async () => {
    expect(await world({ report: { outPerSecond: 9.5 } }).of(queued())).toMatchObject({ why: 'rate', perSecond: 10 });
    expect(await world({ report: { throttled: 3 } }).of(queued())).toMatchObject({ why: 'throttled', since: null });
    expect(await world().of(queued())).toMatchObject({ why: 'turn', carrier: { carrierId: 'a' }, perSecond: null });
    expect(await world().of(queued(), [])).toMatchObject({ why: 'turn', carrier: null });
  });
});
