/** For tests: a SQLite store, and copies of its files as a power cut would leave them, taken while it is open. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type MovedClock, movedClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import type { SmsItem } from '../../messaging/store/items.ts';
import type { Claim, Settlement } from '../../model/delivery.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import { acceptItem, hour, type ItemFields, minute, settlement, start } from '../contract/fixture.ts';
import { openSqliteWriter } from '../sqlite-connection.ts';
import { noteJournalFrames } from '../system/operations.ts';

/** The journal first: entries that it drops meanwhile are in the database, which is copied after it. */
const names = ['store.journal', 'store.db', 'store.db-wal'];

export interface Crashing {
  clock: MovedClock;
  /** The node on `folder`, used by the functions below. */
  store: Store;
  folder: string;
  /** A folder with an empty store. */
  fresh(): string;
  /** A folder with the current contents of the disk. */
  crash(): string;
  /** Opens another store; it is closed after the test. */
  open(folder: string, role?: 'node' | 'tool'): Promise<Store>;
  /** Continues with a node on that folder. */
  goOn(folder: string): Promise<void>;
  /** Accepts one request; returns the ids of its deliveries. */
  accept(fields?: ItemFields, change?: (item: SmsItem) => void): Promise<string[]>;
  claim(limit: number, lane?: string): Promise<Claim[]>;
  settle(claim: Claim, fields?: Partial<Settlement>): Promise<DeliveryState[]>;
}

/** A fresh store before each test of the file. */
export function useCrashing(): Crashing {
  const world = {} as Crashing;
  let root: string;
  let opened: Store[];
  /** An empty store, copied for each test: migrating each one takes longer than most tests. */
  let empty: string;
  beforeAll(async () => {
    empty = mkdtempSync(join(tmpdir(), 'heliograph-crash-'));
    await (await openStore({ dataDir: empty, role: 'tool', clock: movedClock(start) })).close();
  });
  afterAll(() => rmSync(empty, { recursive: true }));
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-crash-'));
    opened = [];
    let folders = 0;
    const clock = movedClock(start);
    Object.assign(world, {
      clock,
      fresh() {
        folders += 1;
        return copyFiles(empty, join(root, `fresh${folders}`));
      },
      crash() {
        folders += 1;
        return copyFiles(world.folder, join(root, `crash${folders}`));
      },
      async open(folder, role = 'node') {
        const store = await openStore({ dataDir: folder, role, clock });
        opened.push(store);
        return store;
      },
      async goOn(folder) {
        Object.assign(world, { folder, store: await world.open(folder) });
      },
      async accept(fields = {}, change = () => {}) {
        const item = acceptItem(clock.now(), fields);
        change(item);
        await world.store.accept([item]);
        return item.deliveries.map(({ messageId }) => messageId);
      },
      claim: (limit, lane = 'c1') => world.store.claim({ lane, limit, now: clock.now(), token: world.store.token }),
      settle: async (claim, fields) => (await world.store.settle([settlement(claim, clock.now(), fields)]))[0]!,
    } satisfies Omit<Crashing, 'store' | 'folder'>);
    await world.goOn(world.fresh());
    // Tells the buffer that nothing is due in the lane, so that claims are answered from memory.
    await world.claim(1);
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    rmSync(root, { recursive: true });
  });
  return world;
}

/** Missing files stay missing. */
export function copyFiles(from: string, to: string): string {
  mkdirSync(to, { recursive: true });
  for (const name of names) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  return to;
}

export const journalOf = (folder: string): string => join(folder, 'store.journal');

interface Frame {
  begin: number;
  end: number;
  text: string;
  generation: number;
}

/** The frames of one generation at the beginning of the journal. */
export function framesOf(folder: string): Frame[] {
  const bytes = readFileSync(journalOf(folder));
  const generation = bytes.readUInt32LE(8);
  const frames: Frame[] = [];
  for (let begin = 0; bytes.readUInt32LE(begin) !== 0 && bytes.readUInt32LE(begin + 8) === generation; ) {
    const end = begin + 20 + bytes.readUInt32LE(begin + 16);
    // A frame without text only identifies the journal.
    if (end > begin + 20) frames.push({ begin, end, text: bytes.toString('utf8', begin + 20, end), generation });
    begin = end;
  }
  return frames;
}

/** Like a power cut: nothing was written from that byte on, including the database's unsynced note of its progress. */
export function cutJournal(folder: string, at: number): void {
  const bytes = readFileSync(journalOf(folder));
  writeFileSync(journalOf(folder), bytes.fill(0, at));
  const database = openSqliteWriter(join(folder, 'store.db'));
  database.write(noteJournalFrames(0));
  database.close();
}

/** Names of the files that contain the text. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

/** Recovers: the deliveries that a dead node was sending become uncertain; returns their ids. */
export async function recovered(store: Store): Promise<string[]> {
  const moves = await store.recover({ token: store.token, now: start + minute, dueAt: start + hour, limit: 1_000 });
  return moves.map(({ messageId }) => messageId);
}

/** Null for a missing message. */
export async function statesOf(store: Store, ids: readonly string[]): Promise<(string | null)[]> {
  const states: (string | null)[] = [];
  for (const id of ids) states.push((await store.message('acc1', id))?.state ?? null);
  return states;
}

export async function timelineOf(store: Store, messageId: string): Promise<string[]> {
  return (await store.message('acc1', messageId))!.events.map(({ state }) => state);
}

/** All visible data of an object, without what distinguishes it from others of its kind. */
export function anonymous(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/(msg|req|evt)_[0-9A-Z]+/g, '$1'));
}
