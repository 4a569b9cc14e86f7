/** Alerts: what the gateway watches, the operator's rules, and the stored alerts. Plain data and defaults. */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { Environment } from './environment.ts';

export const alertKinds = ['receipts', 'errors', 'backlog', 'link', 'disk', 'budget', 'certificate'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Stored only if an operator changed something. */
export interface AlertRule {
  alertId: AlertKind;
  enabled: boolean;
  /** In the unit of its kind: `alertTraits`. */
  limit: number;
  /** How long the condition must hold before the alert fires. */
  forSeconds: number;
}

export const alertUnits = ['times', 'percent', 'seconds', 'megabytes', 'days'] as const;

interface AlertTrait {
  unit: (typeof alertUnits)[number];
  min: number;
  max: number;
  limit: number;
  forSeconds: number;
}

/** The unit and bounds of each limit, and the default rule. */
export const alertTraits: Readonly<Record<AlertKind, AlertTrait>> = {
  // Times the usual delay of a carrier's receipts: the p95 of a day.
  receipts: { unit: 'times', min: 2, max: 100, limit: 3, forSeconds: 60 },
  // Share of attempts in five minutes that a carrier refused.
  errors: { unit: 'percent', min: 1, max: 100, limit: 20, forSeconds: 60 },
  // How long the oldest message of a connected carrier has been due.
  backlog: { unit: 'seconds', min: 5, max: 86_400, limit: 60, forSeconds: 60 },
  // Share of a carrier's connections that are down.
  link: { unit: 'percent', min: 1, max: 100, limit: 100, forSeconds: 300 },
  // Free space on the disk of the data folder.
  disk: { unit: 'megabytes', min: 1, max: 100_000_000, limit: 1_000, forSeconds: 60 },
  // Share of a company's monthly budget.
  budget: { unit: 'percent', min: 1, max: 1_000, limit: 80, forSeconds: 0 },
  // Time until a certificate expires.
  certificate: { unit: 'days', min: 1, max: 365, limit: 14, forSeconds: 0 },
};

export const alertForSecondsMax = 86_400;

/** The rule of each kind: the operator's, else the default. */
export function alertRules(written: readonly AlertRule[]): AlertRule[] {
  return alertKinds.map((alertId) => {
    const { limit, forSeconds } = alertTraits[alertId];
    return written.find((rule) => rule.alertId === alertId) ?? { alertId, enabled: true, limit, forSeconds };
  });
}

/** The target of an alert: a kind, and one carrier or company. */
export interface AlertTarget {
  kind: AlertKind;
  /** The id of a carrier, or of the company of a budget; '' = the gateway itself. */
  subject: string;
}

/** An alert that fired; it stays in the history after it is over. */
export interface Alert extends AlertTarget {
  /** `alr_` + 26 characters that sort by time. */
  alertId: string;
  environment: Environment;
  /** The measured value when it fired, and the limit at that time. */
  value: number;
  limit: number;
  /** One sentence. */
  detail: string;
  firedAt: EpochMs;
  /** Null while it fires. */
  resolvedAt: EpochMs | null;
  /** False when a silence kept it from being sent. */
  isTold: boolean;
}

/** Until it ends, no alert of this kind and subject is sent. */
export interface AlertSilence {
  /** `sil_` + 26 characters. */
  silenceId: string;
  /** Null = all kinds. */
  kind: AlertKind | null;
  /** Null = all subjects. */
  subject: string | null;
  at: EpochMs;
  until: EpochMs;
  /** The e-mail address of the person who set it. */
  who: string;
}

export function isSilenced({ kind, subject }: AlertTarget, silences: readonly AlertSilence[], now: EpochMs): boolean {
  return silences.some(
    (one) =>
      now < one.until && (one.kind === null || one.kind === kind) && (one.subject === null || one.subject === subject),
  );
}

export const alertLimits = {
  /** Limits of the history: number of alerts, and their age. */
  kept: 10_000,
  keptMs: 400 * dayMs,
  silences: 100,
  /** The longest silence: to mute an alert for good, switch its rule off. */
  silenceMinutes: 7 * 24 * 60,
} as const;
