/** Replaces `store/migrate.ts` when a test planted a migration; see plant.ts. */
import * as real from '../../../packages/gateway/src/store/migrate.ts';
import type { Migration } from '../../../packages/gateway/src/store/migration.ts';
import { throughPlant } from './plant.ts';

export * from '../../../packages/gateway/src/store/migrate.ts';

export const migrations = throughPlant.migrations(real.migrations);

export const pendingMigrations = (
  version: number,
  known: readonly Migration[] = migrations,
  sharedFrom?: number,
): Migration[] => real.pendingMigrations(version, known, sharedFrom);
