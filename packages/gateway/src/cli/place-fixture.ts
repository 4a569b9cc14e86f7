/** For tests of commands around the store: gateways and commands as people run them, each in its own process. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { bareEnv } from '../../../../test/props/bare-env.ts';

export const launcher = fileURLToPath(new URL('../../bin/helio.js', import.meta.url));
const freePorts = { HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };

export interface Ended {
  code: number;
  out: string;
  error: string;
}

export interface Running {
  child: ChildProcess;
  url: string;
  /** Both streams, in the order of writing. */
  seen(): string;
}

/**
 * A fresh folder; after the test it is deleted and its processes are ended. `finished`: the test's hook, when several
 * run at once.
 */
export function place(more: Record<string, string> = {}, finished: (work: () => void) => void = onTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), 'helio-place-'));
  finished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const env = { ...bareEnv(), ...freePorts, PORT: '0', HELIO_DATA: dataDir, ...more };

  /** Runs a command to its end; `data`: the data folder. */
  function helioIn(data: string, ...args: string[]): Promise<Ended> {
    const options = { cwd: folder, env: { ...env, HELIO_DATA: data }, timeout: 90_000 };
    return new Promise((done) => {
      execFile(process.execPath, [launcher, ...args], options, (fault, out, error) =>
        done({ code: fault === null ? 0 : Number(fault.code), out, error }),
      );
    });
  }
  const helio = (...args: string[]) => helioIn(dataDir, ...args);

  let starts = 0;
  async function start(): Promise<Running> {
    const seen = join(folder, `seen-${++starts}`);
    const fd = openSync(seen, 'a');
    const child = spawn(process.execPath, [launcher, 'start'], { cwd: folder, env, stdio: ['ignore', fd, fd] });
    closeSync(fd);
    finished(() => void child.kill('SIGKILL'));
    await expect.poll(() => readFileSync(seen, 'utf8'), { timeout: 90_000 }).toContain('"msg":"started"');
    const port = /"port":(\d+),[^\n]*"msg":"started"/.exec(readFileSync(seen, 'utf8'))![1]!;
    return { child, url: `http://127.0.0.1:${port}`, seen: () => readFileSync(seen, 'utf8') };
  }

  return { folder, dataDir, env, helio, helioIn, start };
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

interface SendAnswer {
  detail: string;
  schema?: { resultResponses: { messageId?: string }[] };
}

/** A customer's calls to the API. */
export function customer(dataDir: string, url: string) {
  const { bearerToken, authToken } = JSON.parse(readFileSync(join(dataDir, 'first-steps.json'), 'utf8'));
  const headers = {
    authorization: `Bearer ${bearerToken}`,
    'x-api-key': authToken,
    'content-type': 'application/json',
  };
  return {
    async send(text: string): Promise<string> {
      const body = JSON.stringify({ from: '12025550199', to: ['12025550100'], text });
      const answer = await fetch(`${url}/SendSMS`, { method: 'POST', headers, body });
      const { schema, detail } = (await answer.json()) as SendAnswer;
      const messageId = schema?.resultResponses[0]?.messageId;
      if (messageId === undefined) throw new Error(detail);
      return messageId;
    },
    async statusOf(messageId: string): Promise<number> {
      return (await fetch(`${url}/api/v1/messages/${messageId}`, { headers })).status;
    },
  };
}
