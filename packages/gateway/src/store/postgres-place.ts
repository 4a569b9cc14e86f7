/** The place of the only acting node on a database: the node lock, and the lease with the node's token. */
import type { Client } from 'pg';
import type { Logger } from '../kernel/logger.ts';
import { type NodePlace, onlyNode } from './engine.ts';
import { leaseTimes, nodeLeaseName, releaseLease, renewLease, takeLease } from './postgres-lease.ts';
import { awaitLock, lockNode, tryLock } from './postgres-lock.ts';
import { transaction } from './postgres-transaction.ts';
import { takenOver } from './postgres-turn.ts';
import { nodeToken } from './system/operations.ts';

/** For the writing session, with the token of this start. */
export interface Place extends NodePlace {
  /** Whether no other node can use the database from `enter` on. */
  readonly isAlone: boolean;
  /** Call before the schema is checked. Rejects with StoreRefused if another node holds the place. */
  enter(client: Client): Promise<void>;
  /** Once it resolves, each write compares the epoch of `leaseName` with the token. */
  take(client: Client, token: number): Promise<void>;
  /** Called repeatedly on a separate session. False when another node holds the place. */
  renew(client: Client): Promise<boolean>;
  /**
   * For a new session: true once the previous session is known to have ended. Throws StoreBroken if another node held
   * the place meanwhile.
   */
  resume(client: Client): Promise<boolean>;
  release(client: Client): Promise<void>;
  leaseName(): string;
  /** Additional columns that each write reads together with the lease. */
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
