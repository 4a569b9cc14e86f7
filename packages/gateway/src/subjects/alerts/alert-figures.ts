/**
 * Gathers the figures that alerts are judged by: from other parts that already have them, and by a few cheap look-ups.
 */
import { isBindUp } from '../../carriers/carrier.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId, LaneId } from '../../kernel/ids.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import type { Directory } from '../../model/directory.ts';
import type { CarrierRecord, Environment } from '../../model/records.ts';
import type { BudgetOf } from '../usage/budget.ts';
import type { BudgetFigures, CarrierFigures, Figures } from './conditions.ts';
import type { AlertStore } from './store/module.ts';
import type { UsualDelays } from './usual-delays.ts';

/** A budget changes slowly, and adding up a month is an expensive look-up. */
const budgetsEveryMs = 60_000;
const budgetsAtOnce = 20;

export interface AlertFiguresParts {
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
  store: Pick<AlertStore, 'oldestDue'>;
  lanes: Pick<Lanes, 'report' | 'receiptGap' | 'isPaused'>;
  directory(): Directory;
  usual: Pick<UsualDelays, 'lastKnown'>;
  /** Free bytes on the disk of the data folder. */
  freeBytes(): number;
  /** When the gateway's own certificate expires; null without https. */
  certificateEndsAt(): EpochMs | null;
  budgetOf: BudgetOf;
}

/** Rejects when the store does. */
export type GatherFigures = () => Promise<Figures>;

export function createAlertFigures(parts: AlertFiguresParts): GatherFigures {
  const { clock, store, lanes, directory } = parts;
  const startedMs = clock.monotonicMs();
  let budgetsDueMs = startedMs;
  let lastBudget = '';
  /** The latest percentages of all companies with a budget. */
  const percents = new Map<AccountId, number>();

  function carrierOf(record: CarrierRecord, due: ReadonlyMap<LaneId, EpochMs | null>): CarrierFigures {
    const { carrierId, name, environment } = record;
    const report = lanes.report(carrierId);
    const binds = report?.status.binds ?? [];
    const gap = lanes.receiptGap(carrierId);
    const { certificate, refusedCertificate } = report?.status ?? {};
    return {
      ...{ carrierId, name, environment, gap },
      up: report?.status.up === true,
      binds: { all: binds.length, down: binds.filter((bind) => !isBindUp(bind)).length },
      tries: report?.tries ?? 0,
      refused: report?.refused ?? 0,
      usualMs: parts.usual.lastKnown(carrierId, gap?.usualMs ?? null),
      oldestDueAt: due.get(carrierId) ?? null,
      certificateEndsAt: (certificate ?? refusedCertificate)?.validTo ?? null,
    };
  }

  /** Checks some of the companies with a budget each time, in turn. */
  async function budgets(): Promise<BudgetFigures[]> {
    const companies = directory().records.accounts.filter(({ monthlyBudget }) => monthlyBudget !== undefined);
    if (clock.monotonicMs() >= budgetsDueMs) {
      budgetsDueMs = clock.monotonicMs() + budgetsEveryMs;
      const next = companies.findIndex(({ accountId }) => accountId === lastBudget) + 1;
      const turn = [...companies.slice(next), ...companies.slice(0, next)];
      for (const { accountId } of turn.slice(0, budgetsAtOnce)) {
        const use = await parts.budgetOf({ accountId, environment: 'live' });
        percents.set(accountId, use?.percent ?? 0);
        lastBudget = accountId;
      }
    }
    return companies.map(({ accountId, name }) => ({ accountId, name, percent: percents.get(accountId) ?? null }));
  }

  return async () => {
    const { carriers } = directory().records;
    const watched = carriers.filter(({ carrierId, enabled }) => enabled && !lanes.isPaused(carrierId));
    const due = await store.oldestDue(watched.map(({ carrierId }) => carrierId));
    const dueAt = new Map(due.map((one) => [one.lane, one.dueAt]));
    const isLive = carriers.some(({ enabled, environment }) => enabled && environment === 'live');
    const environment: Environment = isLive ? 'live' : 'sandbox';
    return {
      environment,
      now: clock.now(),
      watchedMs: clock.monotonicMs() - startedMs,
      carriers: watched.map((record) => carrierOf(record, dueAt)),
      freeBytes: parts.freeBytes(),
      certificateEndsAt: parts.certificateEndsAt(),
      budgets: await budgets(),
    };
  };
}
