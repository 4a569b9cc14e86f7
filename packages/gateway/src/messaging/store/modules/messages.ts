/** The path of a message: accept, claim, settle, receipts, expiry. */
import type { LaneId, MessageId } from '../../../kernel/ids.ts';
import { ownedDuty } from '../../../model/duty.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { allDone, one, type StoreOf, storeModule } from '../../../store/module.ts';
import type { AcceptItem, ClaimRequest, SweepRequest, SweepResult } from '../items.ts';
import { accept, answerFor } from '../operations/accept.ts';
import { carrierErrors } from '../operations/carrier-errors.ts';
import { claim, unfoldClaims } from '../operations/claim.ts';
import { earlyReceipts, lookUpReceipts } from '../operations/foreign-receipts.ts';
import {
  decide,
  nextDueAt,
  noneDue,
  queueCounts,
  queued,
  queuedLanes,
  relane,
  workingLanes,
} from '../operations/queue.ts';
import { matchReceipt, receiptCandidates } from '../operations/receipt-match.ts';
import { knownReceipts, type ReceiptOutcome, receipts, unmatchedReceipts } from '../operations/receipts.ts';
import { treatWaitingSteps } from '../operations/restored.ts';
import { settle } from '../operations/settle.ts';
import { nothingOverdue, overdue, recover, sweep } from '../operations/sweep.ts';
import { message, messages } from '../operations/view.ts';

/** Nothing stays in memory this long before the newest commit, and no validity is shorter than twice this. */
const lateAfterMs = 30_000;

export const messageStore = storeModule({
  name: 'messages',
  writes: {
    /**
     * One message with its deliveries (states `accepted` then `queued`, an event each) and its idempotency row. An MMS gets a
     * media job, due at once; its deliveries are due when that is done.
     */
    accept: {
      run: accept,
      stage: 'accept',
      journal: 'kept',
      sends: true,
      shares: true,
      rows: ({ deliveries }: AcceptItem) => 1 + deliveries.length,
    },
    /**
     * Ends the try of `sending` deliveries, writes their parts and events, and applies early receipts. A settlement
     * whose attempt or token is no longer current is ignored. Returns, for each, the new states of its delivery; none
     * if it was ignored.
     */
    settle: {
      run: settle,
      stage: 'settle',
      journal: 'kept',
      events: (states: readonly DeliveryState[]) =>
        states.length === 1 && states[0] === 'sent' ? 'message.sent' : null,
      whole: true,
      unhurried: true,
    },
    receipts: {
      run: receipts,
      stage: 'settle',
      journal: 'behind',
      events: ({ moves }: ReceiptOutcome) => (moves.length === 1 ? `message.${moves[0]!.state}` : null),
    },
    knownReceipts: { run: knownReceipts, stage: 'settle', journal: 'behind', events: true },
    lookUpReceipts: { run: lookUpReceipts, stage: 'settle', journal: 'behind', events: true },
    earlyReceipts: { run: earlyReceipts, stage: 'settle', journal: 'behind', events: true },
    recover: { run: recover, stage: 'settle', events: true },
    sweep: { run: sweep, stage: 'settle', events: true, owned: ownedDuty('sweeper') },
    decide: { run: decide, stage: 'settle', events: true },
    matchReceipt: { run: matchReceipt, stage: 'settle', events: true },
    relane: { run: relane, stage: 'settle' },
    treatWaiting: { run: treatWaitingSteps, stage: 'settle', events: true },
    claim: { run: claim, stage: 'claim', journal: 'kept', idles: true, whenIdle: noneDue },
  },
  reads: {
    overdue: { run: overdue, needs: (_, sinceCommitMs) => (sinceCommitMs >= lateAfterMs ? 'newest' : 'nothing') },
    /** Waiting deliveries of a lane, oldest first, for moving them to another carrier. */
    queued: { run: queued },
    queueCounts: { run: queueCounts },
    /** Lanes with waiting deliveries; a lane may be missing for up to ten seconds after an acceptance. */
    queuedLanes: { run: queuedLanes, needs: 'nothing' },
    /** Lanes with deliveries that have a deadline, for `sweep`; the same holds for these. */
    workingLanes: { run: workingLanes, needs: 'nothing' },
    /** The earliest due time after `now` of queued and uncertain deliveries, to set a timer. */
    nextDueAt: { run: nextDueAt, needs: 'nothing' },
    /**
     * The stored answer of an idempotency key that is still kept, so that a repeat gets it whatever has changed since.
     */
    answerFor: { run: answerFor, needs: 'nothing' },
    /** One message of the account, in either direction; null when it does not exist or belongs to another account. */
    message: { run: message },
    /**
     * Received or sent messages, newest first and before the message id `before`; or, with `after`, oldest first and
     * after it.
     */
    messages: { run: messages },
    /** Receipts that match no part (yet), newest first; for the operator. They are kept until `sweep` deletes them. */
    unmatchedReceipts: { run: unmatchedReceipts },
    receiptCandidates: { run: receiptCandidates },
    carrierErrors: { run: carrierErrors },
  },
  verbs: (on) => ({
    /** Moves due deliveries of a lane from `queued` to `sending` with an event, oldest due first; skips those past validity. */
    claim: async (request: ClaimRequest) => unfoldClaims((await on.claim([request]))[0]!),
    /**
     * Matches receipts to parts by (carrier, id key, handset) and moves the deliveries that they settle; keeps
     * unmatched ones. Two candidates count as no match. The same receipt twice makes one event. With an unknown id it
     * may prove the one uncertain or held delivery of this carrier to this handset, if there is exactly one, exactly one
     * of its parts has no recorded id, and the receipt can be about nothing else (`matchByProof`).
     */
    receipts: async (items: Parameters<typeof on.receipts>[0]) =>
      (await on.receipts(items)).flatMap(({ moves }) => moves),
    /**
     * Applies receipts whose id is recorded; for the others, returns whether a message may still be theirs, and stores
     * nothing.
     */
    lookUpReceipts: async (items: Parameters<typeof on.lookUpReceipts>[0]) =>
      (await on.lookUpReceipts(items)).map(({ status }) => status),
    /** Applies receipts whose id is recorded and keeps the others. */
    earlyReceipts: allDone(on.earlyReceipts),
    /**
     * After a start: every delivery left in `sending` by an older token becomes `uncertain` (cause `broken`), due at `dueAt`,
     * or later when it was repeated before. Idempotent.
     */
    recover: one(on.recover),
    /**
     * Time-based moves: queued past validity → expired, or unconfirmed (`UNCERTAIN`) when it is a repeat; uncertain
     * past due → queued with dupRisk (same lane) while repeats are left, held where none is allowed, unconfirmed
     * (`UNCERTAIN`) when its validity is over; sent past the wait for a receipt → unconfirmed (`NO_RECEIPT`).
     */
    async sweep(request: SweepRequest): Promise<SweepResult> {
      const found = await on.overdue(request);
      const moves = nothingOverdue(found) ? [] : (await on.sweep([found]))[0]!;
      return { moves, more: found.more };
    },
    /** Moves a held or queued delivery: `queued` again (marked dupRisk) or `canceled`. False when nothing was moved. */
    decide: one(on.decide),
    matchReceipt: one(on.matchReceipt),
    /** One step over the waiting messages of a restored or promoted store; call again with its cursor. */
    treatWaiting: one(on.treatWaiting),
    /** Moves queued deliveries to another lane (failover); returns how many. Others stay as they are. */
    async relane(moves: { messageId: MessageId; lane: LaneId }[], now: number) {
      return (await on.relane(moves.map((move) => ({ ...move, now })))).filter((moved) => moved).length;
    },
  }),
});

/** `overdue` is the first step of `sweep`. */
export interface MessageStore extends Omit<StoreOf<typeof messageStore>, 'overdue'> {}
