/**
 * Writes the history of carriers once a minute: the counts of this node and, on the acting node, samples of its send
 * queues from every few seconds. A kill loses the current minute, which becomes a gap; while the store is away, minutes
 * wait.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import { obstacleOf } from '../../messaging/send-queue/limiting-factor.ts';
import type { TrustedClock } from '../../messaging/time/trusted-clock.ts';
import { type HistoryRow, historyHourMs, historyLimits, minuteMs } from '../../model/carrier-history.ts';
import type { Directory } from '../../model/directory.ts';
import type { CarrierRecord } from '../../model/records.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { HistoryCounter } from './history-counter.ts';
import type { CarrierHistoryStore } from './store/module.ts';

const sampleEveryMs = 5_000;
/** A sample that comes later than this says nothing about the time before it: the process stood still. */
const sampleLateMs = 20_000;
/** Minutes that may wait while the store is away; beyond that the oldest is dropped. */
const waitingMinutesMax = 60;
const forgetEveryMs = 3_600_000;

export interface HistoryWriter {
  start(): void;
  /** Writes the current minute as far as it got. */
  stop(): Promise<void>;
}

export interface HistoryWriterParts {
  clock: Clock;
  logger: Logger;
  store: Pick<CarrierHistoryStore, 'addCarrierHistory' | 'forgetCarrierHistory' | 'queuesNow'> &
    Pick<StoreBase, 'place'>;
  lanes: Pick<Lanes, 'report' | 'isPaused'>;
  counter: Pick<HistoryCounter, 'take'>;
  directory(): Directory;
  /** Why the machine's clock is not trusted; while it is not, nothing is deleted by age. */
  doubt: TrustedClock['doubt'];
}

type Figures = HistoryRow['figures'];

export function createHistoryWriter(parts: HistoryWriterParts): HistoryWriter {
  const { clock, logger, store, lanes, counter } = parts;
  let samples = new Map<string, Figures>();
  let sampledMs = clock.monotonicMs();
  /** By carrier, from the last look. */
  let queued = new Map<string, number>();
  let minute = minuteOf(clock.now());
  let waiting: HistoryRow[][] = [];
  let forgetDueMs = clock.monotonicMs();
  let cancel = (): void => {};
  let working: Promise<void> = Promise.resolve();
  let stopped = false;

  function sampleOf(carrierId: string): Figures {
    const figures = samples.get(carrierId) ?? {};
    samples.set(carrierId, figures);
    return figures;
  }

  function sample(): void {
    const tookMs = clock.monotonicMs() - sampledMs;
    sampledMs = clock.monotonicMs();
    if (!store.place.acts() || tookMs > sampleLateMs) return;
    for (const record of parts.directory().records.carriers) look(record, tookMs);
  }

  function look(record: CarrierRecord, tookMs: number): void {
    const { carrierId } = record;
    const report = lanes.report(carrierId);
    const binds = report?.status.binds ?? [];
    const used = binds.reduce((sum, bind) => sum + bind.inFlight, 0);
    const held = { record, report, paused: lanes.isPaused(carrierId), queued: queued.get(carrierId) ?? 0 };
    const factor = obstacleOf(held)?.why;
    const own = sampleOf(carrierId);
    add(own, 'watchedMs', tookMs);
    if (report?.status.up === true) add(own, 'upMs', tookMs);
    if (factor !== undefined) add(own, `${factor}Ms`, tookMs);
    add(own, 'windowUsed', used);
    add(
      own,
      'windowSize',
      binds.reduce((sum, bind) => sum + bind.window, 0),
    );
    own.windowPeak = Math.max(own.windowPeak ?? 0, used);
  }

  /** Rejects when the store does. */
  async function lookAtQueues(): Promise<void> {
    if (!store.place.acts()) return;
    const counts = new Map((await store.queuesNow()).map((one) => [one.lane, one]));
    queued = new Map([...counts].map(([lane, one]) => [lane, one.queued]));
    for (const { carrierId } of parts.directory().records.carriers) {
      const found = counts.get(carrierId);
      const own = sampleOf(carrierId);
      add(own, 'queueLooks', 1);
      add(own, 'queued', found?.queued ?? 0);
      own.queuedPeak = Math.max(own.queuedPeak ?? 0, found?.queued ?? 0);
      const oldestMs = found?.oldestDueAt == null ? 0 : Math.max(0, clock.now() - found.oldestDueAt);
      own.oldestPeakMs = Math.max(own.oldestPeakMs ?? 0, oldestMs);
    }
  }

  /** Ends the current minute. */
  function closeMinute(): void {
    const counted = new Map(counter.take().map((row) => [row.carrierId, row]));
    const rows = [...new Set([...samples.keys(), ...counted.keys()])].map((carrierId) => ({
      ...{ carrierId, at: minute, counts: counted.get(carrierId)?.counts ?? [] },
      figures: { ...samples.get(carrierId), ...counted.get(carrierId)?.figures },
    }));
    samples = new Map();
    minute = minuteOf(clock.now());
    if (rows.length > 0) waiting.push(rows);
    const surplus = waiting.length - waitingMinutesMax;
    if (surplus <= 0) return;
    waiting = waiting.slice(surplus);
    logger.warn({ minutes: surplus }, 'minutes of the history of carriers are lost: the store takes nothing');
  }

  /**
   * Rejects when the store does. Minutes that were surely not written stay; those that may have been written are
   * dropped, or they would count twice.
   */
  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    try {
      await store.addCarrierHistory({ rows: waiting.flat(), demo: '' });
      waiting = [];
    } catch (error) {
      if (error instanceof StoreUnavailable && error.inDoubt) waiting = [];
      throw error;
    }
  }

  async function forget(): Promise<void> {
    if (!store.place.acts() || clock.monotonicMs() < forgetDueMs || parts.doubt() !== null) return;
    const now = clock.now();
    const minutes = { stepMs: minuteMs, before: now - historyLimits.minutesKeptMs };
    const hours = { stepMs: historyHourMs, before: now - historyLimits.hoursKeptMs };
    const areGone = [await store.forgetCarrierHistory(minutes), await store.forgetCarrierHistory(hours)];
    if (areGone.every((isGone) => isGone)) forgetDueMs = clock.monotonicMs() + forgetEveryMs;
  }

  async function step(): Promise<void> {
    sample();
    if (minuteOf(clock.now()) === minute) return;
    try {
      await lookAtQueues();
    } finally {
      closeMinute();
    }
    await write();
    await forget();
  }

  function again(): void {
    if (stopped) return;
    // Time to the next look, or to the end of the minute if that comes first.
    const leftMs = minuteMs - (clock.now() % minuteMs);
    cancel = clock.after(Math.min(sampleEveryMs, leftMs), () => {
      working = step().catch(notWritten).finally(again);
    });
  }

  function notWritten(error: unknown): void {
    if (error instanceof StoreUnavailable) logger.debug({ reason: error.reason }, 'the history of carriers waits');
    else logger.error({ err: error }, 'the history of carriers could not be written');
  }

  return {
    start: () => {
      sampledMs = clock.monotonicMs();
      minute = minuteOf(clock.now());
      again();
    },
    stop: async () => {
      stopped = true;
      cancel();
      await working;
      sample();
      closeMinute();
      await write().catch(notWritten);
    },
  };
}

function minuteOf(at: EpochMs): EpochMs {
  return Math.floor(at / minuteMs) * minuteMs;
}

function add(figures: Figures, name: keyof Figures, value: number): void {
  if (value > 0) figures[name] = (figures[name] ?? 0) + value;
}
