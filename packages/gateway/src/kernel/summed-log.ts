/**
 * Log lines that a peer can cause at will. The first of a kind is written at once; the rest are counted and summed up
 * once per interval.
 */
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

const intervalMs = 60_000;

export interface SummedLog {
  /** `kind` is one of a few fixed words, never text from a peer. */
  warn(kind: string, fields: object, message: string): void;
  /** Writes the counts that are not reported yet. */
  close(): void;
}

interface Kind {
  /** Occurrences since the last line. */
  count: number;
  total: number;
  fields: object;
  message: string;
  cancel: () => void;
}

export function createSummedLog({ clock, logger }: { clock: Pick<Clock, 'after'>; logger: Logger }): SummedLog {
  const kinds = new Map<string, Kind>();

  function report({ count, total, fields, message }: Kind): void {
    if (count > 0) logger.warn({ ...fields, more: count, total }, `${message} (again; the newest is shown)`);
  }

  function afterInterval(name: string, kind: Kind): void {
    kind.cancel = clock.after(intervalMs, () => {
      if (kind.count === 0) {
        kinds.delete(name);
        return;
      }
      report(kind);
      kind.count = 0;
      afterInterval(name, kind);
    });
  }

  return {
    warn: (name, fields, message) => {
      const known = kinds.get(name);
      if (known !== undefined) {
        known.count++;
        known.total++;
        known.fields = fields;
        return;
      }
      logger.warn(fields, message);
      const kind = { count: 0, total: 1, fields, message, cancel: () => {} };
      kinds.set(name, kind);
      afterInterval(name, kind);
    },
    close: () => {
      for (const kind of kinds.values()) {
        kind.cancel();
        report(kind);
      }
      kinds.clear();
    },
  };
}
