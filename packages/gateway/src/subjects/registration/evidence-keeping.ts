/** Deletes evidence files that no brand and no campaign names: at start and hourly, sparing recent ones. */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { MediaFiles } from '../../model/media.ts';
import type { Records } from '../../model/records.ts';
import { StoreUnavailable } from '../../store/faults.ts';

const everyMs = 3_600_000;
/** A younger file may get its record soon, from any node. */
export const youngMs = 3_600_000;

/** The hashes that a record names. Reads the records, because the directory may leave out the sandbox. */
export function neededEvidence({ brands, campaigns }: Pick<Records, 'brands' | 'campaigns'>) {
  const inUse = new Set([...brands, ...campaigns].flatMap(({ evidence = [] }) => evidence.map(({ hash }) => hash)));
  return async (hashes: readonly string[]) => new Set(hashes.filter((hash) => inUse.has(hash)));
}

export interface EvidenceKeeping {
  start(): void;
  stop(): Promise<void>;
}

export interface EvidenceKeepingParts {
  clock: Pick<Clock, 'now' | 'after'>;
  logger: Logger;
  store: Pick<RecordsStore, 'records'>;
  files: Pick<MediaFiles, 'sweep'>;
}

export function createEvidenceKeeping({ clock, logger, store, files }: EvidenceKeepingParts): EvidenceKeeping {
  let round: Promise<void> = Promise.resolve();
  let cancel = (): void => {};

  async function sweep(): Promise<void> {
    // An old file cannot be named later: evidence is stored again for each record.
    const putBefore = clock.now() - youngMs;
    const deleted = await files.sweep({ putBefore, needed: neededEvidence(await store.records()) });
    if (deleted > 0) logger.info({ deleted }, 'evidence that no record names is gone');
  }

  function again(): void {
    cancel = clock.after(everyMs, again);
    round = round.then(sweep).catch((error: unknown) => {
      if (error instanceof StoreUnavailable)
        logger.warn({ reason: error.reason }, 'the sweep of evidence waits for the store');
      else logger.error({ err: error }, 'evidence could not be swept');
    });
  }

  return {
    start: again,
    stop: async () => {
      cancel();
      await round;
    },
  };
}
