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
  /** It fired during a silence, and the silence is over. */
  | { step: 'notify'; alertId: string; at: EpochMs; events: NewEvent[]; mail: boolean }
  | { step: 'resolve'; alertId: string; at: EpochMs; events: NewEvent[]; mail: boolean };

/** An alert with a waiting mail. */
export interface DueMail {
  alert: Alert;
  state: AlertState;
  tries: number;
}

export interface MailOutcome {
  alertId: string;
  /** The state that was to be mailed: a newer one stays due. */
  state: AlertState;
  tries: number;
  /** When the next attempt is due; null = no further one. */
  dueAt: EpochMs | null;
}

export type SilenceChange =
  | { change: 'put'; silence: AlertSilence; audit: NewAuditEntry }
  | { change: 'end'; silenceId: string; audit: NewAuditEntry };

export interface AlertHistoryQuery {
  /** Alerts before this id; null = from the newest. */
  before: string | null;
  /** Only this subject; absent = all. */
  subject?: string | null;
  limit: number;
}

export interface ForgetAlertsRequest {
  /** Resolved before this time. */
  before: EpochMs;
  /** How many of the newest others to keep. */
  keep: number;
  now: EpochMs;
  /** The most rows of one call. */
  limit: number;
}

export interface OldestDue {
  lane: LaneId;
  /** When its oldest waiting message is due; null = none waits. */
  dueAt: EpochMs | null;
}
