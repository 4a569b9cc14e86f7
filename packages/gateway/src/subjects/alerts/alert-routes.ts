/** `/alerts`, for operators: firing alerts, history, silences and rules. */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { pageLimit } from '../../http/list-query.ts';
import { conflict, refusalAnswer } from '../../http/portal/answers.ts';
import { form, optionalOrNull, optionalWhole } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalRoutes } from '../../http/portal/portal-guard.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers, ownBody } from '../../http/route.ts';
import { decimal, flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import {
  type Alert,
  type AlertKind,
  type AlertSilence,
  alertKinds,
  alertLimits,
  alertTraits,
  alertUnits,
} from '../../model/alert.ts';
import { notEdited, recordBody, recordForm } from '../operator/operator-forms.ts';
import type { AlertService, RuleView } from './alert-service.ts';

const kind = oneOf(alertKinds);
const unit = oneOf(alertUnits, 'Of `value` and `limit`.');

const alertShape = named(
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

const alertsNow = named(
  'AlertsNow',
  object({
    firing: list(alertShape),
    silences: list(silenceShape),
    rules: list(ruleShape),
    mail: object({ isOn: flag(), to: list(plain()) }),
  }),
);

const historyQuery = textQueries({
  before: '`next` of the previous page.',
  subject: 'Only alerts about this: the id of a carrier, or of the company of a budget.',
  limit: 'Alerts of one page.',
});
const idForm = /^alr_[0-9A-Z]{26}$/;

export function alertRoutes(alerts: AlertService): PortalModule {
  return (routes) => {
    readRoutes(routes, alerts);
    silenceRoutes(routes, alerts);

    routes.add({
      method: 'POST',
      path: '/alerts/rules/:kind',
      access: 'operator',
      audit: ['alert.changed'],
      body: recordForm,
      answer: answers(object({}), 'The rule counts from now on'),
      work: async (call) => {
        const { body, person } = call;
        const kind = alertKinds.find((one) => one === param(call, 'kind'));
        if (kind === undefined) return rejection('NOT_FOUND', `The alerts are ${alertKinds.join(', ')}.`);
        const read = recordBody(body);
        if (!read.ok) return read.answer;
        const saved = await alerts.setRule(person, { kind, version: read.version, form: read.form });
        return saved.kind === 'done' ? success('The rule counts from now on.', {}) : notEdited(saved);
      },
    });

    routes.add({
      method: 'POST',
      path: '/alerts/test-mail',
      access: 'operator',
      body: ownBody(null, { optional: true }),
      answer: answers(object({ to: plain() }), 'The mail server took it'),
      work: async ({ person }) => {
        const cause = await alerts.testMail(person);
        if (cause !== null) return conflict(`The mail was not taken: ${cause}`);
        return success('The mail server took the mail.', { to: person.user.email });
      },
    });
  };
}

function readRoutes(routes: PortalRoutes, alerts: AlertService): void {
  routes.add({
    method: 'GET',
    path: '/alerts',
    access: 'operator',
    answer: answers(alertsNow, 'What fires, what is silenced, and the rules'),
    work: async () => {
      const { firing, silences, rules, mail } = await alerts.now();
      return success(`${counted(firing.length, 'alert fires', 'alerts fire')}.`, {
        firing: firing.map(shownAlert),
        silences: silences.map(shownSilence),
        rules: rules.map(shownRule),
        mail,
      });
    },
  });

  routes.add({
    method: 'GET',
    path: '/alerts/history',
    access: 'operator',
    query: historyQuery,
    answer: answers(list(alertShape), 'A page, the newest first'),
    work: async ({ query }) => {
      const limit = pageLimit(query.limit);
      if (typeof limit === 'string') return rejection('INVALID_FIELD', limit);
      const { before, subject } = query;
      if (before !== null && !idForm.test(before)) return rejection('INVALID_FIELD', 'before is the id of an alert.');
      const found = await alerts.history({ before, subject, limit: limit + 1 });
      const page = found.slice(0, limit);
      const next = found.length > limit ? page.at(-1)!.alertId : null;
      return success(`${counted(page.length, 'alert')}, newest first.`, page.map(shownAlert), next);
    },
  });
}

function silenceRoutes(routes: PortalRoutes, alerts: AlertService): void {
  routes.add({
    method: 'POST',
    path: '/alerts/silences',
    access: 'operator',
    audit: ['alert.silenced'],
    body: form({
      kind: { ...optionalOrNull, oneOf: alertKinds },
      subject: optionalOrNull,
      minutes: { ...optionalWhole(1, alertLimits.silenceMinutes), optional: false },
    }),
    answer: answers(object({ silenceId: plain() }), 'No such alert is sent until it ends'),
    work: async ({ body, person }) => {
      const { kind = null, subject = null, minutes } = body;
      const made = await alerts.silence(person, { kind: kind as AlertKind | null, subject, minutes });
      return made.kind === 'done' ? success('No such alert is sent until it ends.', made.result) : notEdited(made);
    },
  });

  routes.add({
    method: 'DELETE',
    path: '/alerts/silences/:silenceId',
    access: 'operator',
    audit: ['alert.unsilenced'],
    answer: answers(object({}), 'Alerts are sent again'),
    work: async (call) => {
      const ended = await alerts.endSilence(call.person, param(call, 'silenceId'));
      if (ended.kind === 'done') return success('Alerts are sent again.', {});
      return ended.kind === 'changed' ? notEdited(ended) : refusalAnswer(ended);
    },
  });
}

function shownAlert({ firedAt, resolvedAt, ...alert }: Alert) {
  const { unit } = alertTraits[alert.kind];
  return { ...alert, unit, firedAt: isoTime(firedAt), resolvedAt: resolvedAt === null ? null : isoTime(resolvedAt) };
}

function shownSilence({ at, until, ...silence }: AlertSilence) {
  return { ...silence, at: isoTime(at), until: isoTime(until) };
}

function shownRule({ alertId, ...rule }: RuleView) {
  const { unit, min, max, limit, forSeconds } = alertTraits[alertId];
  return { kind: alertId, ...rule, unit, min, max, byDefault: { limit, forSeconds } };
}
