/** What a command may touch of the process it runs in, so that a test can stand in for it. */

export interface Terminal {
  /** Results, on stdout. */
  out(text: string): void;
  /** Notes and errors, on stderr. */
  error(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `refused`: by the gateway; `network`: it could not be reached. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, network: 5 } as const;
