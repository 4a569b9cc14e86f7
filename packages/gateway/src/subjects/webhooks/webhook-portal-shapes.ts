/** Shapes of the answers in `webhook-portal-routes.ts`. */

import {
  anything,
  byName,
  content,
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
import { eventType } from './endpoint-shapes.ts';
import { signature } from './shown-verdict.ts';

export const endpointHealth = named(
  'EndpointHealth',
  object({
    endpointId: plain(),
    tried: whole('Of the newest deliveries, those that were attempted.'),
    succeeded: whole(),
    waiting: whole('All of them, however old.'),
    nextAttemptAt: orNull(time),
    failed: whole(),
    p95Ms: orNull(whole()),
    failingSince: orNull(plain()),
    lastSuccessAt: orNull(time),
  }),
);

export const describedEvent = named(
  'DescribedEvent',
  object({
    type: eventType,
    schema: byName(anything()),
    example: byName(anything()),
  }),
);

export const headerRules = named(
  'HeaderRules',
  object({
    name: plain(),
    value: plain(),
    charactersMax: whole('Of name and value together.'),
    fault: plain(),
  }),
);

export const eventCatalogue = named(
  'EventCatalogue',
  object({
    events: list(describedEvent),
    flat: object({
      schema: byName(anything()),
      examples: object({ receipt: byName(anything()), reply: byName(anything()) }),
    }),
    header: headerRules,
  }),
);

export const deliverySignatures = named(
  'DeliverySignatures',
  object({
    attempts: list(
      object({
        attempt: whole(),
        signature,
      }),
    ),
  }),
);

export const signatureCheck = named(
  'SignatureCheck',
  object({
    valid: flag(),
    reason: orNull(plain()),
    skewSeconds: orNull(whole()),
    by: optional(oneOf(['current', 'old'])),
    until: optional(orNull(time)),
  }),
);

export const deliveryRequest = named(
  'DeliveryRequest',
  object({
    deliveryId: plain(),
    format: oneOf(['standard', 'flat']),
    secretsInForce: whole(),
    method: plain(),
    url: plain(),
    headers: byName(plain()),
    body: content(),
  }),
);
