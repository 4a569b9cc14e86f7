/**
 * Keeps the states of the shown rows as stored. Events are applied to the rows together, a few times a second. States
 * that may have been missed (after a gap of the stream, or because they have no event) are fetched for the shown rows,
 * a bounded number at a time; an event during a fetch is newer than its result, or the row is fetched again.
 */
import { isSettled, isSilent, type Moved, type ShownState } from './live-rows';

export const rowStateLimits = {
  /** The gateway's limit for one request. */
  idsAtOnce: 200,
  writeEveryMs: 100,
  readEveryMs: 500,
  /** For states without an event, and after a failed read. */
  silentEveryMs: 5_000,
} as const;

export interface RowStatesParts {
  /** The shown messages, those on the screen first. */
  shown(): readonly ShownState[];
  read(messageIds: readonly string[]): Promise<readonly (Moved & { messageId: string })[]>;
  write(moved: ReadonlyMap<string, Moved>): void;
  /** Live updates are paused. */
  isPaused(): boolean;
  /** Returns the function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export interface RowStates {
  /** An event of a message from the stream. */
  heard(messageId: string, moved: Moved): void;
  /** Any shown message that can still change may have changed. */
  missed(): void;
  stop(): void;
}

export function createRowStates(parts: RowStatesParts): RowStates {
  const { shown, after } = parts;
  const doubted = new Set<string>();
  let news = new Map<string, Moved>();
  /** Messages with an event since the read began; null while none is under way. */
  let heardMeanwhile: Set<string> | null = null;
  let cancelWrite: (() => void) | null = null;
  let next: { cancel(): void; ms: number } | null = null;
  let stopped = false;

  function write(): void {
    cancelWrite?.();
    cancelWrite = null;
    if (news.size === 0) return;
    const times = new Map(shown().map(({ messageId, at }) => [messageId, at]));
    const fitting = new Map<string, Moved>();
    for (const [messageId, moved] of news) {
      const at = times.get(messageId);
      if (at === undefined) continue;
      // An older event, or a clock set back: the stored state decides.
      if (at !== null && moved.at < at) doubted.add(messageId);
      else fitting.set(messageId, moved);
    }
    news = new Map();
    if (fitting.size > 0) parts.write(fitting);
    plan();
  }

  function plan(): void {
    if (stopped || heardMeanwhile !== null) return;
    const isDoubted = doubted.size > 0;
    if (!isDoubted && !shown().some(({ state }) => isSilent(state))) return;
    planIn(isDoubted ? rowStateLimits.readEveryMs : rowStateLimits.silentEveryMs);
  }

  function planIn(ms: number): void {
    if (next !== null && next.ms <= ms) return;
    next?.cancel();
    next = { ms, cancel: after(ms, () => void look()) };
  }

  async function look(): Promise<void> {
    next = null;
    if (parts.isPaused()) return planIn(rowStateLimits.silentEveryMs);
    write();
    cancelNext();
    const all = shown();
    const ids = new Set(all.map(({ messageId }) => messageId));
    for (const messageId of doubted) if (!ids.has(messageId)) doubted.delete(messageId);
    const wanted = all
      .filter(({ messageId, state }) => doubted.has(messageId) || isSilent(state))
      .slice(0, rowStateLimits.idsAtOnce)
      .map(({ messageId }) => messageId);
    if (wanted.length === 0) return;
    const meanwhile = new Set<string>();
    heardMeanwhile = meanwhile;
    try {
      const found = await parts.read(wanted);
      // A message that is not found was deleted: its row stays unchanged.
      for (const messageId of wanted) if (!meanwhile.has(messageId)) doubted.delete(messageId);
      const sure = found.filter(({ messageId }) => !meanwhile.has(messageId));
      for (const messageId of meanwhile) if (wanted.includes(messageId)) doubted.add(messageId);
      heardMeanwhile = null;
      if (stopped) return;
      if (sure.length > 0) parts.write(new Map(sure.map(({ messageId, ...moved }) => [messageId, moved])));
      plan();
    } catch {
      heardMeanwhile = null;
      if (!stopped) planIn(rowStateLimits.silentEveryMs);
    }
  }

  function cancelNext(): void {
    next?.cancel();
    next = null;
  }

  return {
    heard: (messageId, moved) => {
      news.set(messageId, moved);
      heardMeanwhile?.add(messageId);
      cancelWrite ??= after(rowStateLimits.writeEveryMs, write);
    },
    missed: () => {
      for (const { messageId, state } of shown()) if (!isSettled(state)) doubted.add(messageId);
      plan();
    },
    stop: () => {
      stopped = true;
      cancelWrite?.();
      cancelNext();
    },
  };
}
