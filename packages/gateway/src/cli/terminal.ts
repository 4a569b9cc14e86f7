/** The parts of its process that a command may use, so that a test can replace them. */

export interface Terminal {
  /** Results, on stdout. */
  out(text: string): void;
  /** Notes and errors, on stderr. */
  error(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `refused`: by the gateway; `network`: the gateway is unreachable. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, network: 5 } as const;
