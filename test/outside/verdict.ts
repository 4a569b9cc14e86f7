/** What an application, a carrier and handsets may expect of gateways that are killed and paused, judged by what they saw themselves. */
import type { OwnMessage, Seen, Send } from './application.ts';
import type { Arrival, Handed } from './carrier.ts';

export interface Reply extends Handed {
  from: string;
  text: string;
}

export interface Evidence {
  sends: readonly Send[];
  arrivals: readonly Arrival[];
  messages: readonly OwnMessage[];
  seen: readonly Seen[];
  replies: readonly Reply[];
  /** Handset → when its STOP was acknowledged. */
  optedOut: ReadonlyMap<string, number>;
  /** So many texts may have been with carriers, all together, when gateways and their database ended. */
  inDoubtMax: number;
}

export interface Verdict {
  acknowledged: number;
  copies: number;
  /** Requests that were sent more than once. */
  repeated: number;
  /** In words; none when everything held. */
  broken: string[];
}

/** A submission that had left before the STOP was stored may be read a moment after its acknowledgement. */
const onItsWayMs = 250;

export function judge(evidence: Evidence): Verdict {
  const { sends, arrivals, messages, seen, replies, optedOut, inDoubtMax } = evidence;
  const texts = Map.groupBy(arrivals, ({ to, text }) => `${to} ${text}`);
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  const accepted = sends.flatMap(({ answer, text }) =>
    (answer?.results ?? []).filter(({ status }) => status === 'SUCCESS').map((result) => ({ ...result, text })),
  );
  const wasInDoubt = ({ events }: OwnMessage) => events.some(({ state }) => state === 'uncertain');
  const hasOptedOut = (to: string) => optedOut.has(to);
  const rules: [name: string, broken: unknown[]][] = [
    [
      'acknowledged and never at the carrier',
      accepted.filter(({ to, text }) => !texts.has(`${to} ${text}`) && !hasOptedOut(to)),
    ],
    ['acknowledged and not in the list', accepted.filter(({ messageId }) => !byId.has(messageId!))],
    [
      'at the carrier more than once and not flagged',
      accepted.filter(({ to, text, messageId }) => {
        return (texts.get(`${to} ${text}`)?.length ?? 0) > 1 && byId.get(messageId!)?.dupRisk !== true;
      }),
    ],
    [
      'never in doubt, and neither delivered nor stopped by its handset',
      messages.filter((one) => {
        return one.state !== 'delivered' && !wasInDoubt(one) && !(one.state === 'failed' && hasOptedOut(one.to));
      }),
    ],
    [
      'two messages of one recipient under one Idempotency-Key',
      messages.length > countOf(sends) + optedOut.size ? [`${messages.length} of ${countOf(sends)}`] : [],
    ],
    ['refused without a STOP', sends.filter(({ refused, to }) => refused !== null && !to.every(hasOptedOut))],
    ['never answered', sends.filter(({ answer, refused }) => answer === null && refused === null)],
    [
      'taken after an acknowledged STOP',
      sends.filter(({ to, from, answer }) => {
        const isTaken = (one: string) =>
          answer?.results.some((result) => result.to === one && result.status === 'SUCCESS');
        return to.some((one) => from > (optedOut.get(one) ?? Number.POSITIVE_INFINITY) && isTaken(one));
      }),
    ],
    [
      'sent after an acknowledged STOP',
      arrivals.filter(({ to, at, text }) => {
        return at > (optedOut.get(to) ?? Number.POSITIVE_INFINITY) + onItsWayMs && text.startsWith('outside');
      }),
    ],
    ['from an older session of a carrier than the one that sends', fromOlderSessions(arrivals)],
    ['at the carrier and never requested', notRequested(evidence)],
    ['a reply that was acknowledged and is no event, or two', repliesNotOnce(replies, seen)],
    ['delivered, without an event in the feed', withoutEvent(messages, seen)],
  ];
  const copies = [...texts.values()].reduce((sum, same) => sum + same.length - 1, 0);
  if (copies > inDoubtMax) rules.push(['copies, more than were under way', [`${copies} of ${inDoubtMax}`]]);
  return {
    acknowledged: accepted.length,
    copies,
    repeated: sends.filter(({ again }) => again > 0).length,
    broken: rules.filter(([, broken]) => broken.length > 0).map(([name, broken]) => sentence(name, broken)),
  };
}

const countOf = (sends: readonly Send[]): number => sends.reduce((sum, { to }) => sum + to.length, 0);

const sentence = (name: string, broken: readonly unknown[]): string =>
  `${name}: ${broken.length}, the first ${JSON.stringify(broken[0])}`;

function fromOlderSessions(arrivals: readonly Arrival[]): Arrival[] {
  const newest = new Map<string, number>();
  return arrivals.filter(({ carrier, session }) => {
    const last = newest.get(carrier) ?? 0;
    newest.set(carrier, Math.max(last, session));
    return session < last;
  });
}

/** But for the answers to STOP. */
function notRequested({ sends, arrivals, optedOut }: Evidence): Arrival[] {
  const wanted = new Set(sends.flatMap(({ to, text }) => to.map((one) => `${one} ${text}`)));
  return arrivals.filter(({ to, text }) => {
    return !wanted.has(`${to} ${text}`) && !(optedOut.has(to) && !text.startsWith('outside'));
  });
}

/** A reply that was handed over more than once may be two: SMPP has no number by which a gateway could know it again. */
function repliesNotOnce(replies: readonly Reply[], seen: readonly Seen[]): object[] {
  const received = seen.filter(({ type }) => type === 'message.received');
  return replies.flatMap(({ from, text, tries }) => {
    const same = received.filter(({ data }) => data.from === from && data.text === text);
    const count = new Set(same.map(({ data }) => data.messageId)).size;
    return count >= 1 && count <= tries ? [] : [{ from, text, tries, count }];
  });
}

function withoutEvent(messages: readonly OwnMessage[], seen: readonly Seen[]): OwnMessage[] {
  const reported = new Set(seen.filter(({ type }) => type === 'message.delivered').map(({ data }) => data.messageId));
  return messages.filter(({ state, messageId }) => state === 'delivered' && !reported.has(messageId));
}
