/**
 * The log's interface: structured fields first, one sentence second. Never pass a secret, a message text or a whole
 * telephone number.
 */

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** From the most to the least talkative. */
export type LogLevel = (typeof logLevels)[number];

/** `fields` are plain data (an `Error` under the key `err` keeps its stack); numbers of people are masked by the caller. */
export type LogMethod = (fields: object, message?: string) => void;

export interface Logger extends Readonly<Record<LogLevel, LogMethod>> {
  /** False when lines of this level are dropped, so building them can be skipped. Absent = they may be read. */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** A logger that says nothing, for tests and tools. */
export const silentLogger: Logger = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
