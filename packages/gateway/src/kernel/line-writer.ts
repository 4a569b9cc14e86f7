/**
 * Writes lines to a file descriptor asynchronously: one write in flight, the rest in a bounded queue. A slow reader, a
 * full disk or a closed pipe costs lines (counted), never time or memory.
 */
import { fstatSync, write, writeSync } from 'node:fs';

/** Calls `done` once, later, when the bytes are written or lost. Never throws, never blocks. */
export type Sink = (bytes: Buffer, done: (error: Error | null) => void) => void;

export interface LineWriter {
  write(line: string): void;
  /** Lines lost so far. */
  dropped(): number;
  /** Calls `run` once when nothing is waiting, at once if that is so now. */
  whenIdle(run: () => void): void;
  /** Starts writing the held lines; later lines are no longer held. */
  release(): void;
  /** Takes the waiting lines out of the queue, to write them when the process exits. */
  takeWaiting(): string;
}

const chunkCharactersMax = 64 * 1024;

/** `waitingCharactersMax` bounds the queue; a line that does not fit is dropped. `held`: nothing is written before `release`. */
export function createLineWriter(sink: Sink, waitingCharactersMax: number, { held = false } = {}): LineWriter {
  let holding = held;
  let queue: string[] = [];
  let waiting = 0;
  let dropped = 0;
  let busy = false;
  let idle: (() => void)[] = [];

  function take(charactersMax: number): string[] {
    let count = 0;
    let size = 0;
    for (const { length } of queue) {
      if (count > 0 && size + length > charactersMax) break;
      size += length;
      count++;
    }
    waiting -= size;
    const taken = queue.slice(0, count);
    queue = queue.slice(count);
    return taken;
  }

  function pump(): void {
    busy = queue.length > 0;
    if (!busy) {
      const callbacks = idle;
      idle = [];
      for (const run of callbacks) run();
      return;
    }
    const lines = take(chunkCharactersMax);
    sink(Buffer.from(lines.join('')), (error) => {
      if (error !== null) dropped += lines.length;
      pump();
    });
  }

  return {
    write(line) {
      if (waiting + line.length > waitingCharactersMax) {
        dropped++;
        return;
      }
      queue.push(line);
      waiting += line.length;
      if (!busy && !holding) pump();
    },
    dropped: () => dropped,
    whenIdle(run) {
      if (busy || queue.length > 0) idle.push(run);
      else run();
    },
    release() {
      holding = false;
      if (!busy) pump();
    },
    takeWaiting: () => take(Number.POSITIVE_INFINITY).join(''),
  };
}

/** The process's stderr as a sink. */
export function stderrSink(): Sink {
  const { stderr } = process;
  const kind = fstatSync(stderr.fd);
  if (kind.isFIFO() || kind.isSocket()) {
    // Uses the stream, not fs.write: a thread that blocks on a full pipe would also block the exit of the process.
    stderr.on('error', () => {});
    return (bytes, done) => {
      stderr.write(bytes, (error) => done(error ?? null));
    };
  }
  return (bytes, done) => writeAll(stderr.fd, bytes, done);
}

/** Writes the last lines of a process that is about to exit. Gives up at the first error. */
export function writeToStderrNow(text: string): void {
  try {
    for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(process.stderr.fd, rest));
  } catch {
    // This failure cannot be reported: stderr was the last resort.
  }
}

function writeAll(fd: number, bytes: Buffer, done: (error: Error | null) => void): void {
  write(fd, bytes, (error, written) => {
    if (error !== null || written === bytes.length) done(error);
    else writeAll(fd, bytes.subarray(written), done);
  });
}
