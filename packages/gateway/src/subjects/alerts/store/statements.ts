/** SQL over alerts and silences, and over the oldest waiting message of each queue. */
import type { LaneId } from '../../../kernel/ids.ts';
import { statement } from '../../../store/query.ts';

export interface AlertRow {
  alert_id: string;
  kind: string;
  subject: string;
  environment: string;
  fired_at: number;
  resolved_at: number | null;
  told: number;
  mail: string;
  mail_tries: number;
  body: string;
}

const read = 'alert_id, kind, subject, environment, fired_at, resolved_at, told, mail, mail_tries, body';

/** Returns nothing when one of this kind and subject fires already. */
export const insertAlert = statement<{ alert_id: string }>()(
  'insert_alert',
  {
    alert_id: 'text',
    kind: 'text',
    subject: 'text',
    environment: 'text',
    fired_at: 'int',
    told: 'int',
    mail: 'text',
    mail_due_at: 'int',
    body: 'text',
  },
  `insert into alerts (alert_id, kind, subject, environment, fired_at, resolved_at, told, mail, mail_tries, mail_due_at, body)
   select r.alert_id, r.kind, r.subject, r.environment, r.fired_at, null, r.told, r.mail, 0, r.mail_due_at, r.body
   from {rows} r where true
   on conflict (kind, subject) where resolved_at is null do nothing
   returning alert_id`,
);

export const markReported = statement<{ alert_id: string }>()(
  'tell_alert',
  { alert_id: 'text', mail: 'text', mail_due_at: 'int' },
  `update alerts set told = 1, mail = r.mail, mail_tries = 0, mail_due_at = r.mail_due_at from {rows} r
   where alerts.alert_id = r.alert_id and alerts.resolved_at is null and alerts.told = 0
   returning alerts.alert_id`,
);

export const resolveAlert = statement<{ alert_id: string }>()(
  'resolve_alert',
  { alert_id: 'text', resolved_at: 'int', mail: 'text' },
  `update alerts set resolved_at = r.resolved_at, mail = r.mail, mail_tries = 0, mail_due_at = r.resolved_at from {rows} r
   where alerts.alert_id = r.alert_id and alerts.resolved_at is null
   returning alerts.alert_id`,
);

export const noteMail = statement()(
  'note_alert_mail',
  { alert_id: 'text', state: 'text', mail: 'text', mail_tries: 'int', mail_due_at: 'int' },
  `update alerts set mail = r.mail, mail_tries = r.mail_tries, mail_due_at = r.mail_due_at from {rows} r
   where alerts.alert_id = r.alert_id and alerts.mail = r.state`,
);

export const selectFiring = statement<AlertRow>()(
  'select_firing_alerts',
  { limit: 'int' },
  `select ${read} from alerts where resolved_at is null order by alert_id desc limit r.limit`,
);

export const selectHistory = statement<AlertRow>()(
  'select_alert_history',
  { before: 'text', subject: 'text', limit: 'int' },
  `select ${read} from alerts where alert_id < r.before and (r.subject is null or subject = r.subject)
   order by alert_id desc limit r.limit`,
);

export const selectDueMail = statement<AlertRow>()(
  'select_due_alert_mail',
  { now: 'int', limit: 'int' },
  `select ${read} from alerts where mail <> '' and mail_due_at <= r.now order by mail_due_at, alert_id limit r.limit`,
);

/** The newest alert above the limit. */
export const selectSurplusAlert = statement<{ alert_id: string }>()(
  'select_surplus_alert',
  { keep: 'int' },
  'select alert_id from alerts order by alert_id desc limit 1 offset r.keep',
);

/** Firing ones stay, however old they are. */
export const selectOldAlerts = statement<{ alert_id: string }>()(
  'select_old_alerts',
  { before: 'int', surplus: 'text', limit: 'int' },
  `select alert_id from alerts
   where resolved_at is not null and (resolved_at < r.before or alert_id <= r.surplus)
   order by alert_id limit r.limit`,
);

export const deleteAlert = statement()(
  'delete_alert',
  { alert_id: 'text' },
  'delete from alerts where alert_id = r.alert_id',
);

export interface SilenceRow {
  silence_id: string;
  kind: string;
  subject: string | null;
  at: number;
  until: number;
  who: string;
}

export const insertSilence = statement()(
  'insert_alert_silence',
  { silence_id: 'text', kind: 'text', subject: 'text', at: 'int', until: 'int', who: 'text' },
  `insert into alert_silences (silence_id, kind, subject, at, until, who)
   select r.silence_id, r.kind, r.subject, r.at, r.until, r.who from {rows} r`,
);

export const deleteSilence = statement<{ silence_id: string }>()(
  'delete_alert_silence',
  { silence_id: 'text' },
  'delete from alert_silences where silence_id = r.silence_id returning silence_id',
);

export const deleteEndedSilences = statement()(
  'delete_ended_alert_silences',
  { now: 'int' },
  'delete from alert_silences where until <= r.now',
);

export const selectSilences = statement<SilenceRow>()(
  'select_alert_silences',
  { now: 'int' },
  'select silence_id, kind, subject, at, until, who from alert_silences where until > r.now order by until, silence_id',
);

/** One index look-up for each queue, however long it is. */
export const selectOldestDue = statement<{ lane: LaneId; due_at: number | null }>()(
  'select_oldest_due',
  { lane: 'text' },
  `select r.lane as lane,
     (select min(d.due_at) from deliveries d where d.state = 'queued' and d.lane = (r.lane)) as due_at
   from {rows} r`,
);
