import { expect, it } from 'vitest';
import { createPositions, type QueueHead, type WriteContext } from '../../../store/context.ts';
import { start } from '../../../store/contract/fixture.ts';
import { runSync } from '../../../store/query.ts';
import { claim } from './claim.ts';

const second = 1_000;

/** The start of each claim's search, in a queue whose first message became due then; null = it is empty. */
function scene(heads?: Map<string, QueueHead>) {
  const context: WriteContext = { token: 1, now: start, positions: createPositions(0), sending: new Map(), heads };
  return (afterMs: number, first: number | null): number => {
    let since = Number.NaN;
    const request = { lane: 'c1', limit: 5, now: start + afterMs, token: 1 };
    const row = { message_id: 'm', request_id: 'r', state: 'queued', sequence: 2, attempts: 0, due_at: first };
    runSync(claim([request], context), ({ statement, rows: [params] }) => {
      if (statement.name !== 'select_due') return [];
      since = params!.since as number;
      return first === null ? [] : [{ ...row }];
    });
    return since;
  };
}

it('a claim looks a little before where the last one found the head, and at the whole queue every ten seconds', () => {
  const since = scene(new Map());
  expect(since(0, start - 60 * second)).toBe(0);
  expect(since(second, start - 50 * second)).toBe(start - 65 * second);
  expect(since(2 * second, null)).toBe(start - 55 * second);
  expect(since(3 * second, null)).toBe(start - 3 * second);
  expect(since(10 * second, null)).toBe(0);
  expect(since(11 * second, null)).toBe(start + 5 * second);
  // The clock was set back.
  expect(since(-60 * second, null)).toBe(0);
});

it('a claim looks at the whole queue where nothing is kept from one transaction to the next', () => {
  const since = scene();
  expect([since(0, start), since(second, start)]).toEqual([0, 0]);
});
