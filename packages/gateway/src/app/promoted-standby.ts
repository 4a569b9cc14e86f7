/**
 * A start on a PostgreSQL that may lack the newest commits (a standby that was promoted without being synchronous, a restore
 * to a point in time) holds every message that waits there: it may have been sent, and the commit that said so is lost.
 * Before anything is sent; once.
 */
import type { Logger } from '../kernel/logger.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from '../store/faults.ts';
import { mayLackCommits, type Standing } from '../store/system/standing.ts';
import type { Store } from './store.ts';
import { treatAllWaiting } from './waiting-messages.ts';

type StandingStore = Pick<Store, 'serverStanding' | 'notedStanding' | 'noteStanding' | 'treatWaiting'>;

export async function holdAfterPromotion(store: StandingStore, logger: Logger): Promise<void> {
  const now = await standingOf(store, logger);
  if (now === null) return;
  const noted = await store.notedStanding();
  if (mayLackCommits(noted, now)) {
    const timelines = { timeline: now.timeline, timelineBefore: noted?.timeline };
    logger.error(
      timelines,
      'PostgreSQL: this server was promoted or restored since the last start, and no standby had to have every commit then: messages acknowledged last may be missing',
    );
    const held = await treatAllWaiting(store, 'hold', 'promotion');
    logger.error(
      { ...timelines, held },
      'PostgreSQL: what waited is held, as it may have been sent; decide about it in the portal',
    );
  }
  if (now.standbys > 0 && !now.isSynchronous) {
    logger.warn(
      { standbys: now.standbys },
      'PostgreSQL: standbys are asynchronous (synchronous_standby_names is empty): a promotion may lose acknowledged messages',
    );
  }
  if (JSON.stringify(now) !== JSON.stringify(noted)) await store.noteStanding(now);
}

/** Null where there is none; some hosted servers do not tell it. */
async function standingOf(store: StandingStore, logger: Logger): Promise<Standing | null> {
  try {
    return await store.serverStanding();
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
