/**
 * What carriers send here may belong to another cell with its own store: receipts go to the cell that has the message,
 * replies to the one that has the number. Resolves only once that cell has stored them, because the carrier is then
 * acknowledged.
 */
import { SomeNotStored } from '../../carriers/carrier.ts';
import type { InboundMms, InboundPart, Receipt } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { ReceiptStatus } from '../store/operations/foreign-receipts.ts';
import type { Receiver } from './receive.ts';

/** The other cells. Every method rejects when the cell does not answer: then it is unknown what it has stored. */
export interface OtherCells {
  readonly names: readonly string[];
  /** Applies the receipts whose message that cell has. */
  lookUpReceipts(cell: string, receipts: readonly Receipt[]): Promise<ReceiptStatus[]>;
  /** `isOnly`: no other cell expects them, so one of them may prove an uncertain message. */
  keepReceipts(cell: string, receipts: readonly Receipt[], isOnly: boolean): Promise<void>;
  /** Which of the numbers that cell has. */
  hasNumbers(cell: string, numbers: readonly string[]): Promise<boolean[]>;
  inbound(cell: string, parts: readonly InboundPart[]): Promise<void>;
  inboundMms(cell: string, message: InboundMms): Promise<void>;
}

/** Where a receipt was found to belong; `known` = it is stored already. */
export type ReceiptOwner = 'known' | 'expected' | 'nobody' | 'silent';

export interface AcrossCellsParts {
  /** Stores in this cell. */
  own: Receiver;
  store: Pick<MessageStore, 'lookUpReceipts' | 'earlyReceipts'>;
  directory(): Directory;
  others: OtherCells;
  /** Counts receipts that this cell does not have. */
  count(place: ReceiptOwner): void;
}

/** An item of the batch that no cell has stored yet. */
interface Open<T> {
  word: T;
  place: number;
}

type LookUp = { status: 'known' | 'silent' } | { status: 'open'; expecting: string[] };

/** Stands for this cell among those that expect a receipt. */
const here = '';
const silence = 'another cell may have it, and does not answer';

export function acrossCells({ own, store, directory, others, count }: AcrossCellsParts): Receiver {
  /** In the order of the cells; null for a cell that does not answer. */
  const fromEach = <T>(query: (cell: string) => Promise<T>): Promise<(T | null)[]> =>
    Promise.all(others.names.map((cell) => query(cell).catch(() => null)));

  /** Stores the receipts whose message any cell has; for the others, returns which cells expect them. */
  async function lookUp(receipts: readonly Receipt[]): Promise<LookUp[]> {
    const ours = await store.lookUpReceipts([...receipts]);
    const open = [...receipts.keys()].filter((place) => ours[place] !== 'known');
    if (open.length === 0) return receipts.map(() => ({ status: 'known' }));
    const unknown = open.map((place) => receipts[place]!);
    const answers = await fromEach((cell) => others.lookUpReceipts(cell, unknown));
    const found = new Map(open.map((place, index) => [place, theirs(index, answers)]));
    return ours.map((status, place) => {
      const elsewhere = found.get(place);
      if (elsewhere === undefined) return { status: 'known' };
      const expecting = status === 'expected' && elsewhere.status === 'open' ? [here] : [];
      const result: LookUp =
        elsewhere.status === 'open' ? { status: 'open', expecting: [...expecting, ...elsewhere.expecting] } : elsewhere;
      count(result.status === 'open' ? (result.expecting.length > 0 ? 'expected' : 'nobody') : result.status);
      return result;
    });
  }

  function theirs(index: number, answers: readonly (readonly ReceiptStatus[] | null)[]): LookUp {
    const statuses = answers.map((answer) => answer?.[index] ?? null);
    if (statuses.includes('known')) return { status: 'known' };
    // A cell that does not answer may be the one that has it.
    if (statuses.includes(null)) return { status: 'silent' };
    return { status: 'open', expecting: others.names.filter((_, cell) => statuses[cell] === 'expected') };
  }

  async function keep(open: readonly (Open<Receipt> & { expecting: string[] })[]): Promise<Failed> {
    const groups = Map.groupBy(
      open.flatMap(({ expecting, ...one }) =>
        (expecting.length > 0 ? expecting : [here]).map((cell) => ({ ...one, cell, isOnly: expecting.length <= 1 })),
      ),
      ({ cell, isOnly }) => `${isOnly ? 'only' : 'one of'} ${cell}`,
    );
    return await storeAll(groups.values(), async (group) => {
      const { cell, isOnly } = group[0]!;
      const receipts = group.map(({ word }) => word);
      if (cell !== here) return others.keepReceipts(cell, receipts, isOnly);
      return isOnly ? own.receipts(receipts) : store.earlyReceipts(receipts);
    });
  }

  /** The cell that has each number; `here` also when none has it, null when a cell that may have it does not answer. */
  async function ownersOf(numbers: readonly string[]): Promise<Map<string, string | null>> {
    const owners = new Map(numbers.map((number): [string, string | null] => [number, here]));
    const foreign = [...owners.keys()].filter((number) => directory().number(number) === undefined);
    if (foreign.length === 0) return owners;
    const answers = await fromEach((cell) => others.hasNumbers(cell, foreign));
    foreign.forEach((number, index) => {
      const owner = others.names.find((_, cell) => answers[cell]?.[index] === true);
      owners.set(number, owner ?? (answers.includes(null) ? null : here));
    });
    return owners;
  }

  /** Of texts that may be receipts: those that are none, and the indices of those still in doubt. */
  async function withoutReceipts(
    parts: readonly InboundPart[],
  ): Promise<{ texts: Open<InboundPart>[]; silent: number[] }> {
    const doubtful = [...parts.keys()].filter((place) => parts[place]!.perhaps !== undefined);
    const found = doubtful.length === 0 ? [] : await lookUp(doubtful.map((place) => parts[place]!.perhaps!));
    const statuses = new Map(doubtful.map((place, index) => [place, found[index]!.status]));
    return {
      texts: parts.flatMap(({ perhaps: _, ...word }, place) =>
        (statuses.get(place) ?? 'open') === 'open' ? [{ word, place }] : [],
      ),
      silent: doubtful.filter((place) => statuses.get(place) === 'silent'),
    };
  }

  return {
    receipts: async (receipts) => {
      const found = await lookUp(receipts);
      const silent = [...found.keys()].filter((place) => found[place]!.status === 'silent');
      const open = found.flatMap((one, place) =>
        one.status === 'open' ? [{ word: receipts[place]!, place, expecting: one.expecting }] : [],
      );
      throwIfAny(silent, await keep(open));
    },
    inbound: async (parts) => {
      const { texts, silent } = await withoutReceipts(parts);
      const owners = await ownersOf(texts.map(({ word }) => word.to));
      const missing = texts.filter(({ word }) => owners.get(word.to) === null).map(({ place }) => place);
      const groups = Map.groupBy(
        texts.filter(({ word }) => owners.get(word.to) !== null),
        ({ word }) => owners.get(word.to)!,
      );
      const failed = await storeAll(groups.values(), (group) => {
        const cell = owners.get(group[0]!.word.to)!;
        const words = group.map(({ word }) => word);
        return cell === here ? own.inbound(words) : others.inbound(cell, words);
      });
      throwIfAny([...silent, ...missing], failed);
    },
    inboundMms: async (message) => {
      const owners = await ownersOf(message.to);
      if ([...owners.values()].includes(null)) throw new SomeNotStored(new Set([0]), silence);
      const isOurs = (to: string): boolean => directory().number(to) !== undefined;
      const elsewhere = Map.groupBy(
        [...owners].filter(([, cell]) => cell !== here),
        ([, cell]) => cell!,
      );
      // Each cell stores the same group, whichever members it has.
      const { participants = message.to } = message;
      for (const [cell, numbers] of elsewhere) {
        await others.inboundMms(cell, { ...message, participants, to: numbers.map(([to]) => to) });
      }
      if (elsewhere.size === 0 || message.to.some(isOurs)) await own.inboundMms(message);
    },
  };
}

interface Failed {
  places: number[];
  /** The cause of the first failure. */
  cause?: unknown;
}

/** Stores all groups concurrently; returns the indices of those that could not be stored. */
async function storeAll<T extends Open<unknown>>(
  groups: Iterable<readonly T[]>,
  store: (group: readonly T[]) => Promise<void>,
): Promise<Failed> {
  const failed: Failed = { places: [] };
  const one = async (group: readonly T[]): Promise<void> => {
    try {
      await store(group);
    } catch (cause) {
      failed.cause ??= cause;
      failed.places.push(...group.map(({ place }) => place));
    }
  };
  await Promise.all([...groups].map(one));
  return failed;
}

function throwIfAny(silent: readonly number[], { places, cause }: Failed): void {
  const all = new Set([...silent, ...places]);
  if (all.size > 0) throw new SomeNotStored(all, silence, { cause });
}
