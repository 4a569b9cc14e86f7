/** Shapes of the answers in `routing-routes.ts`. */
import { flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

export const ruleHours = named(
  'RuleHours',
  object({
    days: list(oneOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])),
    from: plain(),
    to: plain(),
  }),
);

export const routedTime = named(
  'RoutedTime',
  object({
    day: oneOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
    clock: plain(),
  }),
);

export const ruleCampaign = named(
  'RuleCampaign',
  object({
    campaignId: plain(),
    name: plain(),
    environment: oneOf(['sandbox', 'live']),
    company: plain(),
  }),
);

export const routingRule = named(
  'RoutingRule',
  object({
    routeId: plain(),
    environment: oneOf(['sandbox', 'live']),
    prefix: plain(),
    number: orNull(plain()),
    kind: orNull(oneOf(['SMS', 'MMS'])),
    campaignId: optional(plain()),
    hours: optional(ruleHours),
    weight: whole(),
    priority: whole(),
    carrierIds: list(plain()),
    version: plain(),
    moves: object({
      up: flag(),
      down: flag(),
    }),
  }),
);

export const ruleUntaken = named(
  'RuleUntaken',
  object({
    routeId: plain(),
    prefix: plain(),
    kinds: list(oneOf(['SMS', 'MMS'])),
  }),
);

export const ruleCarrier = named(
  'RuleCarrier',
  object({
    carrierId: orNull(plain()),
    share: whole(),
  }),
);

export const ruleImpact = named(
  'RuleImpact',
  object({
    untaken: list(ruleUntaken),
    looked: whole(),
    same: whole(),
    moves: list(
      object({
        before: list(ruleCarrier),
        after: list(ruleCarrier),
        count: whole(),
        examples: list(
          object({
            messageId: plain(),
            environment: oneOf(['sandbox', 'live']),
            campaignId: optional(orNull(plain())),
            local: routedTime,
            from: plain(),
            to: plain(),
            kind: plain(),
          }),
        ),
      }),
    ),
  }),
);

export const ruleTest = named(
  'RuleTest',
  object({
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

export const ruleVersion = named(
  'RuleVersion',
  object({
    version: whole(),
    at: time,
    who: plain(),
    routes: list(
      object({
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
    ),
  }),
);
