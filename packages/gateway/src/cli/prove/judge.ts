/**
 * The judge of crash runs: compares the acknowledged messages, the carrier's copies and the gateway's records. Pure.
 * Lost = acknowledged, but neither taken by the carrier nor ended or held with a reason.
 */

/** The fields of a stored message that the judge needs. */
export interface JudgedMessage {
  messageId: string;
  to: string;
  state: string;
  code: string | null;
  dupRisk: boolean;
}

export interface Evidence {
  /** Destination → messageId, recorded by the client outside the system. */
  acknowledged: ReadonlyMap<string, string>;
  /** Destination → copies that the carrier accepted, counted by the carrier. */
  copies: ReadonlyMap<string, number>;
  /** Every message from the API; null for a gateway without such an API. */
  messages: readonly JudgedMessage[] | null;
}

export interface Verdict {
  acknowledged: number;
  /** Different destinations at the carrier. */
  received: number;
  /** Destinations, each with the gateway's record. */
  lost: string[];
  /** Acknowledged destinations without a record, whether or not the carrier took them. */
  unrecorded: string[];
  /** Destinations that got more than one copy. */
  doubled: number;
  /** Copies beyond the first. */
  duplicates: number;
  /** Destinations that got a second copy without `dupRisk`. */
  unflaggedDuplicates: string[];
  /** Acknowledged, not taken by the carrier, and ended or held with a reason. */
  accountedFor: number;
  /** Taken by the carrier but never acknowledged: the answer was lost with the process. */
  unacknowledged: number;
}

/** States in which a message may never reach the carrier, if a code gives the reason. */
const endedWithoutSending: readonly string[] = ['failed', 'held', 'expired', 'canceled'];

/** States in which the gateway will still process a message by itself. */
export const statesUnderWay: readonly string[] = ['accepted', 'queued', 'sending', 'uncertain'];

export function judge({ acknowledged, copies, messages }: Evidence): Verdict {
  const byId = new Map(messages?.map((message) => [message.messageId, message]));
  const flagged = new Set(messages?.filter((message) => message.dupRisk).map((message) => message.to));
  const away = [...acknowledged].filter(([destination]) => !copies.has(destination));
  const lost = away.filter(([, messageId]) => {
    const message = byId.get(messageId);
    return message === undefined || !endedWithoutSending.includes(message.state) || message.code === null;
  });
  const unrecorded = messages === null ? [] : [...acknowledged].filter(([, messageId]) => !byId.has(messageId));
  const doubled = [...copies].filter(([, count]) => count > 1);
  return {
    acknowledged: acknowledged.size,
    received: copies.size,
    unrecorded: unrecorded.map(([destination]) => destination),
    lost: lost.map(([destination, messageId]) =>
      messages === null ? destination : `${destination} ${recordOf(byId.get(messageId))}`,
    ),
    doubled: doubled.length,
    duplicates: doubled.reduce((sum, [, count]) => sum + count - 1, 0),
    unflaggedDuplicates: doubled.map(([destination]) => destination).filter((destination) => !flagged.has(destination)),
    accountedFor: away.length - lost.length,
    unacknowledged: [...copies.keys()].filter((destination) => !acknowledged.has(destination)).length,
  };
}

function recordOf(message: JudgedMessage | undefined): string {
  return message === undefined ? 'is not on record' : `is ${message.state} ${message.code ?? 'without a code'}`;
}
