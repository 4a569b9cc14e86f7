import { expect, it } from 'vitest';
import { createPositions, type WriteContext } from '../../../store/context.ts';
import { start } from '../../../store/contract/fixture.ts';
import { runSync } from '../../../store/query.ts';
import { claim, lowerHead } from './claim.ts';

const second = 1_000;

/** The starts of each claim's searches for two, in a queue whose messages are due then: of all that a search finds. */
function scene({ keepsHeads }: { keepsHeads: boolean }) {
  let nowMs = 0;
  const look = { takesMs: 0 };
  const context: WriteContext = { token: 1, now: start, positions: createPositions(0), sending: new Map() };
  if (keepsHeads) context.heads = { byLane: new Map(), monotonicMs: () => nowMs };
  const since = (afterMs: number, ...dueAt: number[]): number[] => {
    const looks: number[] = [];
    const request = { lane: 'c1', limit: 2, now: start + afterMs, token: 1 };
    runSync(claim([request], context), ({ statement, rows: [params] }) => {
      // The turn among the nodes comes with the first answer.
      if (statement.name === 'select_nothing') nowMs += 7_000;
      if (statement.name !== 'claim_due') return [];
      const from = params!.since as number;
      looks.push(from);
      if (from === 0) nowMs += look.takesMs;
      return dueAt
        .splice(0, params!.limit as number)
        .map((due_at) => ({ message_id: `m${due_at}`, request_id: 'r', sequence: 3, due_at }));
    });
    return looks;
  };
  return { since, look, context };
}

it('a claim looks a little before where the last one found the head, and at the whole queue every ten seconds', () => {
  const { since } = scene({ keepsHeads: true });
  expect(since(0, start - 60 * second)).toEqual([0]);
  expect(since(second, start - 50 * second)).toEqual([start - 62 * second]);
  expect(since(2 * second)).toEqual([start - 52 * second]);
  expect(since(3 * second)).toEqual([start]);
  expect(since(10 * second)).toEqual([0]);
  expect(since(11 * second)).toEqual([start + 8 * second]);
  // The clock was set back.
  expect(since(-60 * second)).toEqual([0]);
});

it('in a backlog a claim starts where the last one ended, and looks before that four times a second', () => {
  const { since } = scene({ keepsHeads: true });
  const [first, last] = [start - 9 * second, start - 8 * second];
  expect(since(0, first, last)).toEqual([0]);
  expect(since(100, last, last + 1)).toEqual([last]);
  expect(since(200, last + 1, last + 2)).toEqual([last + 1]);
  expect(since(250, last + 2, last + 3)).toEqual([last + 1 - 2 * second]);
  expect(since(499, last + 4, last + 5)).toEqual([last + 3]);
});

it('a claim that finds the end of a backlog looks for the rest before where it started', () => {
  const { since } = scene({ keepsHeads: true });
  since(0, start - 2, start - 1);
  expect(since(1)).toEqual([start - 1, start - 2 - 2 * second]);
  expect(since(2, start, start + 1)).toEqual([start + 1 - 2 * second]);
});

it('a claim looks at the whole queue the more seldom, the longer that takes, but each minute', () => {
  const { since, look } = scene({ keepsHeads: true });
  look.takesMs = 100;
  expect(since(0)).toEqual([0]);
  // Once may be the machine.
  look.takesMs = 10_000;
  expect(since(10 * second)).toEqual([0]);
  expect(since(29 * second)).not.toEqual([0]);
  expect(since(30 * second)).toEqual([0]);
  expect(since(89 * second)).not.toEqual([0]);
  look.takesMs = 10;
  expect(since(90 * second)).toEqual([0]);
  expect(since(100 * second)).toEqual([0]);
});

it('a claim begins with what this node moved into the queue, however old that is, in a backlog too', () => {
  const { since, context } = scene({ keepsHeads: true });
  since(0, start - 2, start - 1);
  lowerHead(context, 'c1', start - 3_600 * second);
  lowerHead(context, 'c1', start);
  lowerHead(context, 'c2', start - 7_200 * second);
  expect(since(second, start - 3_600 * second)).toEqual([start - 3_600 * second]);
});

it('a claim looks at the whole queue where nothing is kept from one transaction to the next', () => {
  const { since } = scene({ keepsHeads: false });
  expect([since(0, start, start), since(second, start, start)]).toEqual([[0], [0]]);
});
