/** `/unmatched`, for operators: receipts without a message, candidates for each, and matching by hand. */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, success } from '../../http/exchange.ts';
import { fieldFaults, refusalAnswer } from '../../http/portal/answers.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { answers, ownBody } from '../../http/route.ts';
import { list } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { ReceiptName } from '../../messaging/store/receipt-match-items.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { CandidateView, UnmatchedService } from './unmatched-service.ts';
import { noReceipt } from './unmatched-service.ts';
import { keptReceipt, matchedReceipt, receiptCandidates } from './unmatched-shapes.ts';

const states: readonly Receipt['state'][] = ['delivered', 'undelivered', 'interim'];
const partMax = 255;

export function unmatchedRoutes(unmatched: UnmatchedService): PortalModule {
  return (routes) => {
    routes.add({
      method: 'GET',
      path: '/unmatched',
      access: 'operator',
      answer: answers(list(keptReceipt), 'Receipts that match nothing, as they came'),
      work: async () => {
        const receipts = await unmatched.list();
        return success(
          `${counted(receipts.length, 'receipt matches', 'receipts match')} no message.`,
          receipts.map(shownReceipt),
        );
      },
    });

    // A body, not a query: the carrier's id may be any text, and handsets' numbers do not belong in URLs.
    routes.add({
      method: 'POST',
      path: '/unmatched/candidates',
      access: 'operator',
      body: ownBody(null),
      answer: answers(receiptCandidates, 'Segments that it may be about, likely ones first'),
      work: async ({ body }) => {
        const read = receiptName(body);
        if (!read.ok) return read.answer;
        const { messageId } = body as { messageId?: unknown };
        const named = typeof messageId === 'string' && messageId.trim() !== '' ? messageId.trim() : null;
        const found = await unmatched.candidates(read.name, named);
        if (found === null) return refusalAnswer(noReceipt);
        return success(
          `${counted(found.candidates.length, 'segment')} of messages that it may be about, likely ones first.`,
          {
            receipt: shownReceipt(found.receipt),
            candidates: found.candidates.map(shownCandidate),
          },
        );
      },
    });

    routes.add({
      method: 'POST',
      path: '/unmatched/match',
      access: 'operator',
      body: ownBody(null),
      answer: answers(matchedReceipt, 'What the receipt did'),
      work: async ({ body, person }) => {
        const read = receiptName(body);
        if (!read.ok) return read.answer;
        const { messageId, part } = body as { messageId?: unknown; part?: unknown };
        if (typeof messageId !== 'string' || messageId === '') return fieldFaults({ messageId: 'Name the message.' });
        if (!Number.isInteger(part) || (part as number) < 1 || (part as number) > partMax) {
          return fieldFaults({ part: `Name a segment: a whole number from 1 to ${partMax}.` });
        }
        const matched = await unmatched.match(person, { receipt: read.name, messageId, part: part as number });
        if (matched.kind !== 'done') return refusalAnswer(matched);
        const { moved } = matched;
        const detail =
          moved === null
            ? 'The receipt is recorded with its segment; the state of the message does not change.'
            : `The message is ${moved} now.`;
        return success(detail, { moved });
      },
    });
  };
}

function receiptName(body: unknown): { ok: true; name: ReceiptName } | { ok: false; answer: Answer<never> } {
  const { receipt } = (body ?? {}) as { receipt?: unknown };
  const { carrier, carrierMessageId, to, state } = (receipt ?? {}) as Record<string, unknown>;
  const isOne =
    typeof carrier === 'string' &&
    typeof carrierMessageId === 'string' &&
    (to === null || typeof to === 'string') &&
    states.includes(state as Receipt['state']);
  if (!isOne) {
    const sentence = 'The body needs "receipt" with carrier, carrierMessageId, to (digits or null) and state.';
    return { ok: false, answer: fieldFaults({ receipt: sentence }) };
  }
  return { ok: true, name: { carrier, carrierMessageId, to, state: state as Receipt['state'] } };
}

function shownReceipt({ idKeys: _, ...receipt }: Receipt) {
  return { ...receipt, receivedAt: isoTime(receipt.receivedAt) };
}

function shownCandidate(candidate: CandidateView) {
  const { acceptedAt, handedOverAt, ...rest } = candidate;
  return { ...rest, acceptedAt: isoTime(acceptedAt), handedOverAt: isoTime(handedOverAt) };
}
