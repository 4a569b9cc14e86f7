/** Shapes of the answers in `message-story-routes.ts`. */
import {
  byName,
  content,
  either,
  flag,
  list,
  named,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  time,
  whole,
} from '../../http/shape.ts';
import { routedTime, ruleHours } from '../operator/routing-shapes.ts';
import { waiting } from './message-shapes.ts';

export const routingTree = named(
  'RoutingTree',
  object({
    basis: object({ rules: plain(), changedAt: orNull(time) }),
    today: orNull(plain()),
    hidden: whole(),
    environment: oneOf(['sandbox', 'live']),
    isKnownSender: flag(),
    campaignId: orNull(plain()),
    local: routedTime,
    timeZone: plain(),
    rules: list(
      object({
        routeId: plain(),
        route: object({
          number: orNull(plain()),
          routeId: plain(),
          environment: oneOf(['sandbox', 'live']),
          prefix: plain(),
          kind: orNull(oneOf(['SMS', 'MMS'])),
          campaignId: optional(plain()),
          hours: optional(ruleHours),
          weight: whole(),
          priority: whole(),
          carrierIds: list(plain()),
        }),
        misses: list(oneOf(['number', 'campaign', 'environment', 'prefix', 'kind', 'hours'])),
        share: whole(),
        carriers: list(
          object({
            carrierId: plain(),
            name: plain(),
            enabled: flag(),
            takesKind: flag(),
            up: flag(),
            paused: flag(),
          }),
        ),
      }),
    ),
    outcome: plain(),
  }),
);

export const routedRule = named(
  'RoutedRule',
  object({
    routeId: plain(),
    prefix: plain(),
    number: orNull(plain()),
    kind: orNull(oneOf(['SMS', 'MMS'])),
    weight: whole(),
    priority: whole(),
    share: whole(),
    campaign: orNull(plain()),
    hours: orNull(ruleHours),
    carriers: list(
      object({
        carrierId: plain(),
        name: plain(),
        enabled: flag(),
        takesKind: flag(),
        up: flag(),
        paused: flag(),
      }),
    ),
  }),
);

export const routedBasis = named(
  'RoutedBasis',
  object({
    rules: oneOf(['past', 'same', 'now', 'unknown']),
    changedAt: orNull(time),
  }),
);

export const messageRouted = named(
  'MessageRouted',
  object({
    carrier: orNull(
      object({
        carrierId: plain(),
        name: plain(),
      }),
    ),
    rules: list(routedRule),
    agrees: flag(),
    basis: routedBasis,
  }),
);

export const storyLink = named(
  'StoryLink',
  object({
    running: flag(),
    up: flag(),
    since: orNull(plain()),
    paused: flag(),
  }),
);

export const messagePdu = named(
  'MessagePdu',
  object({
    at: time,
    direction: oneOf(['out', 'in']),
    command: plain(),
    sequence: orNull(plain()),
    status: orNull(plain()),
    carrierMessageId: orNull(plain()),
    fields: byName(either(plain(), whole())),
    text: orNull(content()),
    textLength: optional(whole()),
    hex: orNull(content()),
    hexLength: optional(whole()),
    event: whole(),
  }),
);

export const messageStory = named(
  'MessageStory',
  object({
    routed: orNull(messageRouted),
    waiting: orNull(waiting),
    link: orNull(storyLink),
    wire: object({
      source: orNull(oneOf(['sandbox', 'log'])),
      canLog: flag(),
      until: orNull(plain()),
      pdus: list(messagePdu),
    }),
    receiptTexts: list(
      object({
        at: time,
        carrierAt: orNull(time),
        part: whole(),
        text: orNull(content()),
        textLength: optional(whole()),
      }),
    ),
    receipts: orNull(
      object({
        count: whole(),
        usualMs: orNull(whole()),
        lastAt: orNull(time),
        looked: whole(),
      }),
    ),
  }),
);
