/**
 * The history of the carriers of generated traffic, counted from that traffic as the gateway counts real traffic. It
 * has no figures of windows and queues, because nobody sampled these. Pure.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import {
  type HistoryPart,
  type HistoryRow,
  historyHourMs,
  historySteps,
  minuteMs,
} from '../../model/carrier-history.ts';
import { delayBucketOf } from '../../model/delay-buckets.ts';
import type { DemoOutcome } from '../../model/demo.ts';
import type { DemoTraffic } from './demo-traffic.ts';

export interface DemoHistoryPlan {
  traffic: readonly DemoTraffic[];
  carriers: Record<'sms' | 'mms', string>;
  from: EpochMs;
  now: EpochMs;
}

export interface DemoHistory {
  stepMs: (typeof historySteps)[number];
  rows: HistoryRow[];
}

/** By the hour, and by the minute as far back as the board compares minutes. */
const minutesMs = 12 * historyHourMs;

export function demoHistory(plan: DemoHistoryPlan): DemoHistory[] {
  return historySteps.map((stepMs) => {
    const from = stepMs === minuteMs ? Math.max(plan.from, plan.now - minutesMs) : plan.from;
    return { stepMs, rows: rowsOf({ ...plan, from }, stepMs) };
  });
}

function rowsOf({ traffic, carriers, from, now }: DemoHistoryPlan, stepMs: number): HistoryRow[] {
  const rows = new Map<string, HistoryRow>();
  const begin = (at: EpochMs) => Math.floor(at / stepMs) * stepMs;
  for (const carrierId of new Set(Object.values(carriers))) {
    for (let at = begin(from); at < now; at += stepMs) {
      const watchedMs = Math.min(now, at + stepMs) - at;
      rows.set(`${carrierId} ${at}`, { carrierId, at, figures: { watchedMs, upMs: watchedMs }, counts: [] });
    }
  }
  for (const one of traffic) {
    if (one.what !== 'sent') continue;
    const carrierId = one.mediaUrls.length > 0 ? carriers.mms : carriers.sms;
    for (const { outcome } of one.recipients) {
      for (const { at, ...step } of stepsOf(outcome, one.at)) {
        const row = rows.get(`${carrierId} ${begin(at)}`);
        if (row !== undefined) count(row, step);
      }
    }
  }
  return [...rows.values()];
}

interface Step {
  figure: 'taken' | 'refused' | 'delivered' | 'undelivered';
  named: readonly (readonly [HistoryPart, string])[];
}

/** The steps of a message at the carrier, with their times. */
function stepsOf(
  { sendingAfterMs, sentAfterMs, endAfterMs, to, code }: DemoOutcome,
  at: EpochMs,
): (Step & { at: EpochMs })[] {
  const name = code ?? 'UNKNOWN';
  if (sentAfterMs === null) return [{ at: at + sendingAfterMs, figure: 'refused', named: [['refused', name]] }];
  const taken = { at: at + sentAfterMs, figure: 'taken', named: [] } as const;
  const delay = ['delay', String(delayBucketOf(endAfterMs - sentAfterMs))] as const;
  const end = at + endAfterMs;
  if (to === 'delivered') return [taken, { at: end, figure: to, named: [delay] }];
  if (to === 'undelivered') return [taken, { at: end, figure: to, named: [delay, [to, name]] }];
  return [taken];
}

function count({ figures, counts }: HistoryRow, { figure, named }: Step): void {
  figures[figure] = (figures[figure] ?? 0) + 1;
  for (const [part, name] of named) {
    const known = counts.find((one) => one.part === part && one.name === name);
    if (known === undefined) counts.push({ part, name, count: 1 });
    else known.count += 1;
  }
}
