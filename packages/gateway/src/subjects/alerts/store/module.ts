/** Alerts with their history, mails and silences. An alert commits together with its events. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId } from '../../../kernel/ids.ts';
import { appendAudit } from '../../../messaging/store/operations/audit.ts';
import { addEvents } from '../../../messaging/store/operations/events.ts';
import { type Alert, type AlertKind, type AlertSilence, alertLimits } from '../../../model/alert.ts';
import type { Environment } from '../../../model/records.ts';
import type { WriteContext } from '../../../store/context.ts';
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import type {
  AlertHistoryQuery,
  AlertState,
  AlertStep,
  DueMail,
  ForgetAlertsRequest,
  MailOutcome,
  OldestDue,
  SilenceChange,
} from './items.ts';
import * as sql from './statements.ts';

/** More carriers than any gateway has. */
const firingMax = 10_000;
/** Sorts after every id. */
const fromNewest = '~';

/** True for each step that was stored: an alert that fires already does not fire again. */
function* stepAlerts(steps: readonly AlertStep[], context: WriteContext): Operation<boolean[]> {
  const made: boolean[] = [];
  for (const step of steps) {
    const isMade = (yield* rowsOf(step)).length > 0;
    if (isMade) yield* addEvents(step.events, context);
    made.push(isMade);
  }
  return made;
}

function rowsOf(step: AlertStep): Operation<unknown[]> {
  switch (step.step) {
    case 'fire': {
      const { alertId, kind, subject, environment, firedAt, isTold, value, limit, detail } = step.alert;
      const row = { alert_id: alertId, kind, subject, environment, fired_at: firedAt, told: isTold ? 1 : 0 };
      const mail = { mail: step.mail ? 'firing' : '', mail_due_at: firedAt };
      return run(sql.insertAlert, [{ ...row, ...mail, body: JSON.stringify({ value, limit, detail }) }]);
    }
    case 'notify':
      return run(sql.markReported, [{ alert_id: step.alertId, mail: step.mail ? 'firing' : '', mail_due_at: step.at }]);
    case 'resolve':
      return run(sql.resolveAlert, [
        { alert_id: step.alertId, resolved_at: step.at, mail: step.mail ? 'resolved' : '' },
      ]);
  }
}

function* noteAlertMail(outcomes: readonly MailOutcome[]): Operation<null[]> {
  yield* run(
    sql.noteMail,
    outcomes.map(({ alertId, state, tries, dueAt }) => ({
      alert_id: alertId,
      state,
      mail: dueAt === null ? '' : state,
      mail_tries: tries,
      mail_due_at: dueAt ?? 0,
    })),
  );
  return outcomes.map(() => null);
}

/** False for an unknown silence, and for one above the limit. */
function* changeSilences(changes: readonly SilenceChange[]): Operation<boolean[]> {
  const made: boolean[] = [];
  for (const change of changes) {
    const isMade = change.change === 'put' ? yield* putSilence(change.silence) : yield* endSilence(change.silenceId);
    if (isMade) yield* appendAudit(change.audit);
    made.push(isMade);
  }
  return made;
}

function* putSilence({ silenceId, kind, subject, at, until, who }: AlertSilence): Operation<boolean> {
  if ((yield* run(sql.selectSilences, [{ now: at }])).length >= alertLimits.silences) return false;
  yield* run(sql.insertSilence, [{ silence_id: silenceId, kind: kind ?? '', subject, at, until, who }]);
  return true;
}

function* endSilence(silenceId: string): Operation<boolean> {
  return (yield* run(sql.deleteSilence, [{ silence_id: silenceId }])).length > 0;
}

function* firingAlerts(): Operation<Alert[]> {
  return (yield* run(sql.selectFiring, [{ limit: firingMax }])).map(alertOf);
}

/** Newest first, firing ones included. */
function* alertHistory({ before, subject = null, limit }: AlertHistoryQuery): Operation<Alert[]> {
  return (yield* run(sql.selectHistory, [{ before: before ?? fromNewest, subject, limit }])).map(alertOf);
}

function* dueAlertMail(query: { now: EpochMs; limit: number }): Operation<DueMail[]> {
  const rows = yield* run(sql.selectDueMail, [query]);
  return rows.map((row) => ({ alert: alertOf(row), state: row.mail as AlertState, tries: row.mail_tries }));
}

/** Silences that have not ended, ordered by their end. */
function* alertSilences(now: EpochMs): Operation<AlertSilence[]> {
  const rows = yield* run(sql.selectSilences, [{ now }]);
  return rows.map(({ silence_id: silenceId, kind, ...row }) => ({
    silenceId,
    kind: kind === '' ? null : (kind as AlertKind),
    ...row,
  }));
}

function* oldestDue(lanes: readonly LaneId[]): Operation<OldestDue[]> {
  const rows = yield* run(
    sql.selectOldestDue,
    lanes.map((lane) => ({ lane })),
  );
  return rows.map(({ lane, due_at }) => ({ lane, dueAt: due_at }));
}

/** Returns how many alerts were deleted. */
function* forgetAlerts(requests: readonly ForgetAlertsRequest[]): Operation<number[]> {
  const counts: number[] = [];
  for (const { before, keep, now, limit } of requests) {
    const [surplus] = yield* run(sql.selectSurplusAlert, [{ keep }]);
    const gone = yield* run(sql.selectOldAlerts, [{ before, surplus: surplus?.alert_id ?? '', limit }]);
    yield* run(sql.deleteAlert, gone);
    yield* run(sql.deleteEndedSilences, [{ now }]);
    counts.push(gone.length);
  }
  return counts;
}

function alertOf(row: sql.AlertRow): Alert {
  const { value, limit, detail } = JSON.parse(row.body) as Pick<Alert, 'value' | 'limit' | 'detail'>;
  return {
    alertId: row.alert_id,
    kind: row.kind as AlertKind,
    subject: row.subject,
    environment: row.environment as Environment,
    value,
    limit,
    detail,
    firedAt: row.fired_at,
    resolvedAt: row.resolved_at,
    isTold: row.told === 1,
  };
}

export const alertStore = storeModule({
  name: 'alerts',
  writes: {
    stepAlerts: { run: stepAlerts, events: true },
    noteAlertMail: { run: noteAlertMail, journal: 'apart' },
    changeSilences: { run: changeSilences, journal: 'apart' },
    forgetAlerts: { run: forgetAlerts, journal: 'apart' },
  },
  reads: {
    firingAlerts: { run: firingAlerts, needs: 'nothing' },
    alertHistory: { run: alertHistory, needs: 'nothing' },
    alertSilences: { run: alertSilences, needs: 'nothing' },
    dueAlertMail: { run: dueAlertMail, needs: 'nothing' },
    // As for a scrape: messages in the journal may be missing for up to ten seconds.
    oldestDue: { run: oldestDue, needs: 'nothing' },
  },
  verbs: (on) => ({
    noteAlertMail: async (outcomes: MailOutcome[]): Promise<void> => void (await on.noteAlertMail(outcomes)),
    changeSilence: one(on.changeSilences),
    forgetAlerts: one(on.forgetAlerts),
  }),
});

export interface AlertStore extends StoreOf<typeof alertStore> {}
