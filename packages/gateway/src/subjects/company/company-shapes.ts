/** Shapes of the answers in `company-routes.ts`. */
import { flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';

export const rateShown = named(
  'RateShown',
  object({
    from: plain(),
    currency: plain(),
    smsPerSegment: plain(),
    mmsPerMessage: plain(),
  }),
);

export const quietHoursShown = named(
  'QuietHoursShown',
  object({
    from: plain(),
    to: plain(),
    days: list(oneOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])),
    exceptCampaigns: list(plain()),
    timeZone: plain(),
    now: flag(),
    begins: orNull(plain()),
    ends: plain(),
  }),
);

export const companyShown = named(
  'CompanyShown',
  object({
    accountId: plain(),
    name: plain(),
    status: oneOf(['active', 'suspended']),
    destinations: list(plain()),
    destinationsMax: list(plain()),
    fraudGuard: oneOf(['on', 'off']),
    fraudGuardOptional: flag(),
    uncertainPolicy: oneOf(['resend', 'hold']),
    repeatsUnanswered: whole(),
    repeatsBroken: whole(),
    smartEncoding: flag(),
    mmsFallback: oneOf(['none', 'links']),
    animations: oneOf(['still', 'refuse']),
    supportContact: plain(),
    timeZone: orNull(plain()),
    monthlyBudget: orNull(plain()),
    rates: list(rateShown),
    bodyDays: whole(),
    metadataDays: whole(),
    secondFactor: orNull(
      object({
        roles: list(oneOf(['Owner', 'Admin', 'Developer', 'Support', 'Viewer'])),
        graceDays: whole(),
        since: time,
      }),
    ),
    quietHours: orNull(quietHoursShown),
    exactShapeDefault: flag(),
    passwordCharactersMin: whole(),
    version: plain(),
  }),
);

export const numberErasure = named(
  'NumberErasure',
  object({
    erasureId: plain(),
    number: plain(),
    requestedBy: plain(),
    requestedAt: time,
    deleted: whole(),
    leftOver: whole(),
    doneAt: orNull(time),
  }),
);
