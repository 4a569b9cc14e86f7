/**
 * Matches receipts to messages by hand: candidates with arguments for and against, and the operator's choice. Shows no
 * text, only whether its beginning fits.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { MessageId } from '../../kernel/ids.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { FoundCandidate, ReceiptName } from '../../messaging/store/receipt-match-items.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { auditEntryOf, type Person, type Refusal } from '../../model/person.ts';
import { type Clue, cluesOf, type MatchCandidate, type MatchFault, matchFault } from '../../model/receipt-match.ts';

export interface CandidateView extends MatchCandidate {
  accountName: string;
  /** Null when the receipt may be assigned to it; else a sentence that says why not. */
  refusal: string | null;
  clues: Clue[];
}

export interface UnmatchedService {
  list(): Promise<Receipt[]>;
  /** Likely ones first. `messageId`: only this message. Null when the receipt is no longer stored. */
  candidates(
    receipt: ReceiptName,
    messageId: MessageId | null,
  ): Promise<{ receipt: Receipt; candidates: CandidateView[] } | null>;
  match(
    person: Person,
    request: { receipt: ReceiptName; messageId: MessageId; part: number },
  ): Promise<{ kind: 'done'; moved: string | null } | Refusal>;
}

const listMax = 500;
const shownMax = 20;

export function createUnmatchedService(parts: {
  clock: Clock;
  directory(): Directory;
  store: Pick<MessageStore, 'unmatchedReceipts' | 'receiptCandidates' | 'matchReceipt'>;
}): UnmatchedService {
  const { clock, directory, store } = parts;

  function view(receipt: Receipt, { text, ...candidate }: FoundCandidate): CandidateView {
    const fault = matchFault(receipt, candidate);
    return {
      ...candidate,
      accountName: directory().account(candidate.accountId)?.name ?? candidate.accountId,
      refusal: fault === null ? null : faultWords[fault],
      clues: cluesOf(receipt, candidate, text),
    };
  }

  return {
    list: () => store.unmatchedReceipts(listMax),
    async candidates(name, messageId) {
      const found = await store.receiptCandidates({ receipt: name, messageId });
      if (found === null) return null;
      const { receipt } = found;
      const views = found.candidates.map((candidate) => view(receipt, candidate));
      const apart = (one: CandidateView) => Math.abs(receipt.receivedAt - one.handedOverAt);
      views.sort((a, b) => likelihood(b) - likelihood(a) || apart(a) - apart(b));
      return { receipt, candidates: views.slice(0, shownMax) };
    },
    async match(person, { receipt, messageId, part }) {
      const target = `${receipt.carrier} ${receipt.carrierMessageId}`.trim();
      const audit = auditEntryOf(person, clock.now(), { what: 'carrier.receipt_matched', target });
      const outcome = await store.matchReceipt({ receipt, messageId, part, audit });
      switch (outcome.kind) {
        case 'matched':
          return { kind: 'done', moved: outcome.moves.at(-1)?.state ?? null };
        case 'no receipt':
          return noReceipt;
        case 'no message':
          return { kind: 'missing', detail: 'There is no sent message with this id and segment.' };
        case 'refused':
          return { kind: 'conflict', detail: `${faultWords[outcome.fault]} Nothing was changed.` };
      }
    },
  };
}

/** Impossible ones come last, whatever the evidence. */
function likelihood({ refusal, clues }: CandidateView): number {
  const count = (speaks: Clue['speaks']) => clues.filter((one) => one.speaks === speaks).length;
  return count('for') - count('against') - (refusal === null ? 0 : 100);
}

export const noReceipt: Refusal = {
  kind: 'conflict',
  detail:
    'This receipt is not kept any more: it found its message meanwhile, or its 24 hours are over. Nothing was changed.',
};

const faultWords: Readonly<Record<MatchFault, string>> = {
  'other carrier': 'It went over another carrier than the one this receipt came from.',
  'other handset': 'It went to another handset than the one this receipt speaks of.',
  answered: 'It has its last word already, and that is never taken back.',
  'being sent': 'It is being handed over at this moment; its own answer comes first.',
  'not handed over': 'It was never handed to the carrier, so no receipt can speak of it.',
  'several missing': 'Several of its segments were never answered, so nobody can say which one this is.',
  'nothing new': 'The receipt only says that the message is on its way, which is known; it would change nothing.',
};
