/**
 * Finds the wire log entries of a message, in the simulated carrier's log or a carrier's PDU log: by the carrier's
 * part ids, or for a refused attempt by numbers and time.
 */
import type { CarrierAdapter } from '../../carriers/kind.ts';
import { kindNamed } from '../../carriers/kinds.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import type { TimelineEvent } from '../../model/delivery.ts';
import type { LoggedPdu } from '../../model/logged-pdu.ts';
import type { MessageView } from '../../model/message-view.ts';
import type { WireEntry } from '../../model/sandbox-wire.ts';

/** One PDU, mail or HTTP message on the wire, from either log. */
export interface SeenPdu {
  at: EpochMs;
  direction: 'out' | 'in';
  command: string;
  sequence: string | null;
  status: string | null;
  own: string | null;
  handset: string | null;
  /** The carrier's id of the message. */
  carrierMessageId: string | null;
  isReceipt: boolean;
  fields: Readonly<Record<string, string | number>>;
  /** Its text; null where texts are not logged. */
  text: string | null;
  /** All octets; null where they are not logged, or were too many. */
  hex: string | null;
}

/** `event`: the sequence of the timeline event that it belongs to. */
export type PlacedPdu = Omit<SeenPdu, 'own' | 'handset' | 'isReceipt'> & { event: number };

/** An attempt and its log entry do not have exactly the same time. */
const slackMs = 50;

/** The carrier's kind parses the octets. */
export async function fromWire(entries: readonly WireEntry[]): Promise<SeenPdu[]> {
  const readers = new Map<string, CarrierAdapter['fieldsOf']>();
  for (const link of new Set(entries.map((entry) => entry.link))) {
    const adapter = await kindNamed(link)?.open();
    readers.set(link, adapter?.fieldsOf);
  }
  return entries.map((entry) => {
    const isWhole = entry.sizeBytes > 0 && entry.hex.length === 2 * entry.sizeBytes;
    const fields = isWhole ? readers.get(entry.link)?.(Buffer.from(entry.hex, 'hex')) : null;
    return {
      at: entry.at,
      direction: entry.direction === 'to_carrier' ? 'out' : 'in',
      command: entry.command,
      sequence: entry.sequence,
      status: entry.status,
      own: entry.own,
      handset: entry.handset,
      carrierMessageId: entry.messageId,
      isReceipt: entry.direction === 'to_gateway' && entry.messageId !== null && !answers.test(entry.command),
      fields: fields ?? plainFields(entry),
      text: entry.text,
      hex: isWhole ? entry.hex : null,
    };
  });
}

export function fromPduLog(entries: readonly LoggedPdu[]): SeenPdu[] {
  return entries.map((entry) => {
    const { source_addr, destination_addr, message_id, short_message } = entry.fields;
    const [own, handset] =
      entry.direction === 'out' ? [source_addr, destination_addr] : [destination_addr, source_addr];
    const receiptId = /^id:(\S+)/.exec(String(short_message ?? ''))?.[1] ?? null;
    return {
      at: entry.at,
      direction: entry.direction,
      command: entry.command,
      status: entry.status,
      // Sequence numbers are unique only within a bind.
      sequence: entry.sequence === null ? null : `${entry.bind}/${entry.sequence}`,
      own: textOf(own),
      handset: textOf(handset),
      carrierMessageId: receiptId ?? textOf(message_id),
      isReceipt: receiptId !== null,
      fields: entry.fields,
      text: null,
      hex: entry.hex,
    };
  });
}

const answers = /(?:_resp|Rsp|\.RES)$/;

/** Oldest first. */
export function pdusOf(message: MessageView, pdus: readonly SeenPdu[]): PlacedPdu[] {
  const ids = new Set(message.parts.map(({ carrierMessageId }) => carrierMessageId).filter((id) => id !== ''));
  const exchanges = pairsOf(pdus);
  const placed: PlacedPdu[] = [];
  const place = (pdus: readonly SeenPdu[], event: number): void => {
    for (const { own: _, handset: __, isReceipt: ___, ...pdu } of pdus) placed.push({ ...pdu, event });
  };
  for (const { request, answer } of exchanges) {
    const pdus = answer === null ? [request] : [request, answer];
    if (request.isReceipt) {
      if (ids.has(request.carrierMessageId ?? '')) place(pdus, receiptEvent(message));
    } else if (request.direction === 'out') {
      const id = answer?.carrierMessageId ?? null;
      const event =
        id !== null && id !== '' ? (ids.has(id) ? endOfTry(message, request.at) : null) : refused(message, request);
      if (event !== null) place(pdus, event);
    }
  }
  return placed.sort((a, b) => a.at - b.at);
}

interface Pair {
  request: SeenPdu;
  answer: SeenPdu | null;
}

/** Pairs requests with answers: the next entry with the same sequence in the other direction. */
function pairsOf(pdus: readonly SeenPdu[]): Pair[] {
  const open = new Map<string, Pair>();
  const pairs: Pair[] = [];
  for (const pdu of pdus) {
    const way = (direction: SeenPdu['direction']) => `${direction} ${pdu.sequence}`;
    if (answers.test(pdu.command)) {
      const opened = open.get(way(pdu.direction === 'in' ? 'out' : 'in'));
      if (opened !== undefined && pdu.sequence !== null) opened.answer ??= pdu;
      continue;
    }
    const pair: Pair = { request: pdu, answer: null };
    pairs.push(pair);
    if (pdu.sequence !== null) open.set(way(pdu.direction), pair);
  }
  return pairs;
}

interface Try {
  from: EpochMs;
  until: EpochMs;
  end: TimelineEvent;
}

/** From `sending` to the next event. */
function triesOf({ events }: MessageView): Try[] {
  return events.flatMap((event, i) => {
    if (event.state !== 'sending') return [];
    const end = events[i + 1] ?? event;
    return [{ from: event.at - slackMs, until: (events[i + 1]?.at ?? Number.POSITIVE_INFINITY) + slackMs, end }];
  });
}

function endOfTry(message: MessageView, at: EpochMs): number {
  const tries = triesOf(message);
  const found = tries.find(({ from, until }) => at >= from && at <= until) ?? tries.at(-1);
  return found?.end.sequence ?? message.events.at(-1)!.sequence;
}

/** Without an id, only numbers and time identify its message. */
function refused(message: MessageView, { own, handset, at }: SeenPdu): number | null {
  if (own !== message.from || handset !== message.to) return null;
  const found = triesOf(message).find(({ from, until, end }) => at >= from && at <= until && end.state !== 'sent');
  return found?.end.sequence ?? null;
}

function receiptEvent({ events }: MessageView): number {
  const end = events.findLast(({ state }) => state === 'delivered' || state === 'undelivered');
  return (end ?? events.at(-1)!).sequence;
}

function plainFields({ data_coding, esm_class, own, handset, messageId, sizeBytes }: WireEntry) {
  const known = { own, handset, messageId, data_coding, esm_class, sizeBytes };
  return Object.fromEntries(
    Object.entries(known).filter((field): field is [string, string | number] => field[1] !== null),
  );
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}
