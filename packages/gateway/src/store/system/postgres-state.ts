/**
 * The state of a PostgreSQL database: whose data it holds, on which timeline, and whether a standby has every commit.
 * Each start writes it to the database, and the acting node writes later changes. Promoting a standby, or restoring to
 * a point in time, begins the next timeline; either may lack the last commits.
 */
import type { EngineKind } from '../module.ts';
import { type Operation, run } from '../query.ts';
import { getSetting, putSetting } from './operations.ts';
import { selectControlRights, selectPostgresState } from './statements.ts';

export interface PostgresState {
  /** Identifier of the data: a standby has the same one as its primary. */
  systemId: string;
  timeline: number;
  /** `synchronous_standby_names` is set, so a commit waits for a standby. */
  isSynchronous: boolean;
  /** Standbys connected now. */
  standbys: number;
}

/** As written to the database. */
export interface NotedPostgresState extends PostgresState {
  /** A node found that confirmed commits are missing. Set until a start has held the waiting messages. */
  lost?: true;
}

const settingName = 'postgres_standing';

/** Null for SQLite, and when the role may not read the system identifier. */
export function* postgresState(engine: EngineKind): Operation<PostgresState | null> {
  if (engine === 'sqlite') return null;
  const [rights] = yield* run(selectControlRights, [{}]);
  if (rights!.granted === 0) return null;
  const [found] = yield* run(selectPostgresState, [{}]);
  return {
    systemId: found!.system_id,
    timeline: Number.parseInt(found!.timeline, 16),
    isSynchronous: found!.synchronous === 1,
    standbys: found!.standbys,
  };
}

/** As last written; null before the first start. */
export function* notedPostgresState(): Operation<NotedPostgresState | null> {
  const text = yield* getSetting(settingName);
  return text === null ? null : (JSON.parse(text) as NotedPostgresState);
}

export function* notePostgresState(items: readonly NotedPostgresState[]): Operation<null[]> {
  return yield* putSetting(items.map((state) => ({ name: settingName, value: JSON.stringify(state) })));
}

const unknown: PostgresState = { systemId: '', timeline: 0, isSynchronous: false, standbys: 0 };

/** Confirmed commits are missing: all nodes end, and the next start holds the waiting messages. */
export function* noteLoss(): Operation<null[]> {
  const noted: NotedPostgresState = { ...((yield* notedPostgresState()) ?? unknown), lost: true };
  return yield* notePostgresState([noted]);
}

/**
 * Whether commits are missing, or may be since `noted`: no standby had to have them then, so the promoted one may have
 * been behind. `now`: null when the server does not show it.
 */
export function mayLackCommits(noted: NotedPostgresState | null, now: PostgresState | null): boolean {
  if (noted === null) return false;
  if (noted.lost === true) return true;
  return (
    now !== null && noted.systemId === now.systemId && noted.timeline < now.timeline && noted.isSynchronous === false
  );
}

/** Whether a lost session has reconnected to a server that may lack commits. */
export function* lacksCommits(): Operation<boolean> {
  const noted = yield* notedPostgresState();
  return mayLackCommits(noted, yield* postgresState('postgres'));
}
