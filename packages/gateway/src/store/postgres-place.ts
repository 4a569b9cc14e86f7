/** The place of the only node that acts on a database: the node lock, and the lease under the node's token. */
import type { Client } from 'pg';
import type { Logger } from '../kernel/logger.ts';
import { type NodePlace, onlyNode } from './engine.ts';
import { leaseTimes, nodeLeaseName, releaseLease, renewLease, takeLease } from './postgres-lease.ts';
import { awaitLock, lockNode, tryLock } from './postgres-lock.ts';
import { transaction } from './postgres-transaction.ts';
import { takenOver } from './postgres-turn.ts';
import { nodeToken } from './system/operations.ts';

/** For the writing session. The token is that of this start. */
export interface Place extends NodePlace {
  /** Whether no other node can be on the database from `enter` on. */
  readonly isAlone: boolean;
  /** Before the schema is looked at. Rejects with StoreRefused where others have the place. */
  enter(client: Client): Promise<void>;
  /** Once it resolves, each write compares the epoch of `leaseName` with the token. */
  take(client: Client, token: number): Promise<void>;
  /** On a session of its own, all the time. False when the place is another's. */
  renew(client: Client): Promise<boolean>;
  /** For a new session: true once the one before is known to have ended. Throws StoreBroken when others had the place meanwhile. */
  resume(client: Client): Promise<boolean>;
  release(client: Client): Promise<void>;
  leaseName(): string;
  /** What each write looks at beside the lease, as further columns. */
  turnColumns(): string;
}

export function onlyPlace(standby: boolean, logger: Logger): Place {
  let token = 0;
  return {
    isAlone: true,
    enter: (client) => (standby ? awaitLock(client, logger) : lockNode(client)),
    take: (client, own) => {
      token = own;
      return takeLease(client, own, leaseTimes);
    },
    renew: (client) => renewLease(client, token, leaseTimes),
    resume: async (client) => {
      const locked = await tryLock(client);
      if ((await transaction(client, nodeToken())) !== token) throw takenOver();
      return locked;
    },
    release: (client) => releaseLease(client, token),
    leaseName: () => nodeLeaseName,
    turnColumns: () => '',
    ...onlyNode,
  };
}
