/** Gateways that share a PostgreSQL, behind Debian's haproxy, set up as in `docs/postgresql.md`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { bareEnv } from '../props/bare-env.ts';
import { type Exit, type Gateway, GatewayDidNotStart, type GatewayOptions, startGateway } from '../props/gateway.ts';
import { writeLiveRecords } from '../props/live-records.ts';

/** As `writeLiveRecords` names them. */
export const carrierIds = ['smsc', 'smsc-2', 'smsc-3'];
export const window = 10;
const readyMsMax = 240_000;

export interface Nodes {
  /** The port of haproxy, which polls `/readyz` of each and uses them in turn. */
  readonly door: number;
  /** By place. One that ends, however it does, is started again in its place, as a supervisor would. */
  readonly running: readonly Gateway[];
  /** Resolves once another one is ready in the place of `gone`. */
  again(place: number, gone: Gateway): Promise<void>;
  /** Stops all in good order. */
  stop(): Promise<Exit[]>;
  /** Ends what is left, at once. */
  remove(): Promise<void>;
}

export interface NodesOptions {
  folder: string;
  databaseUrl: string;
  carrierPort: number;
  count: number;
  /** Arguments of node, for planted bugs. */
  nodeArguments: readonly string[];
}

export async function startNodes(options: NodesOptions): Promise<Nodes> {
  const { folder, count, carrierPort } = options;
  const recordsFile = join(folder, 'records.json');
  const keyFile = join(folder, 'key');
  writeLiveRecords(recordsFile, { smscPort: carrierPort, window, receipts: true, smppCarriers: carrierIds.length });
  writeFileSync(keyFile, '5a'.repeat(32), { mode: 0o600 });
  const given: GatewayOptions[] = [];
  for (let place = 0; place < count; place += 1) {
    given.push({
      folder: join(folder, `node${place}`),
      port: await freePort(),
      recordsFile,
      databaseUrl: options.databaseUrl,
      env: { HELIO_CLUSTER: '1', HELIO_SECRET_KEY_FILE: keyFile },
      nodeArguments: options.nodeArguments,
      readyWithinMs: readyMsMax,
    });
  }
  const door = await freePort();
  const balancer = startBalancer(
    folder,
    door,
    given.map(({ port }) => port!),
  );
  const running: Gateway[] = [];
  let over = false;
  const watches: Promise<void>[] = [];

  async function supervise(place: number): Promise<void> {
    while (!over) {
      await running[place]!.exited;
      while (!over) {
        const started = await startGateway(given[place]!).catch(isTemporary);
        if (started === null) continue;
        running[place] = started;
        break;
      }
    }
  }

  const remove = async () => {
    over = true;
    await Promise.all(running.map((gateway) => gateway.kill()));
    await Promise.all(watches);
    await Promise.all(running.map((gateway) => gateway.kill()));
    balancer.kill('SIGKILL');
    if (balancer.exitCode === null && balancer.signalCode === null) await once(balancer, 'exit');
  };
  try {
    running.push(...(await Promise.all(given.map(startGateway))));
  } catch (error) {
    await remove();
    throw error;
  }
  for (const place of given.keys()) watches.push(supervise(place));
  return {
    door,
    running,
    async again(place, gone) {
      const end = performance.now() + readyMsMax;
      while (running[place] === gone) {
        if (performance.now() > end) throw new Error(`no gateway again: ${gone.stderr().slice(-1_500)}`);
        await wait(20);
      }
    },
    async stop() {
      over = true;
      return Promise.all(running.map((gateway) => gateway.stop()));
    },
    remove,
  };
}

/** The database could not be reached (EX_UNAVAILABLE), or others had the store meanwhile (EX_SOFTWARE): null, to be tried again. */
function isTemporary(error: unknown): null {
  if (error instanceof GatewayDidNotStart && [69, 70].includes(error.exit?.code ?? 0)) return null;
  throw error;
}

function startBalancer(folder: string, door: number, ports: readonly number[]): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'haproxy.cfg');
  const lines = [
    'global',
    '  maxconn 500',
    'listen door',
    '  mode http',
    `  bind 127.0.0.1:${door}`,
    '  balance roundrobin',
    '  timeout connect 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...ports.map((port, place) => `  server node${place} 127.0.0.1:${port} check`),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore', env: bareEnv() });
}
