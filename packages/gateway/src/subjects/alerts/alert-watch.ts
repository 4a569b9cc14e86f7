/**
 * Watches the gateway, on the acting node: every few seconds it judges the figures by the rules, stores alerts that
 * fire or are over together with their events, and sends due mails. Firing alerts are read from the store at the start,
 * so a restart or another node does not send them again.
 */

import { isoTime } from '../../http/envelope.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId, Ids } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { NewEvent } from '../../messaging/store/items.ts';
import type { TrustedClock } from '../../messaging/time/trusted-clock.ts';
import { type Alert, type AlertSilence, alertLimits, alertRules, alertTraits, isSilenced } from '../../model/alert.ts';
import type { Directory } from '../../model/directory.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { GatherFigures } from './alert-figures.ts';
import type { AlertMail } from './alert-mail.ts';
import { createAlertTracker } from './alert-tracker.ts';
import { type Condition, conditionsOf } from './conditions.ts';
import type { Operators } from './operators.ts';
import type { AlertState, AlertStep } from './store/items.ts';
import type { AlertStore } from './store/module.ts';
import type { UsualDelays } from './usual-delays.ts';

const lookEveryMs = 5_000;
const forgetEveryMs = 3_600_000;
const forgottenAtOnce = 1_000;

export interface AlertWatch {
  /** Rejects when the store does. */
  start(): Promise<void>;
  /** One look; tests call it too. Rejects when the store does. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

export interface AlertWatchParts {
  clock: Clock;
  ids: Pick<Ids, 'next'>;
  logger: Logger;
  store: Pick<AlertStore, 'stepAlerts' | 'firingAlerts' | 'alertSilences' | 'forgetAlerts'> & Pick<StoreBase, 'place'>;
  directory(): Directory;
  gather: GatherFigures;
  operators: Operators;
  usual: Pick<UsualDelays, 'load' | 'write'>;
  mail: Pick<AlertMail, 'isOn' | 'send' | 'stop'>;
  /** Why the machine's clock is not trusted; while it is not, nothing is deleted by age. */
  doubt: TrustedClock['doubt'];
}

/** A step, and how to update the tracker once it is stored. */
interface Planned {
  step: AlertStep;
  alert: Alert;
}

export function createAlertWatch(parts: AlertWatchParts): AlertWatch {
  const { clock, logger, store, ids, mail } = parts;
  const tracker = createAlertTracker(clock);
  let firing = new Map<string, Alert>();
  let isKnown = false;
  let forgottenMs = clock.monotonicMs();
  let cancel = (): void => {};
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  async function load(): Promise<void> {
    firing = new Map((await store.firingAlerts()).map((alert) => [alert.alertId, alert]));
    tracker.load([...firing.values()]);
    isKnown = true;
  }

  async function look(): Promise<void> {
    if (!store.place.acts()) return;
    if (!isKnown) await load();
    const rules = parts.directory().records.alerts;
    const conditions = conditionsOf(await parts.gather(), alertRules(rules));
    const { fire, resolve } = tracker.step(conditions, rules);
    const silences = await store.alertSilences(clock.now());
    const begun = fire.map((condition) => alertOf(condition, silences));
    const over = resolve.flatMap(({ alertId }) => firing.get(alertId) ?? []);
    const ending = new Set(over.map(({ alertId }) => alertId));
    const unmuted = [...firing.values()].filter(
      (alert) => !alert.isTold && !ending.has(alert.alertId) && !isSilenced(alert, silences, clock.now()),
    );
    if (begun.length + over.length + unmuted.length > 0) await change({ begun, over, unmuted });
    await parts.usual.write();
    await forget();
    mail.send();
  }

  function alertOf({ kind, subject, environment, value, detail }: Condition, silences: AlertSilence[]): Alert {
    const rule = alertRules(parts.directory().records.alerts).find(({ alertId }) => alertId === kind)!;
    return {
      ...{ alertId: ids.next('alr_'), kind, subject, environment, value, detail, limit: rule.limit },
      ...{ firedAt: clock.now(), resolvedAt: null },
      isTold: !isSilenced({ kind, subject }, silences, clock.now()),
    };
  }

  async function change({ begun, over, unmuted }: Record<'begun' | 'over' | 'unmuted', Alert[]>): Promise<void> {
    const accountIds = await parts.operators.accountIds();
    const at = clock.now();
    const notice = (alert: Alert, state: 'firing' | 'resolved') =>
      alert.isTold
        ? { events: alertEvents(alert, { state, at, accountIds, ids }), mail: mail.isOn }
        : { events: [], mail: false };
    const planned: Planned[] = [
      ...begun.map((alert) => ({ alert, step: { step: 'fire', alert, ...notice(alert, 'firing') } as const })),
      ...unmuted.map((alert) => {
        const known = { ...alert, isTold: true };
        return {
          alert: known,
          step: { step: 'notify', alertId: alert.alertId, at, ...notice(known, 'firing') } as const,
        };
      }),
      // Every recipient of the firing alert is notified of its end, silence or not.
      ...over.map((alert) => ({
        alert,
        step: { step: 'resolve', alertId: alert.alertId, at, ...notice(alert, 'resolved') } as const,
      })),
    ];
    // Unknown whether it was stored: the next look reads the store.
    isKnown = false;
    const made = await store.stepAlerts(planned.map(({ step }) => step));
    isKnown = made.every((one) => one);
    for (const [index, one] of planned.entries()) if (made[index] === true) took(one);
  }

  function took({ step, alert }: Planned): void {
    const { alertId, kind, subject, detail, isTold } = alert;
    const fields = { alertId, kind, subject, silenced: !isTold };
    if (step.step === 'resolve') {
      firing.delete(alertId);
      tracker.closed(alert);
      logger.info(fields, 'an alert is over');
      return;
    }
    firing.set(alertId, alert);
    tracker.opened(alert);
    logger.warn({ ...fields, detail }, 'an alert fires');
  }

  async function forget(): Promise<void> {
    const now = clock.now();
    if (clock.monotonicMs() - forgottenMs < forgetEveryMs || parts.doubt() !== null) return;
    const before = now - alertLimits.keptMs;
    const gone = await store.forgetAlerts({ before, keep: alertLimits.kept, now, limit: forgottenAtOnce });
    if (gone < forgottenAtOnce) forgottenMs = clock.monotonicMs();
  }

  function again(): void {
    if (stopped) return;
    cancel = clock.after(lookEveryMs, () => {
      looking = look()
        .catch((error: unknown) => {
          isKnown = false;
          if (error instanceof StoreUnavailable) logger.debug({ reason: error.reason }, 'alerts wait for the store');
          else logger.error({ err: error }, 'alerts could not be looked at');
        })
        .finally(again);
    });
  }

  return {
    start: async () => {
      await parts.usual.load();
      await load();
      again();
    },
    look,
    stop: async () => {
      stopped = true;
      cancel();
      await looking;
      await mail.stop();
    },
  };
}

/** One event for each company that has an operator. */
function alertEvents(
  alert: Alert,
  {
    state,
    at,
    accountIds,
    ids,
  }: { state: AlertState; at: EpochMs; accountIds: readonly AccountId[]; ids: Pick<Ids, 'next'> },
): NewEvent[] {
  const { alertId, kind, subject, environment, value, limit, detail, firedAt } = alert;
  const data = {
    ...{ alertId, state, environment },
    carrierId: kind === 'budget' || subject === '' ? null : subject,
    accountId: kind === 'budget' ? subject : null,
    ...{ value, limit, unit: alertTraits[kind].unit, detail },
    firedAt: isoTime(firedAt),
    resolvedAt: state === 'resolved' ? isoTime(at) : null,
  };
  return accountIds.map((accountId) => ({ eventId: ids.next('evt_'), accountId, type: `alert.${kind}`, at, data }));
}
