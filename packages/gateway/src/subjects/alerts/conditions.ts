/** What is measured for alerts, held against the rules: for each thing that is watched, whether its condition holds. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { ReceiptGap } from '../../messaging/send-queue/lane-meter.ts';
import type { AlertKind, AlertRule, AlertTarget } from '../../model/alert.ts';
import type { Environment } from '../../model/environment.ts';
import * as sentence from './alert-sentences.ts';

/** An enabled carrier that is not paused. */
export interface CarrierFigures {
  carrierId: string;
  name: string;
  environment: Environment;
  up: boolean;
  binds: { all: number; down: number };
  /** Over the last five minutes. */
  tries: number;
  refused: number;
  gap: ReceiptGap | null;
  /** In milliseconds, as last known; null = never measured. */
  usualMs: number | null;
  /** Since when its oldest waiting message has been due; null = none is. */
  oldestDueAt: EpochMs | null;
  /** Null = no TLS, or no connection was made yet. */
  certificateEndsAt: EpochMs | null;
}

/** Of live traffic. */
export interface BudgetFigures {
  accountId: AccountId;
  name: string;
  /** Null = not looked at since the start. */
  percent: number | null;
}

export interface Figures {
  now: EpochMs;
  /** For how long this node has watched. */
  watchedMs: number;
  carriers: readonly CarrierFigures[];
  freeBytes: number;
  /** Of the gateway; null without https. */
  certificateEndsAt: EpochMs | null;
  budgets: readonly BudgetFigures[];
  /** Where alerts about the gateway itself belong. */
  environment: Environment;
}

export interface Condition extends AlertTarget {
  environment: Environment;
  /** Null = nobody can tell now: an alert that fires goes on, and none begins. */
  holds: boolean | null;
  value: number;
  detail: string;
}

type Found = Pick<Condition, 'holds' | 'value' | 'detail'>;

const dayMs = 86_400_000;
const bytesPerMegabyte = 1_000_000;
/** A quiet carrier is no news, and neither is one lost receipt. */
const unreportedPartsMin = 10;
const silenceMinMs = 600_000;
/** A few refused messages are no news. */
const triesMin = 20;
const errorsWindowMs = 300_000;

/** Of all rules that are on. What is missing here and fires is gone. */
export function conditionsOf(figures: Figures, rules: readonly AlertRule[]): Condition[] {
  const limits = new Map(rules.filter(({ enabled }) => enabled).map(({ alertId, limit }) => [alertId, limit]));
  const found: Condition[] = [];
  const add = (target: AlertTarget & { environment: Environment }, look: (limit: number) => Found): void => {
    const limit = limits.get(target.kind);
    if (limit !== undefined) found.push({ ...target, ...look(limit) });
  };
  for (const carrier of figures.carriers) {
    const of = (kind: AlertKind) => ({ kind, subject: carrier.carrierId, environment: carrier.environment });
    add(of('receipts'), (limit) => receipts(carrier, limit));
    add(of('errors'), (limit) => errors(carrier, limit, figures.watchedMs));
    add(of('backlog'), (limit) => backlog(carrier, limit, figures.now));
    add(of('link'), (limit) => link(carrier, limit));
    add(of('certificate'), (limit) =>
      certificate(carrier.certificateEndsAt, limit, { ...figures, who: `carrier ${carrier.name}`, known: carrier.up }),
    );
  }
  const own = { subject: '', environment: figures.environment };
  add({ ...own, kind: 'disk' }, (limit) => disk(figures.freeBytes, limit));
  add({ ...own, kind: 'certificate' }, (limit) =>
    certificate(figures.certificateEndsAt, limit, { ...figures, who: 'this gateway', known: true }),
  );
  for (const one of figures.budgets) {
    add({ kind: 'budget', subject: one.accountId, environment: 'live' }, (limit) => budget(one, limit));
  }
  return found;
}

const unknown: Found = { holds: null, value: 0, detail: '' };

/** The rule `HeliographCarrierSilent` of Prometheus: the usual delay is the last known one. */
function receipts({ name, up, gap, usualMs }: CarrierFigures, limit: number): Found {
  // After a start only a receipt, or the silence itself, shows how the carrier does.
  if (!up || gap === null) return unknown;
  const { parts, partsForMs, isReported } = gap;
  const times = usualMs === null ? 0 : partsForMs / usualMs;
  const isSilent = parts >= unreportedPartsMin && partsForMs > silenceMinMs && times > limit;
  return {
    holds: isSilent || (isReported ? false : null),
    value: Math.floor(times),
    detail: sentence.receipts(name, { partsForMs, parts, usualMs: usualMs ?? 0 }),
  };
}

function errors({ name, tries, refused }: CarrierFigures, limit: number, watchedMs: number): Found {
  // The figures of the five minutes before a start are gone.
  if (tries < triesMin) return { ...unknown, holds: watchedMs < errorsWindowMs ? null : false };
  const percent = (refused / tries) * 100;
  return { holds: percent >= limit, value: Math.floor(percent), detail: sentence.errors(name, { tries, refused }) };
}

/** What waits for a carrier that is down is the news of another alert. */
function backlog({ name, up, oldestDueAt }: CarrierFigures, limit: number, now: EpochMs): Found {
  if (!up) return unknown;
  const seconds = oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1_000;
  return { holds: seconds > limit, value: Math.floor(seconds), detail: sentence.backlog(name, seconds) };
}

function link({ name, up, binds }: CarrierFigures, limit: number): Found {
  const percent = up && binds.all > 0 ? (binds.down / binds.all) * 100 : up ? 0 : 100;
  const holds = percent > 0 && percent >= limit;
  return { holds, value: Math.floor(percent), detail: sentence.link(name, up ? binds : null) };
}

function certificate(
  endsAt: EpochMs | null,
  limit: number,
  { who, known, now }: { who: string; known: boolean; now: EpochMs },
): Found {
  if (endsAt === null) return { ...unknown, holds: known ? false : null };
  const days = (endsAt - now) / dayMs;
  return { holds: days < limit, value: Math.floor(days), detail: sentence.certificate(who, endsAt, now) };
}

function disk(freeBytes: number, limit: number): Found {
  const megabytes = freeBytes / bytesPerMegabyte;
  return { holds: megabytes < limit, value: Math.floor(megabytes), detail: sentence.disk(megabytes) };
}

function budget({ name, percent }: BudgetFigures, limit: number): Found {
  if (percent === null) return unknown;
  return { holds: percent >= limit, value: percent, detail: sentence.budget(name, percent) };
}
