/** Alerts: what the gateway watches by itself, the rules of the operator, and what is kept of each. Plain data and defaults. */
import type { EpochMs } from '../kernel/clock.ts';
import type { Environment } from './environment.ts';

export const alertKinds = ['receipts', 'errors', 'backlog', 'link', 'disk', 'budget', 'certificate'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** On record only where an operator changed something. */
export interface AlertRule {
  alertId: AlertKind;
  enabled: boolean;
  /** In the unit of its kind: `alertTraits`. */
  limit: number;
  /** For so long it must hold before the alert fires. */
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

/** The unit and bounds of each limit, and the rule that holds until an operator writes another. */
export const alertTraits: Readonly<Record<AlertKind, AlertTrait>> = {
  // Of the usual delay of a carrier's receipts: p95 of a day.
  receipts: { unit: 'times', min: 2, max: 100, limit: 3, forSeconds: 60 },
  // Of the tries of five minutes that a carrier refused.
  errors: { unit: 'percent', min: 1, max: 100, limit: 20, forSeconds: 60 },
  // For which the oldest message of a connected carrier has been due.
  backlog: { unit: 'seconds', min: 5, max: 86_400, limit: 60, forSeconds: 60 },
  // Of a carrier's connections that are down.
  link: { unit: 'percent', min: 1, max: 100, limit: 100, forSeconds: 300 },
  // Free on the disk of the data folder.
  disk: { unit: 'megabytes', min: 1, max: 100_000_000, limit: 1_000, forSeconds: 60 },
  // Of the monthly budget of a company.
  budget: { unit: 'percent', min: 1, max: 1_000, limit: 80, forSeconds: 0 },
  // Until a certificate expires.
  certificate: { unit: 'days', min: 1, max: 365, limit: 14, forSeconds: 0 },
};

export const alertForSecondsMax = 86_400;

/** The rule of each kind: as written by an operator, else the default. */
export function alertRules(written: readonly AlertRule[]): AlertRule[] {
  return alertKinds.map((alertId) => {
    const { limit, forSeconds } = alertTraits[alertId];
    return written.find((rule) => rule.alertId === alertId) ?? { alertId, enabled: true, limit, forSeconds };
  });
}

/** What an alert is about: a kind, and one of its carriers or companies. */
export interface AlertTarget {
  kind: AlertKind;
  /** The id of a carrier, or of the company of a budget; '' = the gateway itself. */
  subject: string;
}

/** One that fired; it stays in the history after it is over. */
export interface Alert extends AlertTarget {
  /** `alr_` + 26 characters that sort by time. */
  alertId: string;
  environment: Environment;
  /** When it fired: what was measured, and the limit then. */
  value: number;
  limit: number;
  /** One sentence. */
  detail: string;
  firedAt: EpochMs;
  /** Null while it fires. */
  resolvedAt: EpochMs | null;
  /** False while a silence kept it from being sent. */
  isTold: boolean;
}

/** No alert of this kind and subject is sent until it ends. */
export interface AlertSilence {
  /** `sil_` + 26 characters. */
  silenceId: string;
  /** Null = of every kind. */
  kind: AlertKind | null;
  /** Null = of every subject. */
  subject: string | null;
  at: EpochMs;
  until: EpochMs;
  /** The e-mail address of who set it. */
  who: string;
}

export function isSilenced({ kind, subject }: AlertTarget, silences: readonly AlertSilence[], now: EpochMs): boolean {
  return silences.some(
    (one) =>
      now < one.until && (one.kind === null || one.kind === kind) && (one.subject === null || one.subject === subject),
  );
}

export const alertLimits = {
  /** The history: so many, and none older. */
  kept: 10_000,
  keptMs: 400 * 86_400_000,
  silences: 100,
  /** A silence never lasts for longer: what is muted for good is switched off. */
  silenceMinutes: 7 * 24 * 60,
} as const;
