/**
 * Manages up to two fit processes: started on demand, ended when idle, after many jobs, on a hang or on invalid
 * output. A job whose process dies is retried once. Results are verified here.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { FitChild } from './fit-command.ts';
import { createFrameReader, encodeFrame, type Frame } from './fit-frame.ts';
import type { FitRequest, FittedImage } from './fit-image.ts';
import { kindOf } from './kind.ts';

export interface FitLimits {
  readonly processesMax: number;
  /** Jobs that wait for a process; they hold no bytes yet. */
  readonly waitingMax: number;
  /** Time for one attempt, the start of a process included. Two attempts stay below 65 s. */
  readonly tryMs: number;
  readonly jobsPerProcess: number;
  readonly idleMs: number;
}

export const defaultFitLimits: FitLimits = {
  processesMax: 2,
  waitingMax: 256,
  tryMs: 25_000,
  jobsPerProcess: 200,
  idleMs: 60_000,
};

export interface FitJob extends FitRequest {
  /** Called when a process is free, so that waiting jobs hold no bytes. Null: the bytes are lost. */
  load(): Promise<Uint8Array | null>;
}

export type FitResult =
  | FittedImage
  /** The process crashed, hung or gave invalid output twice for this image. */
  | { readonly kind: 'crashed' }
  /** `load` returned null. */
  | { readonly kind: 'lost' }
  /** Too many jobs wait already, or the pool is closed. */
  | { readonly kind: 'busy' };

export interface FitProcesses {
  fit(job: FitJob): Promise<FitResult>;
  /** Ends the processes; jobs under way end as `busy`. */
  close(): void;
}

export interface FitProcessParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly start: () => FitChild;
  readonly limits?: Partial<FitLimits>;
}

const triesMax = 2;
/** Characters kept of a process's stderr. */
const lastWordsMax = 2_000;

export function openFitProcesses({ clock, logger, start, limits: given }: FitProcessParts): FitProcesses {
  const limits = { ...defaultFitLimits, ...given };
  const idle: FitProcess[] = [];
  const open = new Set<FitProcess>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let closed = false;

  /** Resolves when fewer than `processesMax` jobs run; false when too many wait for that. */
  async function enter(): Promise<boolean> {
    if (running >= limits.processesMax) {
      if (waiting.length >= limits.waitingMax) return false;
      await new Promise<void>((go) => waiting.push(go));
    } else {
      running += 1;
    }
    return true;
  }

  /** Passes the slot to the next waiting job, or frees it. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  function take(): FitProcess {
    for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
      free.cancelIdle();
      if (!free.dead) return free;
      open.delete(free);
    }
    const started = new FitProcess(start());
    open.add(started);
    return started;
  }

  function end(ended: FitProcess): void {
    open.delete(ended);
    ended.kill();
  }

  function giveBack(used: FitProcess): void {
    if (used.jobs >= limits.jobsPerProcess || closed) {
      end(used);
      return;
    }
    idle.push(used);
    used.cancelIdle = clock.after(limits.idleMs, () => {
      idle.splice(idle.indexOf(used), 1);
      end(used);
    });
  }

  async function tryOnce(request: FitRequest, bytes: Uint8Array): Promise<FittedImage | null> {
    const used = take();
    const cancel = clock.after(limits.tryMs, () => used.kill());
    const frame = await used.run(encodeFrame(request, bytes), request.budgetBytes);
    cancel();
    const answer = frame === null ? null : believable(frame);
    if (answer !== null) {
      giveBack(used);
      return answer;
    }
    end(used);
    if (!closed) logger.warn({ lastWords: used.lastWords }, 'the process that fits images failed and was ended');
    return null;
  }

  return {
    async fit({ load, type, budgetBytes }) {
      if (closed || !(await enter())) return { kind: 'busy' };
      try {
        const bytes = await load();
        if (bytes === null) return { kind: 'lost' };
        for (let tries = 0; tries < triesMax && !closed; tries++) {
          const answer = await tryOnce({ type, budgetBytes }, bytes);
          if (answer !== null) return answer;
        }
        return { kind: closed ? 'busy' : 'crashed' };
      } finally {
        leave();
      }
    },

    close() {
      closed = true;
      for (const one of open) {
        one.cancelIdle();
        end(one);
      }
    },
  };
}

/** One process, with one job at a time. */
class FitProcess {
  jobs = 0;
  dead = false;
  lastWords = '';
  cancelIdle: () => void = () => {};
  readonly #child: FitChild;
  #settle: (frame: Frame | null) => void = () => {};
  #reader = createFrameReader(0);

  constructor(child: FitChild) {
    this.#child = child;
    child.once('error', () => this.kill());
    child.once('exit', () => this.#die());
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => this.kill());
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString('latin1')).slice(0, lastWordsMax);
    });
  }

  /** The answer to `request`; null when there is none. */
  run(request: Buffer, answerBytesMax: number): Promise<Frame | null> {
    this.jobs += 1;
    if (this.dead) return Promise.resolve(null);
    this.#reader = createFrameReader(answerBytesMax);
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#child.stdin.write(request);
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#die();
  }

  #die(): void {
    this.dead = true;
    this.#settle(null);
  }

  #receive(chunk: Buffer): void {
    const frames = this.#reader.read(chunk);
    if (frames === null || frames.length > 1) this.kill();
    else if (frames.length === 1) this.#settle(frames[0]!);
  }
}

/** The process's result, if its type may be sent. The reader has already enforced the budget. */
function believable({ head, body }: Frame): FittedImage | null {
  const { kind, altered } = Object(head) as { kind?: unknown; altered?: unknown };
  if (kind === 'damaged' || kind === 'too-large') return { kind };
  if (kind !== 'fitted') return null;
  const found = kindOf(body);
  const sendable =
    found.ok && (found.type === 'image/jpeg' || found.type === 'image/png' || found.type === 'image/gif');
  const change = altered === 'still' || altered === 'fewer-frames' ? ({ altered } as const) : {};
  return sendable ? ({ kind, type: found.type, bytes: body, ...change } as const) : null;
}
