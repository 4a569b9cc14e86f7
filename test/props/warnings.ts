import { type Logger, silentLogger } from '../../packages/gateway/src/kernel/logger.ts';

/** A log that keeps the messages of its warnings in `lines`, and nothing else. */
export function warningsIn(lines: string[]): Logger {
  return { ...silentLogger, warn: (_fields: object, message = '') => void lines.push(message) };
}
