/**
 * The log's interface: structured fields first, one sentence second. Never pass a secret, a message text or a whole
 * telephone number.
 */

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** From the most to the least verbose. */
export type LogLevel = (typeof logLevels)[number];

/** `fields` are plain data (an `Error` under the key `err` keeps its stack); the caller masks telephone numbers. */
export type LogMethod = (fields: object, message?: string) => void;

export interface Logger extends Readonly<Record<LogLevel, LogMethod>> {
  /**
   * False when lines of this level are dropped, so that callers can skip building them. Absent = all levels may be
   * kept.
   */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** A logger without output, for tests and tools. */
export const silentLogger: Logger = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
