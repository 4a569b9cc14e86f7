/**
 * What must hold for several nodes that share a database, whatever happens to them: written once, for the fault suites on a real
 * PostgreSQL (`crash/cluster.suite.ts`) and for the simulation (`simulation/`).
 */
import type { Verdict } from '../../packages/gateway/src/cli/prove/judge.ts';

/** From the end of a node until others have its send queues. */
export const takeOverMsMax = 15_000;

export interface ClusterEvidence {
  verdict: Pick<Verdict, 'lost' | 'unrecorded' | 'unflaggedDuplicates' | 'duplicates'>;
  /** How often messages became uncertain. */
  uncertainMoves: number;
  /** So many may have been under way, all together, when nodes, connections and the database ended. */
  inDoubtMax: number;
  /** Submissions from a node after another one had begun to send for the same carrier. */
  staleSubmits: number;
  /** Submissions that a node gave to the wire when others might have taken over. */
  sentTooLate: number;
  takeOverMs: readonly number[];
  /** Events that a reader of the log has passed before they were there. */
  passedEvents: readonly number[];
  /** Limits of campaigns, with the most that any of their spans held. */
  limits: readonly { name: string; limit: number; most: number }[];
}

/** In words; none when everything held. */
export function brokenRules(evidence: ClusterEvidence): string[] {
  const { verdict, uncertainMoves, inDoubtMax, staleSubmits, sentTooLate, takeOverMs, passedEvents, limits } = evidence;
  const over = limits.filter(({ most, limit }) => most > limit);
  const late = takeOverMs.filter((ms) => ms > takeOverMsMax);
  const rules: [isBroken: boolean, what: string][] = [
    [verdict.lost.length > 0, `acknowledged and lost: ${some(verdict.lost)}`],
    [verdict.unrecorded.length > 0, `acknowledged and not on record: ${some(verdict.unrecorded)}`],
    [verdict.unflaggedDuplicates.length > 0, `sent twice and not flagged: ${some(verdict.unflaggedDuplicates)}`],
    [verdict.duplicates > inDoubtMax, `${verdict.duplicates} copies, where ${inDoubtMax} may have been under way`],
    [uncertainMoves > inDoubtMax, `${uncertainMoves} became uncertain, where ${inDoubtMax} may have been under way`],
    [staleSubmits > 0, `two senders for one carrier: ${staleSubmits} submissions from the older one`],
    [sentTooLate > 0, `${sentTooLate} submissions on the wire after the lease less its margin`],
    [late.length > 0, `taken over only after ${some(late)} ms`],
    [passedEvents.length > 0, `a reader of the event log has passed positions ${some(passedEvents)}`],
    [over.length > 0, `over the limit: ${some(over.map(({ name, limit, most }) => `${name} ${most} of ${limit}`))}`],
  ];
  return rules.flatMap(([isBroken, what]) => (isBroken ? [what] : []));
}

const some = (list: readonly unknown[]): string =>
  `${list.slice(0, 5).join(', ')}${list.length > 5 ? ` and ${list.length - 5} more` : ''}`;

/** Reports a submission of a session after a later session of the same system id had begun to submit: two senders. */
export function createSenderWatch(): { submitted(systemId: string, bind: number): boolean } {
  const newest = new Map<string, number>();
  return {
    submitted: (systemId, bind) => {
      const last = Math.max(newest.get(systemId) ?? 0, bind);
      newest.set(systemId, last);
      return bind < last;
    },
  };
}

/** A reader of the event log that goes on from the last position it saw, as webhooks and the feed do. */
export function createLogReader() {
  const seen = new Set<number>();
  let cursor = 0;
  return {
    cursor: () => cursor,
    read: (positions: readonly number[]): void => {
      for (const position of positions) seen.add(position);
      cursor = Math.max(cursor, ...positions);
    },
    /** Those of the whole log that it never saw, though it is past them. */
    passed: (all: readonly number[]): number[] => all.filter((position) => position <= cursor && !seen.has(position)),
  };
}

/** The most units within any span of so many ms. `times` in order. */
export function mostWithin(times: readonly number[], spanMs: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while (times[last]! - times[first]! >= spanMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
