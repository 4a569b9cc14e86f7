/**
 * Counts messages, receipts, replies, consent and webhook attempts by what was committed: each once, and only what is
 * on disk.
 */
import type { Clock } from '../../kernel/clock.ts';
import { type MessageId, messageTime } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/metrics.ts';
import type { AcceptItem, AcceptResult, AttemptOutcome, ConsentChange } from '../../messaging/store/items.ts';
import type { MediaPreparation } from '../../messaging/store/media-items.ts';
import type { InboundOutcome } from '../../messaging/store/operations/inbound.ts';
import type { ReceiptOutcome } from '../../messaging/store/operations/receipts.ts';
import type { Transition } from '../../messaging/store/transition.ts';
import type { Decision, Receipt, Settlement } from '../../model/delivery.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import { type OutcomeCode, outcomeCodes } from '../../model/reason.ts';
import { byCarrier, messageKinds, namesOf } from './labels.ts';

/** From a fast commit to a message that waited until morning. */
const wayBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 43_200];
const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const receiptStates = ['delivered', 'undelivered', 'interim'] as const;
/** Outcomes of an uncertain message: `queued` is sent again. */
const resolutions = ['sent', 'delivered', 'undelivered', 'queued', 'held', 'unconfirmed'] as const;
const attemptResults = ['delivered', 'redirect', 'client_error', 'server_error', 'no_answer'] as const;

interface Committed {
  committed(
    calls: readonly { kind: string; items: readonly unknown[] }[],
    results: readonly (readonly unknown[])[],
    tookMs: number,
  ): void;
}

type Count = (items: readonly never[], results: readonly never[]) => void;

export function createMessageMetrics(registry: Registry, { now }: Pick<Clock, 'now'>): Committed {
  const accepted = registry.counter({
    name: 'helio_accepted_total',
    help: 'Messages accepted and stored, one for each recipient.',
    label: { name: 'kind', values: messageKinds },
  });
  const acceptCommit = registry.histogram({
    name: 'helio_accept_commit_seconds',
    help: 'How long the commits took that stored accepted requests.',
    buckets: commitBuckets,
  });
  const batch = registry.histogram({
    name: 'helio_commit_batch_size',
    help: 'How many writes shared one commit.',
    buckets: batchBuckets,
  });
  const failed = registry.counter({
    name: 'helio_failed_total',
    help: 'Messages that failed: refused by the carrier for good, or stopped right before they were sent.',
    label: { name: 'code', values: namesOf<OutcomeCode>(outcomeCodes) },
  });
  const uncertain = registry.counter({
    name: 'helio_uncertain_total',
    help: 'Messages in doubt that were resolved, by what became of them; queued = sent again.',
    label: { name: 'resolution', values: resolutions },
  });
  const dupRisk = registry.counter({
    name: 'helio_dup_risk_total',
    help: 'Messages sent again that may have arrived already: by the policy, or released by a person.',
    label: { name: 'by', values: ['policy', 'person'] },
  });
  const receipts = registry.counters(byCarrier, {
    name: 'helio_receipts_total',
    help: 'Receipts from carriers.',
    label: { name: 'state', values: receiptStates },
  });
  const unmatched = registry.counters(byCarrier, {
    name: 'helio_receipts_unmatched_total',
    help: 'Receipts that matched no message when they came.',
    label: { name: 'state', values: receiptStates },
  });
  const toSent = registry.histogram({
    name: 'helio_accepted_to_sent_seconds',
    help: 'From the acceptance of a message until a carrier took it.',
    buckets: wayBuckets,
  });
  const toDelivered = registry.histogram({
    name: 'helio_accepted_to_delivered_seconds',
    help: 'From the acceptance of a message until its receipt.',
    buckets: wayBuckets,
  });
  const inbound = registry.counter({
    name: 'helio_inbound_total',
    help: 'Messages received from handsets.',
    label: { name: 'kind', values: messageKinds },
  });
  const consent = registry.counter({
    name: 'helio_consent_changes_total',
    help: 'Changes of the opt-out list, by keyword, API, import or hand.',
    label: { name: 'change', values: ['out', 'in'] },
  });
  const attempts = registry.counter({
    name: 'helio_webhook_attempts_total',
    help: 'Attempts to deliver webhooks.',
    label: { name: 'result', values: attemptResults },
  });
  const media = registry.counter({
    name: 'helio_media_jobs_total',
    help: 'Requests whose media were prepared (queued), failed, or were put off (later).',
    label: { name: 'result', values: ['queued', 'failed', 'later'] },
  });

  /** Commit time of the items being counted. */
  let at = 0;
  const sinceAccepted = (messageId: MessageId): number => Math.max(0, at - messageTime(messageId)) / 1_000;

  function reached(messageId: MessageId, state: DeliveryState): void {
    if (state === 'sent') toSent.observe(sinceAccepted(messageId));
    else if (state === 'delivered') toDelivered.observe(sinceAccepted(messageId));
  }

  function moved(moves: readonly Transition[]): void {
    for (const { messageId, from, state } of moves) {
      reached(messageId, state);
      if (from === 'uncertain') uncertain.add(state as (typeof resolutions)[number]);
      if (from === 'uncertain' && state === 'queued') dupRisk.add('policy');
      // A long text with missing parts, passed on without them.
      if (state === 'received') inbound.add('SMS');
    }
  }

  function gotReceipts(items: readonly Receipt[], results: readonly ReceiptOutcome[]): void {
    for (let i = 0; i < items.length; i++) {
      const { carrier, state } = items[i]!;
      receipts(carrier).add(state);
      // Shows 0 from the first receipt on, because a share needs both values.
      unmatched(carrier).add(state, results[i]!.matched ? 0 : 1);
      moved(results[i]!.moves);
    }
  }

  function gotInbound(kind: (typeof messageKinds)[number]) {
    return (items: readonly { messageId: MessageId }[], results: readonly InboundOutcome[]): void => {
      for (let i = 0; i < items.length; i++) {
        const { messageId, change } = results[i]!;
        if (messageId === items[i]!.messageId) inbound.add(kind);
        if (change !== null) consent.add(change.to);
      }
    };
  }

  /** By the name of the write operation; the types are those of its items and results. */
  const counts: Readonly<Record<string, Count>> = {
    accept: (items: readonly AcceptItem[], results: readonly AcceptResult[]) => {
      for (let i = 0; i < items.length; i++) {
        const { message, deliveries } = items[i]!;
        if (results[i]!.kind === 'stored') accepted.add(message.messageType, deliveries.length);
      }
    },
    settle: (items: readonly Settlement[], results: readonly DeliveryState[][]) => {
      for (let i = 0; i < items.length; i++) {
        const { messageId, to, code } = items[i]!;
        const states = results[i]!;
        for (const state of states) reached(messageId, state);
        if (to === 'failed' && states.length > 0) failed.add(code ?? 'UNKNOWN');
      }
    },
    receipts: gotReceipts,
    earlyReceipts: gotReceipts,
    // Those that are not on record are counted where they are kept.
    lookUpReceipts: (items: readonly Receipt[], results: readonly ReceiptOutcome[]) => {
      const known = [...items.keys()].filter((place) => results[place]!.matched);
      gotReceipts(
        known.map((place) => items[place]!),
        known.map((place) => results[place]!),
      );
    },
    knownReceipts: (items: readonly Receipt[], results: readonly boolean[]) => {
      for (let i = 0; i < items.length; i++) if (results[i]) receipts(items[i]!.carrier).add(items[i]!.state);
    },
    matchReceipt: (_, results: readonly { kind: string; moves?: Transition[] }[]) => {
      for (const { moves = [] } of results) moved(moves);
    },
    sweep: (_, results: readonly Transition[][]) => results.forEach(moved),
    decide: (items: readonly Decision[], results: readonly boolean[]) => {
      for (let i = 0; i < items.length; i++) if (results[i] && items[i]!.to === 'queued') dupRisk.add('person');
    },
    inbound: gotInbound('SMS'),
    inboundMms: gotInbound('MMS'),
    changeConsent: (items: readonly { change: ConsentChange }[], results: readonly boolean[]) => {
      for (let i = 0; i < items.length; i++) if (results[i]) consent.add(items[i]!.change.to);
    },
    recordAttempts: (items: readonly { outcome?: AttemptOutcome }[]) => {
      for (const { outcome } of items) if (outcome !== undefined) attempts.add(attemptResult(outcome));
    },
    prepareMedia: (items: readonly MediaPreparation[]) => {
      for (const { outcome } of items) media.add(outcome.to);
    },
  };

  return {
    committed: (calls, results, tookMs) => {
      let size = 0;
      at = now();
      for (let i = 0; i < calls.length; i++) {
        const { kind, items } = calls[i]!;
        size += items.length;
        if (kind === 'accept') acceptCommit.observe(tookMs / 1_000);
        counts[kind]?.(items as never[], results[i] as never[]);
      }
      batch.observe(size);
    },
  };
}

function attemptResult({ to, attempt: { status } }: AttemptOutcome): (typeof attemptResults)[number] {
  if (to === 'delivered') return 'delivered';
  if (status === null || status < 300) return 'no_answer';
  if (status < 400) return 'redirect';
  return status < 500 ? 'client_error' : 'server_error';
}
