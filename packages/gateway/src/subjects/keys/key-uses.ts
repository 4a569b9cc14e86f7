/**
 * Records when, from where and for what each key pair was last used: one small value for each pair, at most once a
 * minute. Best effort; nothing waits for it.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { KeyId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { SystemStore } from '../../store/system/module.ts';

export interface LastUse {
  at: EpochMs;
  address: string;
  /** Method and route. */
  endpoint: string;
}

export interface KeyUses {
  used(use: LastUse & { keyId: KeyId }): void;
  /** Null for a pair that was never used. */
  lastUse(keyId: KeyId): Promise<LastUse | null>;
}

const nameOf = (keyId: KeyId): string => `key_used:${keyId}`;

export function createKeyUses(parts: {
  store: Pick<SystemStore, 'getSetting' | 'putSetting'>;
  logger: Pick<Logger, 'warn'>;
}): KeyUses {
  const { store, logger } = parts;
  const known = new Map<string, LastUse>();
  return {
    used: ({ keyId, at, address, endpoint }) => {
      const use = { at, address, endpoint };
      known.set(keyId, use);
      store.putSetting(nameOf(keyId), JSON.stringify(use)).catch((error: unknown) => {
        logger.warn({ keyId, error: String(error) }, 'the last use of a key pair could not be kept');
      });
    },
    lastUse: async (keyId) => {
      const use = known.get(keyId);
      if (use !== undefined) return use;
      const kept = await store.getSetting(nameOf(keyId));
      return kept === null ? null : (JSON.parse(kept) as LastUse);
    },
  };
}
