/**
 * The intact frames of a journal whose other frames are missing: nothing is stored twice, and only proven sends count
 * as sent.
 */
import { describe, expect, it } from 'vitest';
import { acceptItem, start } from '../../../store/contract/fixture.ts';
import type { Piece } from '../../../store/journal/look.ts';
import type { Entry } from './memtable.ts';
import { salvage } from './salvage.ts';

const token = 7;
const entry = (own: Partial<Entry>): Piece => ({
  kind: 'frame',
  text: JSON.stringify({ now: start, token, accepted: [], settled: [], claimed: [], ...own }),
  mended: false,
});
const gap = (frames: number | null, bytes = ''): Piece => ({
  kind: 'gap',
  place: 0,
  frames,
  bytes: Buffer.from(bytes),
});
const item = () => acceptItem(start, {});
const idOf = (one: ReturnType<typeof item>) => one.deliveries[0]!.messageId;
const settled = (messageId: string) => ({
  messageId,
  attempt: 1,
  to: 'sent',
  code: null,
  carrier: 'c1',
  carrierCode: null,
  detail: null,
  dueAt: start,
  parts: [{ part: 1, carrierMessageId: 'x' }],
  at: start,
});

/** The state of each message. */
function statesOf(pieces: Piece[]) {
  const found = salvage({ pieces });
  const states = found.table.all().flatMap(({ item: { deliveries }, tries }) =>
    deliveries.map(({ messageId }, place) => {
      const own = tries[place];
      return [messageId, own === null ? 'queued' : own?.end ? 'sent' : `sending ${own?.token}`];
    }),
  );
  return { ...found, states: Object.fromEntries(states) };
}

describe('where frames are missing', () => {
  it('what waited then may have left, and what came later has not', () => {
    const [early, late] = [item(), item()];
    const { states, doubtful, lost } = statesOf([entry({ accepted: [early] }), gap(1), entry({ accepted: [late] })]);
    expect(states).toEqual({ [idOf(early)]: `sending ${token}`, [idOf(late)]: 'queued' });
    expect([doubtful, lost]).toEqual([1, { frames: 1, requests: [], messages: [] }]);
  });

  it('what a later frame says was sent was sent, though nothing says that it was claimed', () => {
    const one = item();
    const { states, doubtful } = statesOf([
      entry({ accepted: [one] }),
      gap(1),
      entry({ settled: [settled(idOf(one))] as unknown as Entry['settled'] }),
    ]);
    expect([states, doubtful]).toEqual([{ [idOf(one)]: 'sent' }, 0]);
  });

  it('what was claimed before stays claimed', () => {
    const one = item();
    const { states, doubtful } = statesOf([entry({ accepted: [one] }), entry({ claimed: [idOf(one)] }), gap(2)]);
    expect([states, doubtful]).toEqual([{ [idOf(one)]: `sending ${token}` }, 0]);
  });

  it('messages are named that later frames speak of, with what they say', () => {
    const { lost, states } = statesOf([
      gap(2),
      entry({ claimed: ['msg_a', 'msg_b'] }),
      entry({ settled: [settled('msg_b')] as unknown as Entry['settled'] }),
    ]);
    expect(lost).toEqual({
      frames: 2,
      requests: [],
      messages: [
        { messageId: 'msg_a', sent: false },
        { messageId: 'msg_b', sent: true },
      ],
    });
    expect(states).toEqual({});
  });

  it('requests are named that can be read in the bytes, with their account where that can be read', () => {
    const named = { ...item() };
    const { requestId, accountId } = named.message;
    const bytes = JSON.stringify({ now: start, token, accepted: [named] }).replace('"acceptedAt"', '"acc\0ptedAt"');
    const { lost } = statesOf([gap(1, `${bytes}"requestId":"req_ZZZ","acc`)]);
    expect(lost.requests).toEqual([
      { requestId, accountId },
      { requestId: 'req_ZZZ', accountId: null },
    ]);
  });

  it('nobody says how many when nobody knows', () => {
    expect(statesOf([gap(1), gap(null), gap(1)]).lost.frames).toBeNull();
  });
});
