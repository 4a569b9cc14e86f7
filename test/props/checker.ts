/**
 * The judge of the crash suites: compares the acknowledged messages, the carrier's copies and the gateway's records.
 * Lost = acknowledged, and neither taken by the carrier nor in a final failed or held state with a reason.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { LoggedMessage, MessageLog } from './message-log.ts';

export interface Evidence {
  /** Destination → messageId, recorded by the client outside the system. */
  acknowledged: ReadonlyMap<string, string>;
  /** Destination → copies that the carrier accepted, counted by the carrier. */
  copies: ReadonlyMap<string, number>;
  /** Everything the gateway has on record. */
  messages: readonly LoggedMessage[];
}

export interface Verdict {
  acknowledged: number;
  /** Different destinations at the carrier. */
  received: number;
  /** Destinations, with the gateway's record of them. */
  lost: string[];
  /** Acknowledged destinations without a record, whether or not the carrier took them. */
  unrecorded: string[];
  /** Copies beyond the first. */
  duplicates: number;
  /** Destinations that got a second copy without `dupRisk`. */
  unflaggedDuplicates: string[];
  /** Acknowledged, not taken by the carrier, and ended or held with a reason. */
  accountedFor: number;
  /** Taken by the carrier but never acknowledged: the answer was lost with the process. */
  unacknowledged: number;
}

/** States in which a message may never reach the carrier, if a code says why. */
const endedWithoutSending: readonly string[] = ['failed', 'held', 'expired', 'canceled'];

/** States from which the gateway moves a message on by itself. */
const underWay: readonly string[] = ['accepted', 'queued', 'sending', 'uncertain'];

export function judge({ acknowledged, copies, messages }: Evidence): Verdict {
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  const flagged = new Set(messages.filter((message) => message.dupRisk).map((message) => message.to));
  const away = [...acknowledged].filter(([destination]) => !copies.has(destination));
  const lost = away.filter(([, messageId]) => {
    const message = byId.get(messageId);
    return message === undefined || !endedWithoutSending.includes(message.state) || message.code === null;
  });
  const doubled = [...copies].filter(([, count]) => count > 1);
  return {
    acknowledged: acknowledged.size,
    received: copies.size,
    unrecorded: [...acknowledged].filter(([, messageId]) => !byId.has(messageId)).map(([destination]) => destination),
    lost: lost.map(([destination, messageId]) => `${destination} ${whatIsSaidOf(byId.get(messageId))}`),
    duplicates: doubled.reduce((sum, [, count]) => sum + count - 1, 0),
    unflaggedDuplicates: doubled.map(([destination]) => destination).filter((destination) => !flagged.has(destination)),
    accountedFor: away.length - lost.length,
    unacknowledged: [...copies.keys()].filter((destination) => !acknowledged.has(destination)).length,
  };
}

function whatIsSaidOf(message: LoggedMessage | undefined): string {
  return message === undefined ? 'is not on record' : `is ${message.state} ${message.code ?? 'without a code'}`;
}

/**
 * Resolves with the whole log once the gateway moves nothing by itself any more. Gives up when `progress`, any number
 * that changes while work is done, does not change for `stuckMs`; unfinished messages are then the judge's to report.
 * The default is longer than the third wait of a message that became uncertain again and again.
 */
export async function settledLog(log: MessageLog, progress: () => number, stuckMs = 35_000): Promise<LoggedMessage[]> {
  let last = progress();
  let lastChange = performance.now();
  for (;;) {
    await wait(250);
    const stood = progress() === last;
    if (!stood) {
      last = progress();
      lastChange = performance.now();
      continue;
    }
    const messages = await log.all();
    const stuck = performance.now() - lastChange > stuckMs;
    if (stuck || (progress() === last && !messages.some(({ state }) => underWay.includes(state)))) return messages;
  }
}
