/**
 * The processes of a gateway under test: sets up, starts, kills, stops and freezes them, always by the pid of a process
 * that this run started. Their output goes to one file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { machineClock as clock } from '../../kernel/machine.ts';
import type { Gateway, Program } from './gateway.ts';

/** The gateway could not be set up or started: the run cannot go on. */
export class GatewayFailed extends Error {}

export interface Processes {
  /** Writes the files and runs the set-up, once. */
  setUp(): Promise<void>;
  /** Starts everything; resolves with the ms until the gateway was ready. */
  start(): Promise<number>;
  /** SIGKILL; resolves when all are gone. */
  kill(): Promise<void>;
  /** SIGTERM, in reverse order of the start; false when a process had to be killed. */
  stop(): Promise<boolean>;
  /** Stops all its processes (SIGSTOP); only `kill` may follow. */
  freeze(): void;
  isRunning(): boolean;
}

export interface ProcessOptions {
  gateway: Gateway;
  /** Working folder of the processes, with their data. */
  folder: string;
  /** Stdout and stderr of all of them. */
  outputFile: string;
  signal: AbortSignal;
}

const readyMsMax = 60_000;
const stopMsMax = 30_000;
const lookMs = 20;
const answerMsMax = 2_000;
const outputCharactersMax = 1_500;
/** In its own process group, a gateway is killed together with its children. */
const hasGroups = process.platform !== 'win32';

export function createProcesses({ gateway, folder, outputFile, signal }: ProcessOptions): Processes {
  const running = new Set<ChildProcess>();
  // Last resort if this process ends early.
  process.once('exit', () => {
    for (const child of running) signalTo(child, 'SIGKILL');
  });

  function launch({ command }: Program): ChildProcess {
    const output = openSync(outputFile, 'a');
    const [program, ...args] = command;
    // Our gateway stops when the channel closes, so it does not outlive this process.
    const child = spawn(program!, args, {
      cwd: folder,
      env: { ...inheritedEnvironment(), ...gateway.env },
      stdio: ['ignore', output, output, gateway.records === null ? 'ignore' : 'ipc'],
      detached: hasGroups,
    });
    closeSync(output);
    running.add(child);
    child.once('exit', () => void running.delete(child));
    child.once('error', (error) => {
      writeFileSync(outputFile, `${command.join(' ')}: ${error.message}\n`, { flag: 'a' });
      running.delete(child);
    });
    return child;
  }

  /** Resolves when `isTrue` is; throws when a process ended earlier, or it took too long. */
  async function until(isTrue: () => Promise<boolean>, startedMs: number, started: readonly ChildProcess[]) {
    while (!(await isTrue())) {
      signal.throwIfAborted();
      const ended = started.find((child) => !running.has(child));
      if (ended !== undefined) {
        throw new GatewayFailed(
          `it ended with ${ended.exitCode ?? ended.signalCode ?? 'an error'} at its start: ${lastOutput()}`,
        );
      }
      if (clock.monotonicMs() - startedMs > readyMsMax) {
        throw new GatewayFailed(`it was not ready within ${readyMsMax / 1_000} s: ${lastOutput()}`);
      }
      await pause(lookMs);
    }
  }

  function lastOutput(): string {
    const text = readFileSync(outputFile, 'utf8').trim().slice(-outputCharactersMax);
    return text === '' ? 'it printed nothing' : text;
  }

  return {
    setUp: async () => {
      writeFileSync(outputFile, '');
      for (const { path, text } of gateway.files) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      for (const program of gateway.setup) {
        const child = launch(program);
        const code = await ended(child);
        if (code !== 0) throw new GatewayFailed(`its set-up ended with ${code ?? 'an error'}: ${lastOutput()}`);
      }
    },
    start: async () => {
      signal.throwIfAborted();
      const startedMs = clock.monotonicMs();
      const started: ChildProcess[] = [];
      for (const program of gateway.start) {
        const { afterPort } = program;
        if (afterPort !== null) await until(() => takesConnections(afterPort), startedMs, started);
        started.push(launch(program));
      }
      await until(() => isReady(gateway), startedMs, started);
      const readyMs = clock.monotonicMs() - startedMs;
      await pause(gateway.settleMs);
      return readyMs;
    },
    kill: async () => {
      const all = [...running];
      for (const child of all) signalTo(child, 'SIGKILL');
      await Promise.all(all.map(ended));
    },
    stop: async () => {
      let isClean = true;
      for (const child of [...running].reverse()) {
        const timer = clock.after(stopMsMax, () => {
          isClean = false;
          signalTo(child, 'SIGKILL');
        });
        signalTo(child, 'SIGTERM');
        await ended(child);
        timer();
      }
      return isClean;
    },
    freeze: () => {
      for (const child of running) signalTo(child, 'SIGSTOP');
    },
    isRunning: () => running.size >= gateway.start.length,
  };
}

/** The environment without the settings of the user's own gateway, above all its database. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HELIO_|PORT$)/.test(name)));
}

function isThere(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (isThere(child)) await once(child, 'exit').catch(() => {});
  return child.exitCode;
}

/** To the process and its children. */
function signalTo(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!isThere(child)) return;
  try {
    process.kill(hasGroups ? -child.pid! : child.pid!, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

function isReady({ readyPort, readyPath }: Gateway): Promise<boolean> {
  if (readyPath === null) return takesConnections(readyPort);
  return new Promise((resolve) => {
    const probe = request({ host: '127.0.0.1', port: readyPort, path: readyPath, agent: false, timeout: answerMsMax });
    probe.once('response', (answer) => {
      answer.resume();
      const { statusCode = 0 } = answer;
      resolve(statusCode >= 200 && statusCode < 300);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
    probe.once('close', () => resolve(false));
    probe.end();
  });
}
