/**
 * The state of a PostgreSQL database: whose data it holds, on which timeline, and whether a standby has every commit.
 * Each start notes it in the database, and the acting node notes what changes later. Promoting a standby, or restoring to a point in time, begins the next timeline;
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

/** As it is noted in the database. */
export interface NotedStanding extends Standing {
  /** A node found that confirmed commits are missing; until a start has held what waits. */
  lost?: true;
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

/** As noted last; null before the first start. */
export function* notedStanding(): Operation<NotedStanding | null> {
  const text = yield* getSetting(settingName);
  return text === null ? null : (JSON.parse(text) as NotedStanding);
}

export function* noteStanding(items: readonly NotedStanding[]): Operation<null[]> {
  return yield* putSetting(items.map((standing) => ({ name: settingName, value: JSON.stringify(standing) })));
}

const unknown: Standing = { systemId: '', timeline: 0, isSynchronous: false, standbys: 0 };

/** Confirmed commits are missing: all nodes end, and the next start holds what waits. */
export function* noteLoss(): Operation<null[]> {
  const noted: NotedStanding = { ...((yield* notedStanding()) ?? unknown), lost: true };
  return yield* noteStanding([noted]);
}

/**
 * Whether commits are missing, or may be since `noted`: no standby had to have them then, so whichever was promoted may have
 * been behind. `now`: null where the server does not show it.
 */
export function mayLackCommits(noted: NotedStanding | null, now: Standing | null): boolean {
  if (noted === null) return false;
  if (noted.lost === true) return true;
  return (
    now !== null && noted.systemId === now.systemId && noted.timeline < now.timeline && noted.isSynchronous === false
  );
}

/** Whether a session that was lost came back to a server that may lack commits. */
export function* lacksCommits(): Operation<boolean> {
  const noted = yield* notedStanding();
  return mayLackCommits(noted, yield* serverStanding('postgres'));
}
