/** Shapes of the answers in `history-routes.ts`. */
import { decimal, extended, flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';
import { historyFactors } from '../../model/carrier-history.ts';
import { ranges } from './ranges.ts';

/** Figures that may get worse. */
export const worseFigures = [
  'refusalRate',
  'deliveryRate',
  'receiptRate',
  'delayP50Ms',
  'uncertainRate',
  'upShare',
] as const;

const share = (description: string) => orNull(decimal(`${description}, 0 to 1`));

export const carrierFigures = named(
  'CarrierFigures',
  object({
    taken: whole('Messages that the carrier took.'),
    tries: whole(),
    perSecond: orNull(decimal('Messages taken per second of the time that was watched; null = nobody watched.')),
    refused: whole('Tries that it refused, for now or for good.'),
    refusalRate: share('Of the tries'),
    throttled: whole('Tries that it refused as too many at once.'),
    delivered: whole(),
    undelivered: whole(),
    deliveryRate: share('Delivered, of the messages with a final receipt'),
    receiptRate: orNull(
      decimal(
        'Final receipts that came, of the messages taken in the same time. Above 1 when they are of earlier messages; null where none are asked for.',
      ),
    ),
    delayP50Ms: orNull(decimal('From the taking to the final receipt, of a sample.')),
    delayP95Ms: orNull(decimal()),
    uncertain: whole('Messages that fell into doubt.'),
    uncertainRate: share('Of the tries'),
    resolved: whole('Messages in doubt whose fate became known, or that were sent again.'),
    windowUse: share('Of the window, on average'),
    windowPeak: whole(),
    queued: orNull(decimal('Messages that waited, on average.')),
    queuedPeak: whole(),
    oldestPeakMs: whole('For how long the oldest of them had been due, at most.'),
    upShare: share('Of the time that was watched'),
    limit: orNull(object({ factor: oneOf(historyFactors), share: decimal('Of the time that was watched.') })),
    watchedMs: whole('For how long the gateway watched; 0 = it did not run: a gap.'),
  }),
);

const worse = named(
  'CarrierWorse',
  object(
    { figure: oneOf(worseFigures), now: decimal(), before: decimal(), weight: decimal('How grave it is.') },
    'A figure that got worse.',
  ),
);

const times = {
  range: oneOf(ranges),
  from: time,
  until: time,
  beforeFrom: time,
  beforeUntil: time,
};

export const historyBoard = named(
  'CarrierBoard',
  object({
    ...times,
    carriers: list(
      named(
        'CarrierBoardRow',
        object({
          carrierId: plain(),
          name: plain(),
          environment: oneOf(['sandbox', 'live']),
          enabled: flag(),
          now: carrierFigures,
          before: carrierFigures,
          worse: list(worse, 'The gravest first.'),
          trend: list(orNull(whole()), 'Messages taken in each bar; null = a gap.'),
        }),
      ),
    ),
  }),
);

export const historyOfCarrier = named(
  'CarrierHistory',
  object({
    ...times,
    carrierId: plain(),
    name: plain(),
    now: carrierFigures,
    before: carrierFigures,
    worse: list(worse, 'The gravest first.'),
    bars: list(named('CarrierHistoryBar', extended(carrierFigures, { from: time, until: time }))),
    codes: list(
      object({
        part: oneOf(['refused', 'undelivered'], 'A try that was refused, or a message with a receipt that it failed.'),
        code: plain(),
        count: whole(),
        before: whole(),
      }),
      'The most first.',
    ),
  }),
);
