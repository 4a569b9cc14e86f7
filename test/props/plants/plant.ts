/**
 * Puts code between the gateway and its store without a line in the product: a file given to node with `--import` calls
 * one of the functions here, and an import of the product's file is then answered with the `planted-*.ts` of that name.
 * Node imports the file in each of its threads. For planted bugs and for stops at an exact place.
 */
import { registerHooks } from 'node:module';
import type { Store } from '../../../packages/gateway/src/app/store.ts';
import type { Journal } from '../../../packages/gateway/src/store/journal/journal.ts';
import type { Migration } from '../../../packages/gateway/src/store/migration.ts';
import type { SqliteConnection } from '../../../packages/gateway/src/store/sqlite-connection.ts';
import type { AddFrame } from './late-journal.ts';

type Wrap<T> = (real: T) => T;

let aroundStore: Wrap<Store> = (store) => store;
let aroundJournal: Wrap<Journal> = (journal) => journal;
let aroundFrames: Wrap<AddFrame> = (addFrame) => addFrame;
let aroundConnection: Wrap<SqliteConnection> = (connection) => connection;

/** Every store opened from now on goes through `wrap`. Call it from a file that node imports first, like the others here. */
export function plantStore(wrap: Wrap<Store>): void {
  aroundStore = wrap;
  standIn('app/open-store.ts', 'planted-open.ts');
}

/** The same for the journal of a SQLite store, in the thread that writes. */
export function plantJournal(wrap: Wrap<Journal>): void {
  aroundJournal = wrap;
  standIn('store/journal/journal.ts', 'planted-journal.ts');
}

/** The same for what adds a frame to the journal of a PostgreSQL store. */
export function plantFrames(wrap: Wrap<AddFrame>): void {
  aroundFrames = wrap;
  standIn('store/system/frames.ts', 'planted-frames.ts');
}

/** The same for the connection that a SQLite store writes through. */
export function plantConnection(wrap: Wrap<SqliteConnection>): void {
  aroundConnection = wrap;
  standIn('store/sqlite-connection.ts', 'planted-connection.ts');
}

/** Every message that a door forwards reaches its cell twice. */
export function plantForwardTwice(): void {
  standIn('subjects/cells/cell-link.ts', 'planted-link.ts');
}

/** No transaction compares who has a send queue. */
export function plantLanes(): void {
  standIn('store/context.ts', 'planted-context.ts');
}

/** No transaction compares who has a duty. */
export function plantDuties(): void {
  standIn('store/context.ts', 'planted-owned.ts');
}

let nextMigration: Omit<Migration, 'version'> | null = null;

/** The program knows one more migration: it is of a later version. */
export function plantMigration(next: Omit<Migration, 'version'>): void {
  nextMigration = next;
  standIn('store/migrate.ts', 'planted-migrate.ts');
}

export const throughPlant = {
  store: (store: Store) => aroundStore(store),
  journal: (journal: Journal) => aroundJournal(journal),
  frames: (addFrame: AddFrame) => aroundFrames(addFrame),
  connection: (connection: SqliteConnection) => aroundConnection(connection),
  migrations: (known: readonly Migration[]) =>
    nextMigration === null ? known : [...known, { ...nextMigration, version: known.at(-1)!.version + 1 }],
};

/** Imports of `real` get `planted`, a file or a URL, instead; only `planted` gets the real file. */
export function standIn(real: string, planted: string): void {
  const realUrl = new URL(`../../../packages/gateway/src/${real}`, import.meta.url).href;
  const plantedUrl = new URL(planted, import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      return resolved.url === realUrl && context.parentURL !== plantedUrl ? next(plantedUrl, context) : resolved;
    },
  });
}

/** The store with some of its methods replaced. */
export function withMethods(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name in methods) return methods[name as keyof Store];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
