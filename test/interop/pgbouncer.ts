/** A real pgbouncer on loopback in front of a test's PostgreSQL. Without it the tests fail; they are never skipped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';

const binary = '/usr/sbin/pgbouncer';
const outputCharactersMax = 10_000;

export interface Pgbouncer {
  /** The URL of the same database through pgbouncer. */
  url(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** `socketFolder`: where the server listens. `settings` go into its section `[pgbouncer]`. */
export async function startPgbouncer(
  socketFolder: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-pgbouncer-'));
  const port = await freePort();
  const own = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', `* = host=${socketFolder} user=helio`, '[pgbouncer]', ...lines, ''].join('\n'));
  // It refuses to run as root.
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (as.uid !== undefined) for (const path of [folder, file]) chownSync(path, as.uid, as.gid);
  const child = spawn(binary, [file], { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  await new Promise<void>((up, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`pgbouncer ended with ${code}: ${output}`)));
    child.stderr.on('data', (chunk) => {
      output = (output + chunk).slice(-outputCharactersMax);
      if (output.includes('process up')) up();
    });
  });
  return {
    url: (databaseUrl) => `postgres://helio@127.0.0.1:${port}${new URL(databaseUrl).pathname}`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
