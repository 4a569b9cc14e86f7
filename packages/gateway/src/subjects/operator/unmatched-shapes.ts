/** Shapes of the answers in `unmatched-routes.ts`. */
import { list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

export const keptReceipt = named(
  'KeptReceipt',
  object({
    carrier: plain(),
    carrierMessageId: plain(),
    to: orNull(plain()),
    state: plain(),
    code: orNull(plain()),
    carrierCode: orNull(plain()),
    raw: plain(),
    receivedAt: time,
  }),
);

export const receiptCandidate = named(
  'ReceiptCandidate',
  object({
    messageId: plain(),
    accountId: plain(),
    accountName: plain(),
    acceptedAt: time,
    carrier: orNull(plain()),
    partState: orNull(plain()),
    partsMissing: whole(),
    from: plain(),
    to: plain(),
    state: plain(),
    part: whole(),
    partCount: whole(),
    carrierMessageId: orNull(plain()),
    handedOverAt: time,
    refusal: orNull(plain()),
    clues: list(
      object({
        speaks: oneOf(['for', 'against', 'neither']),
        what: oneOf([
          'same handset',
          'no handset named',
          'waits for its receipt',
          'never answered',
          'over already',
          'other form of the id',
          'id contained',
          'other id',
          'no id on record',
          'before the message',
          'after the message',
          'submit date fits',
          'submit date differs',
          'text fits',
          'text differs',
        ]),
        byMs: optional(whole()),
      }),
    ),
  }),
);

export const receiptCandidates = named(
  'ReceiptCandidates',
  object({ receipt: keptReceipt, candidates: list(receiptCandidate) }),
);

export const matchedReceipt = named(
  'MatchedReceipt',
  object({ moved: orNull(plain('The new state of the message; null if it did not change.')) }),
);
