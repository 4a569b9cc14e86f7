/** `helio backup create` and `restore` as people run them, each a process of its own, beside a gateway and without one. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const launcher = fileURLToPath(new URL('../../bin/helio.js', import.meta.url));
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(HELIO_|PORT$|NODE_|VITEST)/.test(name)),
);
const freePorts = { HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'helio-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const env = { ...inherited, ...freePorts, PORT: '0', HELIO_DATA: dataDir };

  /** A command, to its end; `data`: the data folder. */
  function helioIn(data: string, ...args: string[]): Promise<{ code: number; out: string; error: string }> {
    const options = { cwd: folder, env: { ...env, HELIO_DATA: data }, timeout: 30_000 };
    return new Promise((done) => {
      execFile(process.execPath, [launcher, ...args], options, (fault, out, error) =>
        done({ code: fault === null ? 0 : Number(fault.code), out, error }),
      );
    });
  }
  const helio = (...args: string[]) => helioIn(dataDir, ...args);

  let starts = 0;
  async function start(): Promise<{ child: ChildProcess; url: string }> {
    const seen = join(folder, `seen-${++starts}`);
    const fd = openSync(seen, 'a');
    const child = spawn(process.execPath, [launcher, 'start'], { cwd: folder, env, stdio: ['ignore', fd, fd] });
    closeSync(fd);
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => readFileSync(seen, 'utf8'), { timeout: 30_000 }).toContain('"msg":"started"');
    const port = /"port":(\d+),[^\n]*"msg":"started"/.exec(readFileSync(seen, 'utf8'))![1]!;
    return { child, url: `http://127.0.0.1:${port}` };
  }

  return { folder, dataDir, helio, helioIn, start };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

interface SendAnswer {
  detail: string;
  schema?: { resultResponses: { messageId?: string }[] };
}

/** The few calls of a customer. */
function customer(dataDir: string, url: string) {
  const { bearerToken, authToken } = JSON.parse(readFileSync(join(dataDir, 'first-steps.json'), 'utf8'));
  const headers = {
    ...{ authorization: `Bearer ${bearerToken}`, 'x-api-key': authToken },
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

describe('helio backup', { timeout: 90_000 }, () => {
  it('copies a store in use, and puts it back whole once nobody uses it', async () => {
    const { folder, dataDir, helio, helioIn, start } = place();
    const first = await start();
    const before = await customer(dataDir, first.url).send('Before the copy');
    const copy = join(folder, 'copy.db');
    const made = await helio('backup', 'create', '--to', copy);
    expect(made).toMatchObject({ code: 0, error: '' });
    expect(made.out).toContain(copy);
    expect(made.out).toContain('secret.key');
    const after = await customer(dataDir, first.url).send('After the copy');

    const tooEarly = await helio('backup', 'restore', copy);
    expect(tooEarly.code).not.toBe(0);
    expect(tooEarly.error).toMatch(/in use|runs|running/);
    expect(await customer(dataDir, first.url).statusOf(after)).toBe(200);
    await stop(first.child);

    const garbage = join(folder, 'garbage.db');
    writeFileSync(garbage, 'no store at all');
    const refused = await helio('backup', 'restore', garbage);
    expect(refused.code).not.toBe(0);
    expect(refused.error).toContain(garbage);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('before-restore-'))).toEqual([]);

    const restored = await helio('backup', 'restore', copy);
    expect(restored).toMatchObject({ code: 0, error: '' });
    const [aside] = readdirSync(dataDir).filter((name) => name.startsWith('before-restore-'));
    expect(restored.out).toContain(join(dataDir, aside!));
    expect(existsSync(join(dataDir, aside!, 'store.db'))).toBe(true);

    const empty = join(folder, 'empty');
    const moved = await helioIn(empty, 'backup', 'restore', copy);
    expect(moved.code).toBe(0);
    expect(moved.out).not.toContain('before-restore');

    const second = await start();
    const again = customer(dataDir, second.url);
    expect([await again.statusOf(before), await again.statusOf(after)]).toEqual([200, 404]);
    expect(await again.send('And on')).toMatch(/^msg_/);
    await stop(second.child);

    // Without a gateway, into its own folder, where it is found by its name.
    const inPlace = await helio('backup', 'create');
    const [name] = readdirSync(join(dataDir, 'backups'));
    expect(inPlace.out).toContain(join(dataDir, 'backups', name!));
    expect(await helio('backup', 'restore', name!)).toMatchObject({ code: 0, error: '' });
  });
});
