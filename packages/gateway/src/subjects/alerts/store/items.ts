/** Parameters and results of the alerts' operations. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId } from '../../../kernel/ids.ts';
import type { NewEvent } from '../../../messaging/store/items.ts';
import type { Alert, AlertSilence } from '../../../model/alert.ts';
import type { NewAuditEntry } from '../../../model/people-audit.ts';

/** The states of an alert that are mailed. */
export type AlertState = 'firing' | 'resolved';

/** A change of one alert, with the events that it sends. */
export type AlertStep =
  | { step: 'fire'; alert: Alert; events: NewEvent[]; mail: boolean }
  /** It fired while it was silenced, and the silence is over. */
  | { step: 'tell'; alertId: string; at: EpochMs; events: NewEvent[]; mail: boolean }
  | { step: 'resolve'; alertId: string; at: EpochMs; events: NewEvent[]; mail: boolean };

/** An alert whose mail waits. */
export interface DueMail {
  alert: Alert;
  state: AlertState;
  tries: number;
}

export interface MailOutcome {
  alertId: string;
  /** What was to be mailed: a newer state stays due. */
  state: AlertState;
  tries: number;
  /** Of the next try; null = no further one. */
  dueAt: EpochMs | null;
}

export type SilenceChange =
  | { change: 'put'; silence: AlertSilence; audit: NewAuditEntry }
  | { change: 'end'; silenceId: string; audit: NewAuditEntry };

export interface AlertHistoryQuery {
  /** Alerts before this id; null = from the newest. */
  before: string | null;
  /** Of this subject alone; absent = of all. */
  subject?: string | null;
  limit: number;
}

export interface ForgetAlertsRequest {
  /** Resolved before this time. */
  before: EpochMs;
  /** Of the others, the newest. */
  keep: number;
  now: EpochMs;
  /** Rows of one call. */
  limit: number;
}

export interface OldestDue {
  lane: LaneId;
  /** Of its waiting messages; null = none waits. */
  dueAt: EpochMs | null;
}
