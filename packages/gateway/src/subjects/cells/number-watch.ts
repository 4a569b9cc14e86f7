/**
 * Notices numbers that another cell has in its records too: its replies and keywords would reach whichever cell comes first. Asks the
 * other cells once a minute for all numbers of this one.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import { maskNumber } from '../../model/number.ts';
import type { SharedNumber } from '../../model/upkeep.ts';

const firstLookMs = 2_000;
const lookEveryMs = 60_000;
const numbersAtOnce = 1_000;
const loggedMax = 5;

export interface NumberWatch {
  /** As last looked; a cell that does not answer counts as when it did. */
  shared(): SharedNumber[];
  start(): void;
  stop(): void;
}

export interface NumberWatchParts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  /** Of this cell. */
  name: string;
  others: readonly string[];
  directory(): Directory;
  hasNumbers(cell: string, numbers: readonly string[]): Promise<boolean[]>;
  /** Of several gateways one logs. */
  logs(): boolean;
}

export function createNumberWatch(parts: NumberWatchParts): NumberWatch {
  /** By cell. */
  const found = new Map<string, ReadonlySet<string>>();
  let cancel = (): void => {};
  let isStopped = false;

  async function look(cell: string, numbers: readonly string[]): Promise<void> {
    const shared = new Set<string>();
    for (let from = 0; from < numbers.length && !isStopped; from += numbersAtOnce) {
      const some = numbers.slice(from, from + numbersAtOnce);
      const has = await parts.hasNumbers(cell, some);
      for (const [place, number] of some.entries()) if (has[place] === true) shared.add(number);
    }
    const before = found.get(cell);
    found.set(cell, shared);
    const fresh = [...shared].filter((number) => before?.has(number) !== true);
    if (fresh.length === 0 || !parts.logs()) return;
    const fields = {
      cells: [parts.name, cell],
      numbers: fresh.slice(0, loggedMax).map(maskNumber),
      count: fresh.length,
    };
    parts.logger.warn(fields, 'a number is in the records of two cells');
  }

  async function lookAtAll(): Promise<void> {
    // Every sandbox has the same numbers.
    const own = parts.directory().records.numbers.filter(({ environment }) => environment === 'live');
    const numbers = own.map(({ number }) => number);
    // `peers` reports a cell that does not answer.
    await Promise.all(parts.others.map((cell) => look(cell, numbers).catch(() => {})));
    lookLater(lookEveryMs);
  }

  function lookLater(afterMs: number): void {
    if (!isStopped) cancel = parts.clock.after(afterMs, () => void lookAtAll());
  }

  return {
    shared: () =>
      [...found].flatMap(([cell, numbers]) =>
        [...numbers].map((number): SharedNumber => ({ number, cells: [parts.name, cell] })),
      ),
    start: () => lookLater(firstLookMs),
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
