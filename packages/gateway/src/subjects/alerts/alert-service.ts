/** The operator's side of alerts: firing alerts, history, silences, and the rules, which are records. */
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import {
  type Alert,
  type AlertKind,
  type AlertRule,
  type AlertSilence,
  alertLimits,
  alertRules,
} from '../../model/alert.ts';
import type { Directory } from '../../model/directory.ts';
import { auditEntryOf, type Person, type Refusal } from '../../model/person.ts';
import type { Records } from '../../model/records.ts';
import {
  type Changed,
  changedSince,
  difference,
  type Form,
  type Judged,
  type RecordsService,
} from '../operator/records-service.ts';
import type { AlertMail } from './alert-mail.ts';
import type { AlertStore } from './store/module.ts';

export interface RuleView extends AlertRule {
  version: string;
}

export interface AlertsNow {
  firing: Alert[];
  silences: AlertSilence[];
  rules: RuleView[];
  /** `to`: the recipients of mails. */
  mail: { isOn: boolean; to: readonly string[] };
}

export interface NewSilence {
  kind: AlertKind | null;
  subject: string | null;
  minutes: number;
}

type Outcome<T = object> = { kind: 'done'; result: T } | Refusal | Changed;

export interface AlertService {
  now(): Promise<AlertsNow>;
  history(query: { before: string | null; subject: string | null; limit: number }): Promise<Alert[]>;
  setRule(person: Person, change: { kind: AlertKind; version: string; form: Form }): Promise<Outcome>;
  silence(person: Person, silence: NewSilence): Promise<Outcome<{ silenceId: string }>>;
  endSilence(person: Person, silenceId: string): Promise<Outcome>;
  /** Sends to the person's own address; resolves with the error, or null. */
  testMail(person: Person): Promise<string | null>;
}

export interface AlertServiceParts {
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next'>;
  store: Pick<AlertStore, 'firingAlerts' | 'alertHistory' | 'alertSilences' | 'changeSilence'>;
  directory(): Directory;
  records: RecordsService;
  judge(form: Form, records: Records): Judged<AlertRule>;
  mail: Pick<AlertMail, 'isOn' | 'recipients' | 'test'>;
}

export function createAlertService(parts: AlertServiceParts): AlertService {
  const { clock, ids, store, mail } = parts;
  return {
    now: async () => {
      const [firing, silences, to] = await Promise.all([
        store.firingAlerts(),
        store.alertSilences(clock.now()),
        mail.recipients(),
      ]);
      const rules = alertRules(parts.directory().records.alerts).map(ruleView);
      return { firing, silences, rules, mail: { isOn: mail.isOn, to } };
    },

    history: store.alertHistory,

    setRule: (person, { kind, version, form }) =>
      parts.records.edit(person, (records) => {
        const before = ruleOf(records.alerts, kind);
        const changed = changedSince(before, version, () => ruleView(ruleOf(records.alerts, kind)));
        if (changed !== null) return changed;
        const judged = parts.judge({ ...before, alertId: undefined, ...form, id: kind }, records);
        if (!judged.ok) return { kind: 'fields', fields: judged.fields };
        const differing = difference({ ...before }, { ...judged.record });
        const note = differing === null ? null : { what: 'alert.changed', target: kind, ...differing };
        return { kind: 'edit', put: { alerts: [judged.record] }, note, result: {} };
      }),

    silence: async (person, { kind, subject, minutes }) => {
      const at = clock.now();
      const { email: who } = person.user;
      const silence = { silenceId: ids.next('sil_'), kind, subject, at, until: at + minutes * 60_000, who };
      const after = { kind, subject, minutes };
      const audit = auditEntryOf(person, at, { what: 'alert.silenced', target: kind ?? 'all', after });
      if (await store.changeSilence({ change: 'put', silence, audit })) {
        return { kind: 'done', result: { silenceId: silence.silenceId } };
      }
      return { kind: 'conflict', detail: `There are ${alertLimits.silences} silences already. End one first.` };
    },

    endSilence: async (person, silenceId) => {
      const audit = auditEntryOf(person, clock.now(), { what: 'alert.unsilenced', target: silenceId });
      if (await store.changeSilence({ change: 'end', silenceId, audit })) return { kind: 'done', result: {} };
      return { kind: 'missing', detail: 'There is no silence with this id, or it has ended.' };
    },

    testMail: ({ user }) => mail.test(user.email),
  };
}

function ruleOf(written: readonly AlertRule[], kind: AlertKind): AlertRule {
  return alertRules(written).find(({ alertId }) => alertId === kind)!;
}

function ruleView(rule: AlertRule): RuleView {
  return { ...rule, version: recordVersion(rule) };
}
