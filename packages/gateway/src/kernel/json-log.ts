/**
 * The operator's log: JSON lines on stderr, never blocking a message. Overflow is dropped and counted. Secrets and
 * message texts are redacted here as a second line of defence.
 */
import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import { createLineWriter, type Sink, stderrSink, writeToStderrNow } from './line-writer.ts';
import type { Logger, LogLevel } from './logger.ts';

export interface Log {
  readonly logger: Logger;
  /** Lines dropped so far because the reader was too slow. */
  dropped(): number;
  /** Writes the held lines; later lines are no longer held. */
  release(): void;
  /** Resolves when all lines are written, after a second at the latest. */
  close(): Promise<void>;
}

const waitingCharactersMax = 4 * 1024 * 1024;
const closeWaitMs = 1_000;
const depthMax = 6;
const mark = '[redacted]';

const secretName = /pass(word|phrase)|secret|token|authorization|api-?_?key$|cookie|^(text|wireText|body)$/i;
/** Our own tokens, webhook secrets, and the query parameter and header that carry them, anywhere in a line. */
const secretValue =
  /\b(?:bt|at)_(?:sbx_)?[0-9a-z]{10}_[0-9a-z]+|\bwhsec_[\w+/=-]+|(?<=[?&]apikey=)[^&\s"\\]+|(?<=Bearer )[^\s"\\]+/gi;

/**
 * Lines go to stderr unless a test passes another `sink`. `held`: they wait for `release` or `close`; a process that
 * exits earlier writes them on exit.
 */
export function createLog({ level, sink, held = false }: { level: LogLevel; sink?: Sink; held?: boolean }): Log {
  const writer = createLineWriter(sink ?? stderrSink(), waitingCharactersMax, { held });
  // A process that exits at once because its store broke must still be able to log that.
  if (sink === undefined) process.once('exit', () => writeToStderrNow(writer.takeWaiting()));

  let reported = 0;
  let isReporting = false;
  const write = (line: string) => {
    writer.write(line.replace(secretValue, mark));
    if (isReporting || writer.dropped() === reported) return;
    isReporting = true;
    writer.whenIdle(() => {
      const lines = writer.dropped() - reported;
      reported += lines;
      isReporting = false;
      logger.warn({ lines }, 'log lines were dropped: nobody took them fast enough');
    });
  };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redacted(fields, 0) as Record<string, unknown>,
      },
      serializers: { err: (error: Error) => redacted(stdSerializers.err(error), 0) },
    },
    { write },
  );

  return {
    logger,
    dropped: writer.dropped,
    release: writer.release,
    close: () =>
      new Promise((resolve) => {
        writer.release();
        const late = setTimeout(resolve, closeWaitMs);
        writer.whenIdle(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  };
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value) return value;
  if (depth === depthMax) return mark;
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, depth + 1));
  const out: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    out[name] = secretName.test(name) ? mark : redacted(entry, depth + 1);
  }
  return out;
}
