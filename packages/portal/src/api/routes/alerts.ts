/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface AlertsNow {
  firing: Alert[];
  silences: AlertSilence[];
  rules: AlertRule[];
  mail: { isOn: boolean; to: string[] };
}

export interface Alert {
  alertId: string;
  kind: 'receipts' | 'errors' | 'backlog' | 'link' | 'disk' | 'budget' | 'certificate';
  /** The id of a carrier, or of the company of a budget; empty = the gateway itself. */
  subject: string;
  environment: 'sandbox' | 'live';
  /** As measured when it fired. */
  value: number;
  /** The limit then. */
  limit: number;
  /** Of `value` and `limit`. */
  unit: 'times' | 'percent' | 'seconds' | 'megabytes' | 'days';
  detail: string;
  firedAt: string;
  resolvedAt: string | null;
  /** False while a silence kept it from being sent. */
  isTold: boolean;
}

export interface AlertSilence {
  silenceId: string;
  kind: 'receipts' | 'errors' | 'backlog' | 'link' | 'disk' | 'budget' | 'certificate' | null;
  subject: string | null;
  at: string;
  until: string;
  who: string;
}

export interface AlertRule {
  kind: 'receipts' | 'errors' | 'backlog' | 'link' | 'disk' | 'budget' | 'certificate';
  enabled: boolean;
  limit: number;
  forSeconds: number;
  /** Of `value` and `limit`. */
  unit: 'times' | 'percent' | 'seconds' | 'megabytes' | 'days';
  min: number;
  max: number;
  byDefault: { limit: number; forSeconds: number };
  /** Send it back with a change. */
  version: string;
}

export interface AlertsRoutes {
  'DELETE /alerts/silences/:silenceId': {
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /alerts': {
    query: Record<never, never>;
    body: undefined;
    answer: AlertsNow;
  };
  'GET /alerts/history': {
    query: { before?: string | null; subject?: string | null; limit?: string | null };
    body: undefined;
    answer: Alert[];
  };
  'POST /alerts/rules/:kind': {
    query: Record<never, never>;
    body: { record?: unknown; version?: string };
    answer: Record<string, never>;
  };
  'POST /alerts/silences': {
    query: Record<never, never>;
    body: {
      kind?: 'receipts' | 'errors' | 'backlog' | 'link' | 'disk' | 'budget' | 'certificate' | null;
      subject?: string | null;
      minutes: number;
    };
    answer: { silenceId: string };
  };
  'POST /alerts/test-mail': {
    query: Record<never, never>;
    body: unknown;
    answer: { to: string };
  };
}
