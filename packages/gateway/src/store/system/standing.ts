/**
 * Where a PostgreSQL database stands: whose data it holds, on which timeline, and whether a standby has every commit. The
 * start notes it in the database. A standby that is promoted begins the next timeline, and so does a restore to a point in
 * time; either may lack what was committed last.
 */
import type { EngineKind } from '../module.ts';
import { type Operation, run } from '../query.ts';
import { getSetting, putSetting } from './operations.ts';
import { selectControlRights, selectPostgresStanding } from './statements.ts';

export interface Standing {
  /** Of the data: a standby has that of its leader. */
  systemId: string;
  timeline: number;
  /** `synchronous_standby_names` is set: a commit waits for a standby. */
  isSynchronous: boolean;
  /** Connected now. */
  standbys: number;
}

const settingName = 'postgres_standing';

/** Null for SQLite, and where the role may not read whose data it is. */
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

/** As the last start left it; null before the first one. */
export function* notedStanding(): Operation<Standing | null> {
  const text = yield* getSetting(settingName);
  return text === null ? null : (JSON.parse(text) as Standing);
}

export function* noteStanding(items: readonly Standing[]): Operation<null[]> {
  return yield* putSetting(items.map((standing) => ({ name: settingName, value: JSON.stringify(standing) })));
}

/**
 * Whether commits may be missing since `noted`. No standby had to have them then: whichever was promoted, a standby that was
 * connected at the time or not, it may have been behind.
 */
export function mayLackCommits(noted: Standing | null, now: Standing): boolean {
  return (
    noted !== null && noted.systemId === now.systemId && noted.timeline < now.timeline && noted.isSynchronous === false
  );
}

/** For a session that was lost: whether it came back to a server that may lack commits. */
export function* lacksCommits(): Operation<boolean> {
  const now = yield* serverStanding('postgres');
  return now !== null && mayLackCommits(yield* notedStanding(), now);
}
