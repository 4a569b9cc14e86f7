/** The type of one migration; they are in `migrations/`. */

export interface Migration {
  /** From 1, without gaps. */
  version: number;
  /** Data definition statements in the dialect of `dialect.ts`, in order. */
  statements: string[];
  /** Only for one engine, after the other statements. */
  postgres?: string[];
  sqlite?: string[];
  /**
   * On PostgreSQL, gateways of the previous version run during and after this migration. So it only adds tables, and
   * columns that may be null or have a constant default; rows that an older gateway writes or deletes leave nothing
   * wrong in them; this version accepts rows without them, and does nothing that an acting gateway of the older version
   * does too. Without this flag a start waits until all other gateways are stopped.
   */
  besideOlder?: true;
}
