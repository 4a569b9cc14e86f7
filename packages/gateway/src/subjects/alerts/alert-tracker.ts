/**
 * Turns conditions into alerts: one fires after its condition held for the time of its rule, and is resolved after the
 * condition did not hold for a minute, so that it does not flap. Does not use the store; the caller reports what was
 * stored.
 */
import { type AlertRule, type AlertTarget, alertRules } from '../../model/alert.ts';
import type { Condition } from './conditions.ts';

const resolvedAfterMs = 60_000;

export interface OpenAlert extends AlertTarget {
  alertId: string;
}

export interface AlertTracker {
  /** Alerts to store now. Returns the same again until `opened` or `closed` confirms them. */
  step(conditions: readonly Condition[], rules: readonly AlertRule[]): { fire: Condition[]; resolve: OpenAlert[] };
  /** Sets the firing alerts. */
  load(open: readonly OpenAlert[]): void;
  opened(alert: OpenAlert): void;
  closed(alert: OpenAlert): void;
}

export function createAlertTracker(clock: { monotonicMs(): number }): AlertTracker {
  const open = new Map<string, OpenAlert>();
  /** By condition: since when it has held, or, while its alert fires, has not. */
  const holdsSince = new Map<string, number>();
  const overSince = new Map<string, number>();

  return {
    step: (conditions, rules) => {
      const now = clock.monotonicMs();
      const forMs = new Map(alertRules(rules).map(({ alertId, forSeconds }) => [alertId, forSeconds * 1_000]));
      const byKey = new Map(conditions.map((one) => [keyOf(one), one]));
      for (const key of holdsSince.keys()) if (!byKey.has(key)) holdsSince.delete(key);
      const fire = conditions.filter((condition) => {
        const key = keyOf(condition);
        if (condition.holds !== true || open.has(key)) {
          holdsSince.delete(key);
          return false;
        }
        const since = holdsSince.get(key) ?? now;
        holdsSince.set(key, since);
        return now - since >= forMs.get(condition.kind)!;
      });
      const resolve = [...open].flatMap(([key, alert]) => {
        const holds = byKey.has(key) ? byKey.get(key)!.holds : false;
        if (holds !== false) {
          overSince.delete(key);
          return [];
        }
        const since = overSince.get(key) ?? now;
        overSince.set(key, since);
        return now - since >= resolvedAfterMs ? [alert] : [];
      });
      return { fire, resolve };
    },
    load: (alerts) => {
      open.clear();
      for (const alert of alerts) open.set(keyOf(alert), alert);
      for (const key of overSince.keys()) if (!open.has(key)) overSince.delete(key);
    },
    opened: (alert) => {
      open.set(keyOf(alert), alert);
      holdsSince.delete(keyOf(alert));
    },
    closed: (alert) => {
      open.delete(keyOf(alert));
      overSince.delete(keyOf(alert));
    },
  };
}

function keyOf({ kind, subject }: AlertTarget): string {
  return `${kind} ${subject}`;
}
