import { expect, it } from 'vitest';
import { createPositions, type WriteContext } from '../../../store/context.ts';
import { start } from '../../../store/contract/fixture.ts';
import { runSync } from '../../../store/query.ts';
import { claim, lowerHead } from './claim.ts';

const second = 1_000;

/** The start of each claim's search, in a queue whose first message became due then; null = it is empty. */
function scene({ keepsHeads }: { keepsHeads: boolean }) {
  let nowMs = 0;
  const look = { takesMs: 0 };
  const context: WriteContext = { token: 1, now: start, positions: createPositions(0), sending: new Map() };
  if (keepsHeads) context.heads = { byLane: new Map(), monotonicMs: () => nowMs };
  const since = (afterMs: number, first: number | null): number => {
    let from = Number.NaN;
    const request = { lane: 'c1', limit: 5, now: start + afterMs, token: 1 };
    const row = { message_id: 'm', request_id: 'r', state: 'queued', sequence: 2, attempts: 0, due_at: first };
    runSync(claim([request], context), ({ statement, rows: [params] }) => {
      // The turn among the nodes comes with the first answer.
      if (statement.name === 'select_nothing') nowMs += 7_000;
      if (statement.name !== 'select_due') return [];
      from = params!.since as number;
      if (from === 0) nowMs += look.takesMs;
      return first === null ? [] : [{ ...row }];
    });
    return from;
  };
  return { since, look, context };
}

it('a claim looks a little before where the last one found the head, and at the whole queue every ten seconds', () => {
  const { since } = scene({ keepsHeads: true });
  expect(since(0, start - 60 * second)).toBe(0);
  expect(since(second, start - 50 * second)).toBe(start - 62 * second);
  expect(since(2 * second, null)).toBe(start - 52 * second);
  expect(since(3 * second, null)).toBe(start);
  expect(since(10 * second, null)).toBe(0);
  expect(since(11 * second, null)).toBe(start + 8 * second);
  // The clock was set back.
  expect(since(-60 * second, null)).toBe(0);
});

it('a claim looks at the whole queue the more seldom, the longer that takes', () => {
  const { since, look } = scene({ keepsHeads: true });
  look.takesMs = 300;
  expect(since(0, null)).toBe(0);
  expect(since(59 * second, null)).not.toBe(0);
  look.takesMs = 10;
  expect(since(60 * second, null)).toBe(0);
  expect(since(70 * second, null)).toBe(0);
});

it('a claim begins with what this node moved into the queue, however old that is', () => {
  const { since, context } = scene({ keepsHeads: true });
  since(0, null);
  lowerHead(context, 'c1', start - 3_600 * second);
  lowerHead(context, 'c1', start);
  lowerHead(context, 'c2', start - 7_200 * second);
  expect(since(second, start - 3_600 * second)).toBe(start - 3_600 * second);
});

it('a claim looks at the whole queue where nothing is kept from one transaction to the next', () => {
  const { since } = scene({ keepsHeads: false });
  expect([since(0, start), since(second, start)]).toEqual([0, 0]);
});
