/**
 * Judges whether an unmatched receipt may be assigned to a message by hand, with arguments for and against. Pure. Of
 * the text it reveals only whether the beginning matches.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, MessageId } from '../kernel/ids.ts';
import { carrierIdKey, carrierIdKeys } from './carrier-id.ts';
import type { Receipt } from './delivery.ts';
import type { DeliveryState, PartState } from './lifecycle.ts';
import { writtenId } from './nameless-receipt.ts';

/** Marks the event of a receipt that a person assigned to a message. */
export const matchedByHand = 'Matched by hand.';

/** A part of a message that the receipt may belong to. */
export interface MatchCandidate {
  messageId: MessageId;
  accountId: AccountId;
  from: string;
  to: string;
  carrier: string;
  state: DeliveryState;
  part: number;
  partCount: number;
  /** Null: the part is not stored, because the carrier never answered its submission. */
  partState: PartState | null;
  carrierMessageId: string | null;
  /** Number of parts that are not stored. */
  partsMissing: number;
  acceptedAt: EpochMs;
  /** When the carrier took the part; if unknown, when the message last changed. */
  handedOverAt: EpochMs;
}

/** Why a receipt cannot be assigned to a part. */
export type MatchFault =
  | 'other carrier'
  | 'other handset'
  | 'answered'
  | 'being sent'
  | 'not handed over'
  | 'several missing'
  | 'nothing new';

type MatchReceipt = Pick<Receipt, 'carrier' | 'to' | 'state'>;

/** Null when it may be assigned. The same rules as for automatic matches, except for the id. */
export function matchFault(receipt: MatchReceipt, candidate: MatchCandidate): MatchFault | null {
  const { carrier, to, state, partState, partsMissing } = candidate;
  if (carrier !== receipt.carrier) return 'other carrier';
  if (receipt.to !== null && receipt.to !== to) return 'other handset';
  const isInDoubt = state === 'uncertain' || state === 'held';
  if (partState === null) {
    if (state === 'sending') return 'being sent';
    if (!isInDoubt) return 'not handed over';
    return partsMissing > 1 ? 'several missing' : null;
  }
  if (partState !== 'accepted') return 'answered';
  return receipt.state === 'interim' && !isInDoubt ? 'nothing new' : null;
}

/** Evidence for it, against it, or neutral. */
export interface Clue {
  speaks: 'for' | 'against' | 'neither';
  what:
    | 'same handset'
    | 'no handset named'
    | 'waits for its receipt'
    | 'never answered'
    | 'over already'
    | 'other form of the id'
    | 'id contained'
    | 'other id'
    | 'no id on record'
    | 'before the message'
    | 'after the message'
    | 'submit date fits'
    | 'submit date differs'
    | 'text fits'
    | 'text differs';
  /** For `after the message` and `before the message`: the distance in ms. */
  byMs?: number;
}

/** Carriers write local times without a zone; their clocks may be off by this much. */
const submitSlackMs = 2 * 60_000;
const quarterHourMs = 15 * 60_000;
/** A receipt may arrive before the answer to the submission. */
const overtakesMs = 60_000;
/** Fewer common characters prove nothing. */
const idCharactersMin = 6;

export function cluesOf(receipt: Receipt, candidate: MatchCandidate, text: string | null): Clue[] {
  const clues: Clue[] = [
    receipt.to === null ? clue('neither', 'no handset named') : clue('for', 'same handset'),
    stateClue(candidate),
    idClue(receipt, candidate),
  ];
  const lateMs = receipt.receivedAt - candidate.handedOverAt;
  clues.push(
    lateMs < -overtakesMs
      ? { speaks: 'against', what: 'before the message', byMs: -lateMs }
      : { speaks: 'neither', what: 'after the message', byMs: Math.max(0, lateMs) },
  );
  const submitted = submitDateOf(receipt.raw);
  if (submitted !== null) {
    const fits = isAlikeButForTheZone(submitted, candidate.handedOverAt);
    clues.push(fits ? clue('for', 'submit date fits') : clue('against', 'submit date differs'));
  }
  const begins = textOf(receipt.raw);
  if (begins !== null && text !== null && text !== '') {
    const fits = text.startsWith(begins);
    clues.push(fits ? clue('for', 'text fits') : clue('neither', 'text differs'));
  }
  return clues;
}

function clue(speaks: Clue['speaks'], what: Clue['what']): Clue {
  return { speaks, what };
}

function stateClue({ partState, state }: MatchCandidate): Clue {
  if (partState === null) return clue('for', 'never answered');
  const isOver = ['failed', 'undelivered', 'delivered', 'expired', 'canceled'].includes(state);
  return isOver ? clue('against', 'over already') : clue('for', 'waits for its receipt');
}

function idClue(receipt: Receipt, { carrierMessageId }: MatchCandidate): Clue {
  if (carrierMessageId === null || carrierMessageId === '') return clue('neither', 'no id on record');
  const onRecord = carrierIdKey(carrierMessageId);
  const written = writtenId(receipt.carrierMessageId);
  if (written === '') return clue('neither', 'no id on record');
  const named = carrierIdKey(written);
  const forms = new Set(carrierIdKeys(carrierMessageId, 'auto'));
  if (carrierIdKeys(receipt.carrierMessageId, 'auto').some((key) => forms.has(key))) {
    return clue('for', 'other form of the id');
  }
  const [short, long] = onRecord.length < named.length ? [onRecord, named] : [named, onRecord];
  return short.length >= idCharactersMin && long.includes(short)
    ? clue('for', 'id contained')
    : clue('against', 'other id');
}

/** `submit date:YYMMDDhhmm` with or without seconds, read as UTC (SMPP 3.4, appendix B); null when there is none. */
export function submitDateOf(raw: string): EpochMs | null {
  const found = /submit[ _]?date\s*:\s*(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?/i.exec(raw);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map((digits) => Number(digits ?? 0));
  return Date.UTC(2000 + year!, month! - 1, day!, hour!, minute!, second!);
}

/** Whether two times differ only by a time zone: a multiple of a quarter of an hour, at most 14 hours. */
function isAlikeButForTheZone(written: EpochMs, at: EpochMs): boolean {
  const apart = written - at;
  const off = Math.abs(apart - Math.round(apart / quarterHourMs) * quarterHourMs);
  return Math.abs(apart) <= 14 * 3_600_000 + submitSlackMs && off <= submitSlackMs;
}

/** The beginning of the text, as the receipt quotes it; null when it quotes none. */
function textOf(raw: string): string | null {
  const text = /\btext\s*:(.*)$/is.exec(raw)?.[1]?.trim() ?? '';
  return text === '' ? null : text;
}
