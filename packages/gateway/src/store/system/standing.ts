/**
 * The state of a PostgreSQL database: whose data it holds, on which timeline, and whether a standby has every commit.
 * Each start notes it in the database. Promoting a standby, or restoring to a point in time, begins the next timeline;
 * either may lack the last commits.
 */
import type { EngineKind } from '../module.ts';
import { type Operation, run } from '../query.ts';
import { getSetting, putSetting } from './operations.ts';
import { selectControlRights, selectPostgresStanding } from './statements.ts';

export interface Standing {
  /** Identifier of the data: a standby has that of its primary. */
  systemId: string;
  timeline: number;
  /** `synchronous_standby_names` is set, so a commit waits for a standby. */
  isSynchronous: boolean;
  /** Standbys connected now. */
  standbys: number;
}

const settingName = 'postgres_standing';

/** Null for SQLite, and where the role may not read the system identifier. */
export function* serverStanding(engine: EngineKind): Operation<Standing | null> {
  if (engine === 'sqlite') return null;
  const [rights] = yield* run(selectControlRights, [{}]);
  if (rights!.granted === 0) return null;
  const [found] = yield* run(selectPostgresStanding, [{}]);
  return {
    systemId: found!.system_id,
    timeline: Number.parseInt(found!.timeline, 16),
    isSynchronous: found!.synchronous === 1,
    standbys: found!.standbys,
  };
}

/** As noted by the last start; null before the first one. */
export function* notedStanding(): Operation<Standing | null> {
  const text = yield* getSetting(settingName);
  return text === null ? null : (JSON.parse(text) as Standing);
}

export function* noteStanding(items: readonly Standing[]): Operation<null[]> {
  return yield* putSetting(items.map((standing) => ({ name: settingName, value: JSON.stringify(standing) })));
}

/**
 * Whether commits may be missing since `noted`. No standby had to have them then, so whichever was promoted may have
 * been behind.
 */
export function mayLackCommits(noted: Standing | null, now: Standing): boolean {
  return (
    noted !== null && noted.systemId === now.systemId && noted.timeline < now.timeline && noted.isSynchronous === false
  );
}

/** Whether a session that was lost came back to a server that may lack commits. */
export function* lacksCommits(): Operation<boolean> {
  const now = yield* serverStanding('postgres');
  return now !== null && mayLackCommits(yield* notedStanding(), now);
}
