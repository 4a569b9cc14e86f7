/** A gateway installed from a package and run by its own command: starts, sends, and stops. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Heliograph } from '../../packages/client/src/index.ts';
import { createSandbox } from '../../packages/client/src/testing.ts';
import { phoneJpeg } from '../../packages/gateway/src/media/media-fixture.ts';
import type { FirstSteps } from '../../packages/gateway/src/subjects/records/first-steps.ts';

const startMs = 60_000;

export interface InstalledGateway {
  child: ChildProcess;
  url: string;
  /** The output so far, both streams. */
  output(): string;
  /** Ends it by SIGTERM to `pid` (default: its own process) and resolves with its exit code. */
  stop(pid?: number): Promise<number | null>;
}

/** Resolves when it accepts messages. */
export async function startInstalled(command: readonly string[], port: number): Promise<InstalledGateway> {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + startMs;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (Date.now() > until || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`the installed gateway did not start:\n${output}`);
    }
    await pause(100);
  }
  return {
    ...{ child, url, output: () => output },
    stop: async (pid = child.pid!) => {
      if (child.exitCode !== null) return child.exitCode;
      process.kill(pid, 'SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

/** Sends a text and a picture to a handset of the sandbox; the picture passes through sharp, native code. */
export async function sendBoth(url: string, dataFolder: string): Promise<string[]> {
  const { bearerToken, authToken, from, handsets } = JSON.parse(
    readFileSync(join(dataFolder, 'first-steps.json'), 'utf8'),
  ) as FirstSteps;
  const origin = createServer(async (_, answer) =>
    answer.writeHead(200, { 'content-type': 'image/jpeg' }).end(await phoneJpeg(3_000, 2_000, 1, 200)),
  ).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  try {
    const access = { baseUrl: url, bearerToken, authToken };
    const helio = new Heliograph(access);
    const handset = createSandbox(access).handset(handsets[0]!);
    const arrived: string[] = [];
    const picture = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/cat.jpg`;
    for (const [text, more] of [
      ['Your code is 4711', {}],
      ['This cat is 4712', { mediaUrls: [picture] }],
    ] satisfies [string, { mediaUrls?: string[] }][]) {
      await helio.sendSMS({ from, to: [handsets[0]!], text, ...more });
      arrived.push((await handset.waitForMessage(/is (\d+)/, { timeoutMs: 30_000 })).match[1]!);
    }
    return arrived;
  } finally {
    origin.close();
  }
}
