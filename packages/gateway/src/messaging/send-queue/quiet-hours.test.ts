/** Quiet hours on the path of a message: held at acceptance, held at dispatch, released when the hours change. */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { QuietHours } from '../../model/quiet-hours.ts';
import type { Account } from '../../model/records.ts';
import { acme, directoryOf, records } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { answer, world } from '../accept/accept-fixture.ts';
import { claim, laneWith } from './lane-fixture.ts';
import { createQuietRelease } from './quiet-hours.ts';
import type { WaitingMessage } from './release.ts';

const hour = 3_600_000;
/** `movedClock` begins on 14 November 2023, 22:13:20 UTC. */
const night: QuietHours = { from: '21:00', to: '08:00' };
const morning = Date.UTC(2023, 10, 15, 8);
const quietAccount = (quietHours?: QuietHours, more: Partial<Account> = {}): Account => ({
  ...acme,
  ...(quietHours && { quietHours }),
  ...more,
});

describe('a text accepted in quiet hours', () => {
  const quiet = (quietHours?: QuietHours, more: Partial<Account> = {}) =>
    world({ clock: settlingClock(), mms: true, account: quietAccount(quietHours, more) });

  it('is taken like any other, takes no short cut, and is valid from their end on', async () => {
    const { send, stored, slots, nudged } = quiet(night);
    slots.free = 5;
    const held = answer(await send({ validityMinutes: 30 }));
    const plain = answer(await quiet().send({ validityMinutes: 30 }));
    expect(Object.keys(held)).toEqual(Object.keys(plain));
    expect(held.results).toMatchObject([{ to: '12025550100', status: 'SUCCESS' }]);
    expect(Object.keys(held.results[0]!)).toEqual(Object.keys(plain.results[0]!));
    const detail = "Held by the company's quiet hours until 15 November 2023 at 08:00 (UTC).";
    expect(stored[0]).toMatchObject({ held: { until: morning, code: 'QUIET_HOURS', detail } });
    expect(stored[0]?.deliveries[0]).toMatchObject({ expiresAt: morning + 30 * 60_000 });
    expect(stored[0]?.deliveries[0]).not.toHaveProperty('sending');
    expect([slots.free, slots.taken, nudged]).toEqual([5, [], []]);
  });

  it('goes at once outside of them, in another zone, and from a campaign that is excepted', async () => {
    const exceptions = [
      quiet(),
      quiet({ from: '23:00', to: '08:00' }),
      quiet(night, { timeZone: 'America/New_York' }),
      quiet({ ...night, exceptCampaigns: ['C1'] }),
      quiet({ ...night, days: ['wed'] }),
    ];
    for (const { send, stored, nudged } of exceptions) {
      await send({});
      expect(stored[0]).not.toHaveProperty('held');
      expect(nudged).toHaveLength(1);
    }
    const { send, stored } = quiet({ ...night, exceptCampaigns: ['OTHER'] });
    await send({ from: '12345' });
    expect(stored[0]).toHaveProperty('held');
  });

  it('leaves an MMS to its lane, and a dry run to itself', async () => {
    const { send, stored, nudged } = quiet(night);
    answer(await send({}, { dryRun: true }));
    expect(stored).toEqual([]);
    await send({ mediaUrls: ['https://media.example/a.png'], validityMinutes: 10 });
    expect(stored[0]).not.toHaveProperty('held');
    expect([stored[0]?.deliveries[0]?.expiresAt, nudged]).toEqual([morning + 10 * 60_000, ['media']]);
  });
});

describe('a try in quiet hours', () => {
  const directory = (quietHours: QuietHours) =>
    directoryOf({ accounts: [quietAccount(quietHours, { accountId: 'acc1' })] });

  async function tried(more: Parameters<typeof claim>[1], quietHours = night) {
    const { clock, peer, store, lane } = laneWith([claim(1, more)], 2, directory(quietHours));
    lane.nudge();
    await clock.pass(0);
    await lane.stop(0);
    return { submitted: peer.submitted.length, settled: store.settlements[0], now: clock.now() };
  }

  it('is put off to their end and costs none', async () => {
    for (const more of [{}, { attempt: 3 }]) {
      expect(await tried(more)).toMatchObject({
        submitted: 0,
        settled: { to: 'queued', code: 'QUIET_HOURS', lane: 'a', countsAttempt: false, dueAt: morning, parts: [] },
      });
    }
  });

  it('goes on for an answer to a keyword, the rest of a message, and an excepted campaign', async () => {
    expect((await tried({ keyId: 'consent:out' })).submitted).toBe(1);
    expect((await tried({ segments: 3, partsAccepted: [1] })).submitted).toBe(1);
    expect((await tried({}, { ...night, exceptCampaigns: ['C1'] })).submitted).toBe(1);
    expect((await tried({}, { from: '08:00', to: '21:00' })).submitted).toBe(1);
  });
});

describe('a change of quiet hours', () => {
  const number = (digits: string, accountId: string) => ({ ...records().numbers[0]!, number: digits, accountId });
  const waits = (messageId: string, from: string, dueAt = morning): WaitingMessage => ({
    messageId,
    number: from,
    dueAt,
  });

  function following(before: QuietHours | undefined, waiting: WaitingMessage[]) {
    const clock = settlingClock();
    const due: string[] = [];
    const warnings: string[] = [];
    const state = { fails: 0, looks: 0 };
    let current = directoryFor(before);
    const store = {
      waitingFor: async ({ codes }: { codes: readonly string[] }) => {
        expect(codes).toEqual(['QUIET_HOURS']);
        state.looks++;
        if (state.fails-- > 0) throw new StoreUnavailable('full', 'disk full');
        return { waiting, next: null };
      },
      makeDue: async (ids: string[]) => due.push(...ids),
    };
    const broken = (error: unknown): void => {
      throw error;
    };
    const release = createQuietRelease({
      clock,
      store,
      logger: warningsIn(warnings),
      broken,
      directory: () => current,
    });
    const change = async (to: QuietHours | undefined, timeZone?: string) => {
      current = directoryFor(to, timeZone);
      release.follow();
      await clock.pass(0);
    };
    return { clock, due, state, warnings, release, change };
  }

  function directoryFor(quietHours: QuietHours | undefined, timeZone?: string) {
    const zone = timeZone === undefined ? {} : { timeZone };
    const accounts = [
      quietAccount(quietHours, { accountId: 'acc1', ...zone }),
      quietAccount(night, { accountId: 'acc2' }),
    ];
    return buildDirectory(records({ accounts, numbers: [number('111111', 'acc1'), number('222222', 'acc2')] }));
  }

  it('makes due what the new hours do not hold as long, after a restart too, and leaves the rest', async () => {
    const waiting = [waits('m1', '111111'), waits('m2', '222222'), waits('gone', '333333')];
    const { due, change, state } = following(night, waiting);
    await change(night);
    expect(due).toEqual(['gone']);
    await change(night);
    expect(state.looks).toBe(1);
    await change({ from: '21:00', to: '09:00' });
    expect(due).toEqual(['gone', 'gone']);
    await change({ from: '21:00', to: '07:00' });
    expect(due.slice(2)).toEqual(['m1', 'gone']);
    await change(undefined);
    expect(due.slice(4)).toEqual(['m1', 'gone']);
    await change(night, 'Asia/Tokyo');
    expect(due.slice(6)).toEqual(['m1', 'gone']);
  });

  it('queries an unavailable store again, until it is stopped', async () => {
    const { clock, due, change, state, warnings, release } = following(night, [waits('m1', '111111')]);
    state.fails = 3;
    await change(undefined);
    expect(due).toEqual([]);
    await clock.pass(3_000);
    expect(due).toEqual(['m1']);
    expect(warnings).toEqual(['what waits for quiet hours waits for the store']);
    state.fails = 99;
    await change(night);
    expect(warnings).toHaveLength(2);
    await release.stop();
    await clock.pass(hour);
    expect(due).toEqual(['m1']);
  });
});
