/**
 * What several nodes share of the send queues, through the store: the acting node writes the reports of its lanes, the
 * others read them. Which carriers are paused, any node may write and all read.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { StoreBase } from '../../store/create-store.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { LaneReport } from './lane-meter.ts';

const everyMs = 1_000;
const boardSetting = 'lane_board';
const pausedSetting = 'paused_carriers';
/** By id, since when; kept apart, so that the list above stays what it was. */
const pausedSinceSetting = 'paused_carriers_since';

/** By carrier id, since when; null = unknown. */
export type Paused = ReadonlyMap<string, EpochMs | null>;

export interface LaneBoard {
  /** As the acting node wrote them last; empty on the acting node itself. */
  reports(): ReadonlyMap<string, LaneReport>;
  readPaused(): Promise<Paused>;
  writePaused(paused: Paused): Promise<void>;
  start(): void;
  stop(): void;
}

export interface LaneBoardParts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  store: Pick<SystemStore, 'getSetting' | 'putSetting'> & Pick<StoreBase, 'place'>;
  /** The reports of this node's lanes, while it acts. */
  ownReports(): ReadonlyMap<string, LaneReport>;
  /** As any node has written it. */
  pausedRead(paused: Paused): void;
  /** A link of the acting node went up or down. */
  linkChanged(carrierId: string, up: boolean): void;
}

export function createLaneBoard(parts: LaneBoardParts): LaneBoard {
  const { clock, logger, store } = parts;
  const { place } = store;
  let reports: ReadonlyMap<string, LaneReport> = new Map();
  let written = '';
  let cancel = (): void => {};
  let stopped = false;

  async function readPaused(): Promise<Paused> {
    const ids = JSON.parse((await store.getSetting(pausedSetting)) ?? '[]') as string[];
    const since = JSON.parse((await store.getSetting(pausedSinceSetting)) ?? '{}') as Record<string, EpochMs | null>;
    return new Map(ids.map((carrierId) => [carrierId, since[carrierId] ?? null]));
  }

  async function read(): Promise<void> {
    const before = reports;
    reports = new Map(JSON.parse((await store.getSetting(boardSetting)) ?? '[]') as [string, LaneReport][]);
    for (const [carrierId, { status }] of reports) {
      if (before.get(carrierId)?.status.up !== status.up) parts.linkChanged(carrierId, status.up);
    }
  }

  async function write(): Promise<void> {
    reports = new Map();
    if (place.nodes() === 1) return;
    const text = JSON.stringify([...parts.ownReports()]);
    if (text === written) return;
    await store.putSetting(boardSetting, text);
    written = text;
  }

  async function exchange(): Promise<void> {
    await (place.acts() ? write() : read());
    parts.pausedRead(await readPaused());
  }

  function again(): void {
    if (stopped) return;
    cancel = clock.after(everyMs, () => {
      exchange()
        .catch((err: unknown) => logger.debug({ err }, 'the reports of the send queues were not exchanged'))
        .finally(again);
    });
  }

  return {
    reports: () => reports,
    readPaused,
    writePaused: async (paused) => {
      await store.putSetting(pausedSinceSetting, JSON.stringify(Object.fromEntries(paused)));
      await store.putSetting(pausedSetting, JSON.stringify([...paused.keys()]));
    },
    start: () => {
      if (place.isShared) again();
    },
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
