/**
 * The real gateway as a child process: started as a user starts it, on its own data folder and port, with its output in
 * files beside that folder. Ends only the process it started, by pid.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { bareEnv } from './bare-env.ts';

const checkout = resolve(fileURLToPath(new URL('../..', import.meta.url)));

export interface GatewayOptions {
  /** Contains `data/` unless `dataDir` names another place, and the two output files. Created when missing. */
  folder: string;
  dataDir?: string;
  /** The records file applied at start. */
  recordsFile?: string;
  databaseUrl?: string;
  /** A free one by default. Keep it over restarts so that clients find the gateway again. */
  port?: number;
  uncertainWaitSeconds?: number;
  env?: Record<string, string>;
  /** Arguments for node itself, like `--import FILE` or `--cpu-prof`. */
  nodeArguments?: readonly string[];
  /** Whose gateway runs; this one by default. */
  checkout?: string;
  /** A command that runs node as its child, like strace with its options. */
  wrapper?: readonly string[];
  readyWithinMs?: number;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Gateway {
  readonly port: number;
  /** Pid of the node process, also under a wrapper. */
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; SIGKILL after `withinMs`. */
  stop(withinMs?: number): Promise<Exit>;
  /** The stderr of all starts in this folder so far. */
  stderr(): string;
}

/** The gateway exited before it was ready, or did not become ready in time. */
export class GatewayDidNotStart extends Error {
  readonly exit: Exit | null;
  constructor(exit: Exit | null, stderr: string) {
    const how = exit === null ? 'was not ready in time' : `ended with ${exit.code ?? exit.signal}`;
    super(`the gateway ${how}: ${stderr.slice(-2_000)}`);
    this.name = 'GatewayDidNotStart';
    this.exit = exit;
  }
}

/** Starts the gateway; resolves once `/readyz` answers 200. Rejects with GatewayDidNotStart. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = await spawnGateway(options);
  const end = performance.now() + (options.readyWithinMs ?? 90_000);
  let exit: Exit | null = null;
  void gateway.exited.then((ended) => {
    exit = ended;
  });
  while (exit === null && performance.now() < end) {
    if (await isReady(gateway.port)) return gateway;
    await wait(15);
  }
  if (exit === null) await gateway.kill();
  throw new GatewayDidNotStart(exit, gateway.stderr());
}

/** Starts the gateway and does not wait for it. */
export async function spawnGateway(options: GatewayOptions): Promise<Gateway> {
  mkdirSync(options.folder, { recursive: true });
  const port = options.port ?? (await freePort());
  const stderrFile = join(options.folder, 'gateway.stderr');
  const stdout = openSync(join(options.folder, 'gateway.stdout'), 'a');
  const stderr = openSync(stderrFile, 'a');
  const command = [
    ...(options.wrapper ?? []),
    pinnedNode(),
    ...(options.nodeArguments ?? []),
    join(options.checkout ?? checkout, 'packages/gateway/bin/helio.js'),
    'start',
  ];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: options.folder,
    env: environment(options, port),
    stdio: ['ignore', stdout, stderr],
  });
  closeSync(stdout);
  closeSync(stderr);
  const pid = () => (options.wrapper === undefined ? child.pid! : (childOf(child.pid!) ?? child.pid!));
  // The last resort when a test ends without stopping its gateway.
  const orphaned = () => signalProcess(pid(), 'SIGKILL');
  process.once('exit', orphaned);
  const exited = new Promise<Exit>((resolveExit, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('exit', orphaned);
      resolveExit({ code, signal });
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning(child)) signalProcess(pid(), signal);
    return await exited;
  };
  return {
    port,
    get pid() {
      return pid();
    },
    exited,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: async (withinMs = 45_000) => {
      const timer = setTimeout(() => void end('SIGKILL'), withinMs);
      try {
        return await end('SIGTERM');
      } finally {
        clearTimeout(timer);
      }
    },
    stderr: () => readFileSync(stderrFile, 'utf8'),
  };
}

function environment(options: GatewayOptions, port: number): NodeJS.ProcessEnv {
  return {
    ...bareEnv(),
    PORT: String(port),
    HELIO_DATA: options.dataDir ?? join(options.folder, 'data'),
    // An empty variable counts as not set.
    HELIO_CONFIG: options.recordsFile ?? '',
    HELIO_DATABASE_URL: options.databaseUrl ?? '',
    HELIO_SANDBOX: '0',
    HELIO_LOG: 'warn',
    HELIO_UNCERTAIN_WAIT_SECONDS: String(options.uncertainWaitSeconds ?? 1),
    // Some tests fill small disks.
    HELIO_DISK_RESERVE_MB: '0',
    // Node strips the types of the sources once, not at each of hundreds of starts.
    NODE_COMPILE_CACHE: join(tmpdir(), 'helio-test-compile-cache'),
    ...options.env,
  };
}

/** The pinned Node, even when the test itself runs on an older one. */
function pinnedNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const pinned = join(checkout, 'node_modules/.bin/node');
  return existsSync(pinned) ? pinned : process.execPath;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      // With keep-alive, every stop would wait for the connection.
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The first child process of `pid`; Linux only, like the wrappers. */
function childOf(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? null : Number(children.split(' ')[0]);
  } catch {
    return null;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
