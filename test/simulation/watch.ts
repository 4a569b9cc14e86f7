/**
 * Looks at every commit and at everything that goes to the wire: what must hold at that very moment (`brokenRules` judges
 * what is there at the end). The first break of a rule ends the run.
 */
import { leaseTimes } from '../../packages/gateway/src/store/postgres-lease.ts';
import { createLogReader } from '../props/cluster-rules.ts';
import type { CommitWatcher, ModelServer } from './model-server.ts';
import type { Session } from './model-session.ts';

/** Between two readings of clocks that drift a little, ms. */
const slackMs = 5;

export class Watch implements CommitWatcher {
  /** In words. */
  readonly broken: string[] = [];
  readonly owners = new Map<string, number | null>();
  sentTooLate = 0;
  uncertainMoves = 0;
  commits = 0;
  readonly log = createLogReader();
  readonly #server: ModelServer;
  readonly #changed: (lane: string, node: number | null) => void;
  #events = 0;
  #top = 0;

  /** `changed`: a send queue has another owner. */
  constructor(server: ModelServer, changed: (lane: string, node: number | null) => void) {
    this.#server = server;
    this.#changed = changed;
  }

  committing({ node }: Session, changed: ReadonlySet<string>): void {
    const { sql } = this.#server;
    // A transaction of a node: nothing of it is stored without the lease under whose epoch it began.
    if (node !== null && sql.rows('select 1 from leases where name = ?1', `node/${node}`).length === 0)
      this.#break(`node ${node} writes under an epoch that is over`);
    if (changed.has('events')) this.#lookAtEvents();
    if (changed.has('deliveries') || changed.has('owners')) this.#lookAtOwners(node);
  }

  /** A reader of the log may be at its end right now. */
  #lookAtEvents(): void {
    const { sql } = this.#server;
    const [now] = sql.rows<{ count: number; top: number }>(
      'select count(*) as count, coalesce(max(position), 0) as top from events',
    );
    const fresh = sql.rows<{ position: number; state: string }>(
      'select position, state from events where position > ?1 order by position',
      this.#top,
    );
    this.uncertainMoves += fresh.filter(({ state }) => state === 'uncertain').length;
    this.log.read(fresh.map(({ position }) => position));
    const late = now!.count - this.#events - fresh.length;
    if (late !== 0) this.#break(`${late} events were stored before position ${this.#top}, which others have read`);
    this.#events = now!.count;
    this.#top = now!.top;
  }

  /** What is under way in a send queue is its owner's. */
  #lookAtOwners(node: number | null): void {
    const { sql } = this.#server;
    const strangers = sql.rows<{ lane: string; token: number; owner: number | null }>(
      `select d.lane, d.token, o.node as owner from deliveries d left join owners o on o.name = d.lane
       where d.state = 'sending' and (o.node is null or o.node <> d.token)`,
    );
    for (const { lane, token, owner } of strangers)
      this.#break(`node ${token} has something under way in ${lane}, which is node ${owner}'s (written by ${node})`);
    for (const { lane, node: owner } of sql.rows<{ lane: string; node: number | null }>(
      "select name as lane, node from owners where name not like 'duty/%'",
    )) {
      if (this.owners.get(lane) === owner) continue;
      this.owners.set(lane, owner);
      this.#changed(lane, owner);
    }
  }

  committed(): void {
    this.commits += 1;
  }

  /** A node gives submissions to the wire. */
  sent(node: number, count: number): void {
    const [lease] = this.#server.committedRows<{ expires_at: number }>(
      'select expires_at from leases where name = ?1',
      `node/${node}`,
    );
    const lastMs = (lease?.expires_at ?? Number.NEGATIVE_INFINITY) - leaseTimes.marginMs;
    if (this.#server.now() <= lastMs + slackMs) return;
    this.sentTooLate += count;
    const when = lease === undefined ? 'after it was removed' : `${this.#server.now() - lastMs} ms too late`;
    this.#break(`node ${node} sends ${when}`);
  }

  #break(what: string): void {
    this.broken.push(`at ${Math.round(this.#server.scheduler.nowMs)} ms: ${what}`);
  }
}
