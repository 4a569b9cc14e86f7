import { describe, expect, it } from 'vitest';
import type { Submission } from '../../carriers/carrier.ts';
import type { Claim, FittedSet, MmsClaim } from '../../model/delivery.ts';
import type { FittedMedia } from '../../model/media.ts';
import { mediaBudgetBytes } from '../../model/medium.ts';
import { directoryOf } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { mediaFailed, medium, scriptedMedia } from '../media/media-fixture.ts';
import { claim, laneWith, mmsClaim } from './lane-fixture.ts';

const set = (budgetBytes: number, name = `fits ${budgetBytes}`): FittedSet => ({
  budgetBytes,
  media: [medium(name, { sizeBytes: budgetBytes - 1 })],
});

function mms(
  n: number,
  fitted: FittedSet[] = [],
  original = [medium('original')],
  more: Partial<MmsClaim> = {},
): MmsClaim {
  return mmsClaim(n, { media: { original, fitted }, ...more });
}

function lane(queue: Claim[], { window = 2, budget = 1_000, optedOut = [] as string[] } = {}) {
  const media = scriptedMedia();
  return { media, ...laneWith(queue, window, directoryOf(), optedOut, { mediaBytesMax: budget, media }) };
}

const mediaOf = (submission: Submission) => (submission.kind === 'MMS' ? submission.media : []);

const accepted = { kind: 'accepted' as const, parts: [] };

describe('a lane with media', () => {
  it('hands over what was fitted for its carrier, in the order of the request', async () => {
    const fitted: FittedSet = { budgetBytes: 1_000, media: [medium('one'), medium('two', { type: 'image/png' })] };
    const l = lane([mms(1, [set(300), fitted]), claim(2)]);
    l.lane.nudge();
    await l.clock.pass(0);
    const [first, second] = l.peer.submitted;
    expect(first).toMatchObject({
      kind: 'MMS',
      media: [{ type: 'image/jpeg', sizeBytes: 900 }, { type: 'image/png' }],
    });
    expect((await mediaOf(first!)[1]!.load())?.toString()).toBe(`bytes of ${medium('two').hash}`);
    expect(second).toMatchObject({ kind: 'SMS' });
    expect(second).not.toHaveProperty('media');
    expect(l.media.fits).toEqual([]);
  });

  it('takes the budget of an unknown carrier for the default', async () => {
    const l = lane([mms(1, [set(mediaBudgetBytes)])], { budget: 0 });
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.peer.submitted).toHaveLength(1);
  });

  it('fits now what was fitted for others only, keeping its place', async () => {
    const l = lane([mms(1, [set(300)]), mms(2, [set(1_000)]), mms(3, [set(1_000)])]);
    let fit: (fitted: FittedMedia | null) => void = () => {};
    l.media.script.fit = () => new Promise<FittedMedia>((resolve) => (fit = resolve as typeof fit));
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.peer.open()).toEqual(['msg_2']);
    expect(l.lane.inFlight()).toBe(2);
    expect(l.media.fits).toMatchObject([{ media: [medium('original')], budgetBytes: 1_000 }]);
    l.peer.ready();
    await l.clock.pass(0);
    expect(l.peer.open()).toEqual(['msg_2']);
    fit(null);
    await l.clock.pass(0);
    expect(l.peer.open()).toEqual(['msg_2', 'msg_1']);
    expect(mediaOf(l.peer.submitted[1]!)).toHaveLength(1);
    expect(l.store.fittedMedia).toMatchObject([{ messageId: 'msg_1', set: { budgetBytes: 1_000, media: [{}] } }]);
    l.peer.answer(['msg_1', 'msg_2'], { ...accepted });
    await l.clock.pass(0);
    expect(l.peer.open()).toEqual(['msg_3']);
    expect(l.store.settlements.map(({ messageId, to }) => [messageId, to])).toEqual([
      ['msg_1', 'sent'],
      ['msg_2', 'sent'],
    ]);
  });

  it('fits once for all recipients of a request, and again when that is long ago', async () => {
    const queue = Array.from({ length: 20 }, (_, n) => mms(n + 1));
    const l = lane(queue, { window: 20 });
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.peer.submitted).toHaveLength(20);
    expect(l.media.fits).toHaveLength(1);
    l.peer.answer(l.peer.open(), { ...accepted });
    queue.push(mms(21), mms(22, [], [medium('another')]));
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.media.fits).toHaveLength(2);
    await l.clock.pass(600_000);
    queue.push(mms(23));
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.media.fits).toHaveLength(3);
  });

  it('ends a message with what came of fitting', async () => {
    const l = lane([mms(1)]);
    l.media.script.fit = () => mediaFailed('MEDIA_TOO_LARGE', 0);
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.peer.submitted).toEqual([]);
    const { detail } = mediaFailed('MEDIA_TOO_LARGE', 0);
    expect(l.store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'failed', code: 'MEDIA_TOO_LARGE', detail }]);
    expect(l.lane.inFlight()).toBe(0);
  });

  it('names in a failure the URLs of the message itself, where another had the same media', async () => {
    const mediaUrls = ['https://b.example/p.jpg'];
    const l = lane([mms(1), mms(2), mms(3, [], undefined, { mediaUrls })]);
    l.media.script.fit = () => mediaFailed('MEDIA_TOO_LARGE', 0);
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.media.fits.map(({ options }) => options?.urls)).toEqual([mms(1).mediaUrls, mediaUrls]);
    expect(l.store.settlements).toHaveLength(3);
  });

  it('sends no MMS without its media', async () => {
    const l = lane([mms(1, [], []), mms(2, [], [], { media: null })]);
    l.lane.nudge();
    await l.clock.pass(0);
    expect([l.peer.submitted, l.media.fits]).toEqual([[], []]);
    expect(l.store.settlements).toMatchObject([
      { messageId: 'msg_1', to: 'queued', countsAttempt: false, dueAt: l.clock.now() + 60_000 },
      { messageId: 'msg_2', to: 'queued', countsAttempt: false },
    ]);
  });

  it.each([
    ['busy', 1_000],
    ['disk-full', 5_000],
  ] as const)('tries again later, not counting it, when fitting is %s', async (why, waitMs) => {
    const l = lane([mms(1, [], undefined, { attempt: 9 }), mms(2)], { window: 1 });
    l.media.script.fit = () => ({ kind: 'later', why });
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.store.settlements).toMatchObject([
      { messageId: 'msg_1', to: 'queued', countsAttempt: false, dueAt: l.clock.now() + waitMs },
      { messageId: 'msg_2', to: 'queued' },
    ]);
    expect(l.media.fits).toHaveLength(2);
  });

  it('counts a fault of its own and gives up after a few', async () => {
    const l = lane([mms(1), mms(2, [], [medium('x')], { attempt: 5 })]);
    l.media.script.fit = () => new Error('EIO');
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.store.settlements).toMatchObject([
      { messageId: 'msg_1', to: 'queued', code: 'GATEWAY_ERROR', countsAttempt: true },
      { messageId: 'msg_2', to: 'failed', code: 'GATEWAY_ERROR' },
    ]);
  });

  it('does not count a try while the store does not answer', async () => {
    const l = lane([mms(1)]);
    l.media.script.fit = () => new StoreUnavailable('down', 'down');
    l.lane.nudge();
    await l.clock.pass(0);
    expect(l.store.settlements).toMatchObject([{ to: 'queued', countsAttempt: false }]);
  });

  it.each(['campaign:C1', `number:${claim(1).from}`])(
    'stops what a person opted out of while it was fitted: %s',
    async (scope) => {
      const optedOut: string[] = [];
      const l = lane([mms(1)], { optedOut });
      let fit: (fitted: FittedMedia | null) => void = () => {};
      l.media.script.fit = () => new Promise<FittedMedia>((resolve) => (fit = resolve as typeof fit));
      l.lane.nudge();
      await l.clock.pass(0);
      optedOut.push(`${scope} ${claim(1).to}`);
      fit(null);
      await l.clock.pass(0);
      expect(l.peer.submitted).toEqual([]);
      expect(l.store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'failed', code: 'OPTED_OUT' }]);
    },
  );

  it('gives back at a stop what is still being fitted, however long that takes', async () => {
    const l = lane([mms(1), mms(2, [set(1_000)])]);
    let fit: (fitted: FittedMedia | null) => void = () => {};
    l.media.script.fit = () => new Promise<FittedMedia>((resolve) => (fit = resolve as typeof fit));
    l.lane.nudge();
    await l.clock.pass(0);
    await l.lane.stop(1_000);
    expect(l.store.settlements.map(({ messageId, to, countsAttempt }) => [messageId, to, countsAttempt])).toEqual([
      ['msg_1', 'queued', false],
      ['msg_2', 'uncertain', true],
    ]);
    fit(null);
    await l.clock.pass(0);
    expect(l.peer.submitted).toHaveLength(1);
    expect(l.store.settlements).toHaveLength(2);
  });
});
