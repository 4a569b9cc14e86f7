/** The type of one migration; they are in `migrations/`. */

export interface Migration {
  /** From 1, without gaps. */
  version: number;
  /** Data definition in the dialect of `dialect.ts`, in order. */
  statements: string[];
  /** Only for PostgreSQL, after the others. */
  postgres?: string[];
  /**
   * On PostgreSQL, gateways of the version before run while it is made and after it. So it only adds tables, and columns that
   * may be null or have a constant default; what an older gateway writes and deletes leaves nothing wrong in them; this
   * version copes with rows that lack them, and does nothing that an acting gateway of the older version does as well. Without
   * it a start waits until all others are stopped.
   */
  besideOlder?: true;
}
