/** Shapes of the answers in `account-routes.ts`. */
import { flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

export const accountRate = named(
  'AccountRate',
  object({
    from: plain(),
    currency: plain(),
    smsPerSegment: plain(),
    mmsPerMessage: plain(),
  }),
);

export const accountShown = named(
  'AccountShown',
  object({
    accountId: plain(),
    name: plain(),
    status: oneOf(['active', 'suspended']),
    destinations: list(plain()),
    destinationsMax: optional(list(plain())),
    fraudGuardOptional: optional(flag()),
    uncertainPolicy: oneOf(['resend', 'hold']),
    repeatsUnanswered: optional(whole()),
    repeatsBroken: optional(whole()),
    smartEncoding: flag(),
    requestsPerSecond: whole(),
    waitingSecondsMax: optional(whole()),
    mmsFallback: oneOf(['none', 'links']),
    animations: optional(oneOf(['still', 'refuse'])),
    supportContact: plain(),
    rates: optional(list(accountRate)),
    version: plain(),
    counts: object({
      numbers: whole(),
      campaigns: whole(),
      keys: whole(),
    }),
  }),
);

export const accountDetail = named(
  'AccountDetail',
  object({
    users: list(
      object({
        userId: plain(),
        name: plain(),
        email: plain(),
        role: plain(),
        disabled: flag(),
        lastSignInAt: orNull(time),
      }),
    ),
    accountId: plain(),
    name: plain(),
    status: oneOf(['active', 'suspended']),
    destinations: list(plain()),
    destinationsMax: optional(list(plain())),
    fraudGuardOptional: optional(flag()),
    uncertainPolicy: oneOf(['resend', 'hold']),
    repeatsUnanswered: optional(whole()),
    repeatsBroken: optional(whole()),
    smartEncoding: flag(),
    requestsPerSecond: whole(),
    waitingSecondsMax: optional(whole()),
    mmsFallback: oneOf(['none', 'links']),
    animations: optional(oneOf(['still', 'refuse'])),
    supportContact: plain(),
    rates: optional(list(accountRate)),
    version: plain(),
    counts: object({
      numbers: whole(),
      campaigns: whole(),
      keys: whole(),
    }),
  }),
);
