/** Shapes of the answers in `home-routes.ts`. */
import { decimal, flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

export const seededPair = named('SeededPair', object({ bearerToken: plain(), authToken: plain() }));

export const homeStep = named(
  'HomeStep',
  object({
    step: oneOf(['number', 'campaign', 'carrier', 'webhook', 'accepted', 'answered']),
    done: flag(),
    facts: object({
      state: optional(plain()),
      name: optional(orNull(plain())),
      binds: optional(whole()),
      address: optional(orNull(plain())),
      number: optional(orNull(plain())),
      status: optional(orNull(plain())),
      campaignId: optional(plain()),
      messageId: optional(plain()),
      tookMs: optional(orNull(whole())),
      from: optional(plain()),
      at: optional(time),
      endpointId: optional(plain()),
      deliveryId: optional(plain()),
    }),
  }),
);

export const homeAttention = named(
  'HomeAttention',
  object({
    kind: oneOf([
      'campaign',
      'clock',
      'alert',
      'carrier down',
      'bind down',
      'limit',
      'certificate',
      'carrier certificate',
      'budget',
      'endpoint failing',
      'endpoint disabled',
      'unmatched receipts',
      'held messages',
      'uncertain messages',
    ]),
    name: orNull(plain()),
    state: orNull(plain()),
    count: orNull(whole()),
    since: orNull(plain()),
    href: orNull(plain()),
  }),
);

export const homeShown = named(
  'HomeShown',
  object({
    checklist: list(homeStep),
    first: orNull(
      object({
        from: plain(),
        to: orNull(plain()),
      }),
    ),
    pair: flag(),
    carriers: orNull(object({ up: whole(), all: whole() })),
    attention: list(homeAttention),
    demo: orNull(
      object({
        messages: whole(),
        from: plain(),
        until: plain(),
      }),
    ),
  }),
);

const counts = {
  sent: whole('Taken by a carrier.'),
  delivered: whole(),
  failed: whole('Undelivered, expired, or not sent.'),
  waiting: whole('Sent, and without an outcome so far.'),
  replies: whole(),
};

const periodFigures = named(
  'PeriodFigures',
  object({
    ...counts,
    deliveryRate: orNull(decimal('Of the messages with an outcome; null without any.')),
    medianMs: orNull(whole('Half of the delivered ones took no longer; null without any.')),
  }),
);

export const homePeriod = named(
  'HomePeriod',
  object({
    period: oneOf(['24h', '7d', '30d']),
    from: time,
    until: time,
    beforeFrom: time,
    beforeUntil: time,
    behind: flag('The log is still being counted: figures are too low.'),
    bars: list(named('HomeBar', object({ from: time, until: time, ...counts }))),
    total: periodFigures,
    before: periodFigures,
    reasons: list(named('HomeReason', object({ code: plain(), count: whole(), before: whole(), bars: list(whole()) }))),
  }),
);
