/** Shared by the tests of carriers: messages to submit, and a sink that records what it receives and can be awaited. */
import type { InboundMms, InboundPart, Receipt } from '../model/delivery.ts';
import type { CarrierRecord } from '../model/records.ts';
import type { CarrierSink, MmsSubmission, SmsSubmission, Submission, SubmissionOutcome } from './carrier.ts';
import { carrierKinds } from './kinds.ts';
import { type Adapters, createAdapters } from './open.ts';

export interface RecordingSink extends CarrierSink {
  /** Batches as they arrived. */
  readonly resultBatches: { messageId: string; attempt: number; outcome: SubmissionOutcome }[][];
  /** The submission of each result, in order of arrival. */
  readonly submissions: Submission[];
  readonly receiptBatches: Receipt[][];
  readonly inboundBatches: InboundPart[][];
  readonly mms: InboundMms[];
  readonly links: { up: boolean; detail: string }[];
  /** Everything in order of arrival, one word each. */
  readonly order: ('results' | 'receipts' | 'inbound' | 'mms')[];
  readyCalls: number;
  /** Set it to make storing fail or wait. */
  storing: () => Promise<void>;
  outcomeOf(messageId: string): SubmissionOutcome | undefined;
}

export function recordingSink(): RecordingSink {
  const sink: RecordingSink = {
    resultBatches: [],
    submissions: [],
    receiptBatches: [],
    inboundBatches: [],
    mms: [],
    links: [],
    order: [],
    readyCalls: 0,
    storing: async () => {},
    outcomeOf: (messageId) => sink.resultBatches.flat().find((result) => result.messageId === messageId)?.outcome,
    results: (results) => {
      sink.order.push('results');
      for (const { submission } of results) sink.submissions.push(submission);
      sink.resultBatches.push(
        results.map(({ submission: { messageId, attempt }, outcome }) => ({ messageId, attempt, outcome })),
      );
    },
    ready: () => {
      sink.readyCalls++;
    },
    link: (up, detail) => {
      sink.links.push({ up, detail });
    },
    receipts: (receipts) => {
      sink.order.push('receipts');
      sink.receiptBatches.push(receipts);
      return sink.storing();
    },
    inbound: (parts) => {
      sink.order.push('inbound');
      sink.inboundBatches.push(parts);
      return sink.storing();
    },
    inboundMms: (message) => {
      sink.order.push('mms');
      sink.mms.push(message);
      return sink.storing();
    },
  };
  return sink;
}

export function submission(n: number, more: Partial<SmsSubmission> = {}): SmsSubmission {
  return {
    messageId: `msg_${n}`,
    attempt: 1,
    kind: 'SMS',
    from: '12025550199',
    to: '12025550100',
    text: `Hello ${n}`,
    concatReference: n,
    partsAccepted: [],
    ...more,
  };
}

/** The smallest possible picture: one transparent pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export function mmsSubmission(n: number, more: Partial<MmsSubmission> = {}): MmsSubmission {
  const medium = { type: 'image/png' as const, sizeBytes: tinyPng.length, load: async () => tinyPng };
  const { concatReference: _, partsAccepted: __, ...fields } = submission(n);
  return { ...fields, kind: 'MMS', media: [medium], ...more };
}

/** Opens a carrier of any kind. */
export async function loadAdapters(): Promise<Adapters['open']> {
  const adapters = createAdapters();
  await adapters.load(carrierKinds.map(({ name }) => ({ kind: name }) as CarrierRecord));
  return adapters.open;
}
