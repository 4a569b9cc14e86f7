export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** The URL of a new, empty schema in a database: as good as one of its own, and many times cheaper. */
  createSchema(databaseUrl: string): Promise<string>;
  /** Runs SQL as superuser in a database made by `createDatabase`. */
  query(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Stops at once as a crash would (`crash`) or in good order (`fast`). */
  stop(mode: 'crash' | 'fast'): Promise<void>;
  /** Starts it again on the same data; `settings` are `name=value` pairs. */
  start(settings?: string[]): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}
/** Unpacks, initialises and starts a server. `settings` are `name=value` pairs for its command line. */
export declare function startPostgres(settings?: string[]): Promise<TestPostgres>;
