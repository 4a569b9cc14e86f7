/** The type of one migration; they are in `migrations/`. */

export interface Migration {
  /** From 1, without gaps. */
  version: number;
  /** Data definition in the dialect of `dialect.ts`, in order. */
  statements: string[];
}
