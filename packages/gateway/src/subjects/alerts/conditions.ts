/** Compares the measured values with the rules: for each watched thing, whether its condition holds. Pure. */
import { dayMs, type EpochMs } from '../../kernel/clock.ts';
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
  /** Attempts in the last five minutes. */
  tries: number;
  refused: number;
  gap: ReceiptGap | null;
  /** In milliseconds, as last measured; null = never. */
  usualMs: number | null;
  /** Since when its oldest waiting message has been due; null = none. */
  oldestDueAt: EpochMs | null;
  /** Null = no TLS, or no connection yet. */
  certificateEndsAt: EpochMs | null;
}

/** Live traffic only. */
export interface BudgetFigures {
  accountId: AccountId;
  name: string;
  /** Null = not checked since the start. */
  percent: number | null;
}

export interface Figures {
  now: EpochMs;
  /** How long this node has watched. */
  watchedMs: number;
  carriers: readonly CarrierFigures[];
  freeBytes: number;
  /** The gateway's certificate; null without https. */
  certificateEndsAt: EpochMs | null;
  budgets: readonly BudgetFigures[];
  /** The environment of alerts about the gateway itself. */
  environment: Environment;
}

export interface Condition extends AlertTarget {
  environment: Environment;
  /** Null = unknown now: a firing alert goes on, and none begins. */
  holds: boolean | null;
  value: number;
  detail: string;
}

type Found = Pick<Condition, 'holds' | 'value' | 'detail'>;

const bytesPerMegabyte = 1_000_000;
/** Too few messages, or a single lost receipt, are no reason for an alert. */
const unreportedPartsMin = 10;
const silenceMinMs = 600_000;
/** Fewer attempts are no reason for an alert. */
const triesMin = 20;
const errorsWindowMs = 300_000;

/** For all rules that are on. If a firing alert is missing here, its target no longer exists. */
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

/** The same rule as `HeliographCarrierSilent` for Prometheus: the usual delay is the last known one. */
function receipts({ name, up, gap, usualMs }: CarrierFigures, limit: number): Found {
  // After a start, only a receipt or a long silence shows the state of the carrier.
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
  // The figures of the five minutes before a start are lost.
  if (tries < triesMin) return { ...unknown, holds: watchedMs < errorsWindowMs ? null : false };
  const percent = (refused / tries) * 100;
  return { holds: percent >= limit, value: Math.floor(percent), detail: sentence.errors(name, { tries, refused }) };
}

/** Messages that wait for a carrier that is down are covered by another alert. */
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
