/** Shapes of the answers in `alert-routes.ts`. */
import { decimal, flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';
import { alertKinds, alertUnits } from '../../model/alert.ts';

const kind = oneOf(alertKinds);
const unit = oneOf(alertUnits, 'Of `value` and `limit`.');

export const alertShape = named(
  'Alert',
  object({
    alertId: plain(),
    kind,
    subject: plain('The id of a carrier, or of the company of a budget; empty = the gateway itself.'),
    environment: oneOf(['sandbox', 'live']),
    value: decimal('As measured when it fired.'),
    limit: decimal('The limit then.'),
    unit,
    detail: plain(),
    firedAt: time,
    resolvedAt: orNull(time),
    isTold: flag('False while a silence kept it from being sent.'),
  }),
);

const silenceShape = named(
  'AlertSilence',
  object({ silenceId: plain(), kind: orNull(kind), subject: orNull(plain()), at: time, until: time, who: plain() }),
);

const ruleShape = named(
  'AlertRule',
  object({
    kind,
    enabled: flag(),
    limit: whole(),
    forSeconds: whole(),
    unit,
    min: whole(),
    max: whole(),
    byDefault: object({ limit: whole(), forSeconds: whole() }),
    version: plain('Send it back with a change.'),
  }),
);

export const alertsNow = named(
  'AlertsNow',
  object({
    firing: list(alertShape),
    silences: list(silenceShape),
    rules: list(ruleShape),
    mail: object({ isOn: flag(), to: list(plain()) }),
  }),
);
