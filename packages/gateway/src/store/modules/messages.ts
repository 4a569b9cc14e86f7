/** Messages on their way: accepted, claimed, settled, and what receipts and time make of them. */

import type { AcceptItem, ClaimRequest, SweepRequest, SweepResult } from '../items.ts';
import { one, type StoreOf, storeModule } from '../module.ts';
import { accept, answerFor } from '../operations/accept.ts';
import { carrierErrors } from '../operations/carrier-errors.ts';
import { claim, unfoldClaims } from '../operations/claim.ts';
import { decide, relane } from '../operations/desk.ts';
import { nextDueAt, queueCounts, queued, queuedLanes } from '../operations/queue.ts';
import { matchReceipt, receiptCandidates } from '../operations/receipt-match.ts';
import { receipts, unmatchedReceipts } from '../operations/receipts.ts';
import { settle } from '../operations/settle.ts';
import { nothingOverdue, overdue, recover, sweep } from '../operations/sweep.ts';
import { message, messages } from '../operations/view.ts';

/** Nothing is in memory for so long before the newest commit, and no validity is shorter than twice this. */
const lateAfterMs = 30_000;

export const messageStore = storeModule({
  name: 'messages',
  writes: {
    accept: {
      run: accept,
      stage: 'accept',
      journal: 'kept',
      sends: true,
      rows: ({ deliveries }: AcceptItem) => 1 + deliveries.length,
    },
    settle: { run: settle, stage: 'settle', journal: 'kept', events: true, whole: true },
    receipts: { run: receipts, stage: 'settle', events: true },
    recover: { run: recover, stage: 'settle', events: true },
    sweep: { run: sweep, stage: 'settle', events: true },
    decide: { run: decide, stage: 'settle', events: true },
    matchReceipt: { run: matchReceipt, stage: 'settle', events: true },
    relane: { run: relane, stage: 'settle' },
    claim: { run: claim, stage: 'claim', journal: 'kept' },
  },
  reads: {
    overdue: { run: overdue, needs: (_, sinceCommitMs) => (sinceCommitMs >= lateAfterMs ? 'newest' : 'nothing') },
    queued: { run: queued },
    queueCounts: { run: queueCounts },
    queuedLanes: { run: queuedLanes, needs: 'nothing' },
    nextDueAt: { run: nextDueAt, needs: 'nothing' },
    answerFor: { run: answerFor, needs: 'nothing' },
    message: { run: message },
    messages: { run: messages },
    unmatchedReceipts: { run: unmatchedReceipts },
    receiptCandidates: { run: receiptCandidates },
    carrierErrors: { run: carrierErrors },
  },
  verbs: (on) => ({
    claim: async (request: ClaimRequest) => unfoldClaims((await on.claim([request]))[0]!),
    receipts: async (items: Parameters<typeof on.receipts>[0]) => (await on.receipts(items)).flat(),
    recover: one(on.recover),
    async sweep(request: SweepRequest): Promise<SweepResult> {
      const found = await on.overdue(request);
      const moves = nothingOverdue(found) ? [] : (await on.sweep([found]))[0]!;
      return { moves, more: found.more };
    },
    decide: one(on.decide),
    matchReceipt: one(on.matchReceipt),
    async relane(moves: { messageId: string; lane: string }[], now: number) {
      return (await on.relane(moves.map((move) => ({ ...move, now })))).filter((moved) => moved).length;
    },
  }),
});

export interface ReceiptMatchStore
  extends Pick<StoreOf<typeof messageStore>, 'carrierErrors' | 'receiptCandidates' | 'matchReceipt'> {}
