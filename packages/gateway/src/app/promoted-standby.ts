/**
 * A start on a PostgreSQL that lacks the newest commits, or may (a standby that was promoted without being synchronous,
 * a restore to a point in time), holds every waiting message: it may have been sent, and the commit that recorded it
 * may be lost. This happens once, before anything is sent. While the gateway runs, the acting node notes whether
 * standbys are synchronous now.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from '../store/faults.ts';
import { mayLackCommits, type NotedPostgresState, type PostgresState } from '../store/system/postgres-state.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';
import { treatAllWaiting } from './waiting-messages.ts';

type PostgresStateStore = Pick<Store, 'postgresState' | 'notedPostgresState' | 'notePostgresState' | 'treatWaiting'>;

export async function holdAfterPromotion(store: PostgresStateStore, logger: Logger): Promise<void> {
  const now = await postgresStateOf(store, logger);
  const noted = await store.notedPostgresState();
  if (mayLackCommits(noted, now)) {
    const timelines = { timeline: now?.timeline, timelineBefore: noted?.timeline };
    logger.error(
      timelines,
      noted?.lost
        ? 'PostgreSQL: this server lacks commits that it had confirmed: it was promoted while it was behind, or restored. Messages acknowledged last are missing'
        : 'PostgreSQL: this server was promoted or restored since the last start, and no standby had to have every commit then: messages acknowledged last may be missing',
    );
    const held = await treatAllWaiting(store, 'hold', 'promotion');
    logger.error(
      { ...timelines, held },
      'PostgreSQL: what waited is held, as it may have been sent; decide about it in the portal',
    );
  }
  if (now !== null && isAsynchronous(now)) warnOfAsynchronous(now, logger);
  const next = now ?? (noted === null ? null : withoutLoss(noted));
  if (next !== null && JSON.stringify(next) !== JSON.stringify(noted)) await store.notePostgresState(next);
}

const withoutLoss = ({ lost: _held, ...state }: NotedPostgresState): PostgresState => state;

const isAsynchronous = ({ standbys, isSynchronous }: PostgresState): boolean => standbys > 0 && !isSynchronous;

function warnOfAsynchronous({ standbys }: PostgresState, logger: Logger): void {
  logger.warn(
    { standbys },
    'PostgreSQL: standbys are asynchronous (synchronous_standby_names is empty): a promotion may lose acknowledged messages',
  );
}

export interface PostgresWatchParts {
  store: PostgresStateStore & Pick<Store, 'engine' | 'place'>;
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  /** Ends the process. */
  broken(error: unknown): void;
}

/** A promotion within this time after a change is judged by the state before the change. */
export const postgresStateEveryMs = 2_000;

/**
 * Patroni and similar tools make standbys synchronous and asynchronous as standbys come and go. The commit that notes
 * "synchronous" waits for a standby, which then has all earlier commits too.
 */
export function watchPostgresState({ store, clock, logger, broken }: PostgresWatchParts): Part {
  let cancel = (): void => {};
  let stopped = false;

  async function look(): Promise<void> {
    const now = await store.postgresState();
    const noted = await store.notedPostgresState();
    if (mayLackCommits(noted, now)) {
      throw new StoreBroken('the database lacks commits, or may: the next start holds what waits in it');
    }
    if (now === null || !store.place.acts() || isSame(noted, now)) return;
    await store.notePostgresState(now);
    if (isAsynchronous(now)) warnOfAsynchronous(now, logger);
  }

  function later(): void {
    cancel = clock.after(postgresStateEveryMs, () => {
      look()
        .catch((error) => {
          if (error instanceof StoreBroken) broken(error);
          logger.debug({ cause: (error as Error).message }, 'PostgreSQL: its state is not known now');
        })
        .finally(() => {
          if (!stopped) later();
        });
    });
  }

  return {
    name: 'database state',
    start: () => {
      if (store.engine === 'postgres') later();
    },
    quiesce: () => {
      stopped = true;
      cancel();
    },
  };
}

const isSame = (noted: NotedPostgresState | null, { timeline, isSynchronous }: PostgresState): boolean =>
  noted?.timeline === timeline && noted.isSynchronous === isSynchronous;

/** Null for SQLite and when the server does not show it, as some hosted ones do not. */
async function postgresStateOf(store: PostgresStateStore, logger: Logger): Promise<PostgresState | null> {
  try {
    return await store.postgresState();
  } catch (error) {
    const known = [StoreUnavailable, StoreRefused, StoreBroken];
    if (known.some((kind) => error instanceof kind)) throw error;
    logger.warn(
      { cause: (error as Error).message },
      'PostgreSQL: the server does not tell its timeline: a promoted standby will not be noticed',
    );
    return null;
  }
}
