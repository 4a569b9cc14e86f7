/**
 * The Debian package in a bare Debian: apt installs it without a download of its own, the service's command runs there
 * as the service's user and sends a text and a picture without a system call that the unit forbids. Needs root and
 * debootstrap.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { expected, fillFolder } from '../versions/0.1-fixture.ts';
import { canMakeDebian, type DebianRoot, debianRoot } from './debian-root.ts';
import { type InstalledGateway, sendBoth, startInstalled } from './installed-gateway.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(checkout, 'packages/gateway/package.json'), 'utf8'));
const unitPath = 'usr/lib/systemd/system/heliograph.service';

let folder: string;
let deb: string;
let debian: DebianRoot;

describe.skipIf(!canMakeDebian())('the Debian package', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'helio-debian-'));
    execFileSync(process.execPath, [join(checkout, 'deploy/debian/build.js'), folder], { stdio: 'ignore' });
    deb = join(folder, `heliograph_${version}_amd64.deb`);
    debian = debianRoot(join(folder, 'root'));
    cpSync(deb, join(debian.folder, 'tmp/heliograph.deb'));
    debian.run('apt-get', 'update');
    debian.run('apt-get', 'install', '-y', '--no-install-recommends', '/tmp/heliograph.deb');
  }, 600_000);

  afterAll(() => {
    debian?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has only files of root that nobody else can change, with licences, bill of materials and settings', () => {
    const files = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8', maxBuffer: 64_000_000 })
      .trim()
      .split('\n');
    expect(files.length).toBeGreaterThan(3_000);
    expect(files.filter((line) => !/^([-d]r[w-][x-]r-[x-](r-[x-]|---)|lrwxrwxrwx) root\/root /.test(line))).toEqual([]);
    for (const name of ['copyright', 'heliograph.cdx.json', 'SECURITY.md'])
      expect(files.filter((line) => line.endsWith(`./usr/share/doc/heliograph/${name}`))).toHaveLength(1);
    expect(
      files.filter((line) =>
        /-(linuxmusl|darwin|win32|arm64)\b|heliograph\/dist\/.*\.test\.|\/include\/node/.test(line),
      ),
    ).toEqual([]);
    const copyright = readFileSync(join(debian.folder, 'usr/share/doc/heliograph/copyright'), 'utf8');
    for (const text of ['Apache License', 'fast-xml-parser', 'sharp ']) expect(copyright).toContain(text);
  });

  it('makes a user of its own, whose folder nobody else can read', () => {
    const [, , uid, gid, , home, shell] = debian.run('getent', 'passwd', 'heliograph').trim().split(':');
    expect([home, shell]).toEqual(['/var/lib/heliograph', '/usr/sbin/nologin']);
    const of = (path: string) => {
      const { mode, uid: owner, gid: group } = statSync(join(debian.folder, path));
      return [(mode & 0o777).toString(8), owner, group];
    };
    expect(of('var/lib/heliograph')).toEqual(['700', Number(uid), Number(gid)]);
    expect(of('etc/heliograph/heliograph.env')).toEqual(['640', 0, Number(gid)]);
    expect(debian.run('helio', 'version')).toContain(`Heliograph ${version}   Node 26.`);
  });

  it('starts by the command of the service, with nothing but the system calls of the unit, and sends', async () => {
    const unit = readFileSync(join(debian.folder, unitPath), 'utf8');
    const calls = join(folder, 'calls');
    const gateway = await startService(['strace', '-f', '-qq', '-c', '-o', calls]);
    const data = join(debian.folder, 'var/lib/heliograph');
    const [pid] = execFileSync('pgrep', ['-P', String(gateway.child.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${statSync(data).uid}\\s`, 'm'));
    expect(await sendBoth(gateway.url, data)).toEqual(['4711', '4712']);
    expect(await gateway.stop(Number(pid))).toBe(0);
    expect(gateway.output()).toContain('"msg":"stopped"');

    const used = [...readFileSync(calls, 'utf8').matchAll(/^\s*[\d.]+ .*\s(\w+)$/gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'total');
    expect(used).toContain('execve');
    const allowed = allowedCalls(unit);
    expect(used.filter((name) => !allowed.has(name) && !ofChroot.includes(name))).toEqual([]);
  });

  it('is a unit that systemd takes, and exposes little', () => {
    // systemd checks that the command exists on this machine.
    const copy = join(folder, 'heliograph.service');
    const unit = readFileSync(join(debian.folder, unitPath), 'utf8');
    writeFileSync(copy, unit.replace('ExecStart=', `ExecStart=${debian.folder}`));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
    // The threshold in tenths; without hardening it is 9.6 of 10.
    const judged = ['security', '--offline=true', '--threshold=15', copy];
    expect(execFileSync('systemd-analyze', judged, { encoding: 'utf8' })).toContain('OK');
  });

  it('takes over what 0.1.0 left, when it is installed over an older package', async () => {
    const older = join(folder, 'older');
    execFileSync('dpkg-deb', ['-R', deb, older]);
    const control = join(older, 'DEBIAN/control');
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .+$/m, 'Version: 0.1.0'));
    execFileSync('dpkg-deb', ['-Znone', '-b', older, join(debian.folder, 'tmp/older.deb')], { stdio: 'ignore' });
    debian.run('dpkg', '--purge', 'heliograph');
    const data = join(debian.folder, 'var/lib/heliograph');
    rmSync(data, { recursive: true });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query fills it in.
    const installed = () => debian.run('dpkg-query', '-W', '-f', '${Version}', 'heliograph');
    debian.run('apt-get', 'install', '-y', '/tmp/older.deb');
    expect(installed()).toBe('0.1.0');
    fillFolder(data, 'sqlite');
    debian.run('chown', '-R', 'heliograph:heliograph', '/var/lib/heliograph');

    debian.run('apt-get', 'install', '-y', '/tmp/heliograph.deb');
    expect(installed()).toBe(version);
    const gateway = await startService([]);
    const { bearerToken, authToken } = JSON.parse(readFileSync(join(data, 'first-steps.json'), 'utf8'));
    const headers = { authorization: `Bearer ${bearerToken}`, 'x-api-key': authToken };
    const { ended, waiting } = expected.sqlite;
    for (const [messageId, { state }] of Object.entries(ended)) {
      const answer = await fetch(`${gateway.url}/api/v1/messages/${messageId}`, { headers });
      expect(await answer.json()).toMatchObject({ data: { messageId, state } });
    }
    // The waiting text may have expired by now; a test with a clock set back checks that it is sent.
    const { messageId } = waiting[0]!;
    expect((await fetch(`${gateway.url}/api/v1/messages/${messageId}`, { headers })).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
  });

  it('keeps settings and data through an upgrade and a removal', () => {
    const settings = join(debian.folder, 'etc/heliograph/heliograph.env');
    appendFileSync(settings, 'HELIO_LOG=warn\n');
    debian.run('apt-get', 'install', '-y', '--reinstall', '/tmp/heliograph.deb');
    expect(readFileSync(settings, 'utf8')).toContain('HELIO_LOG=warn');
    debian.run('dpkg', '--purge', 'heliograph');
    expect(statSync(join(debian.folder, 'var/lib/heliograph/store.db')).size).toBeGreaterThan(0);
    expect(() => statSync(join(debian.folder, 'usr/lib/heliograph'))).toThrow('ENOENT');
  });
});

/** The command of the service as its user, below `wrapper`. */
async function startService(wrapper: readonly string[]): Promise<InstalledGateway> {
  const [, command] = /^ExecStart=(.+)$/m.exec(readFileSync(join(debian.folder, unitPath), 'utf8'))!;
  const port = await freePort();
  const settings = ['HELIO_SMPP_PORT=0', 'HELIO_MM7_PORT=0', 'HELIO_MM4_PORT=0', 'HELIO_INBOX_PORT=0'];
  const user = ['chroot', '--userspec=heliograph:heliograph', debian.folder];
  return startInstalled([...wrapper, ...user, 'env', `PORT=${port}`, ...settings, ...command!.split(' ')], port);
}

/** System calls that `chroot` needs to switch to the user, before the command. */
const ofChroot = ['chroot', 'setgid', 'setuid', 'setgroups'];

/** From SystemCallFilter=, in the order of its lines; the sets are expanded by this machine's systemd. */
function allowedCalls(unit: string): ReadonlySet<string> {
  const sets = new Map<string, string[]>();
  let set = '';
  for (const line of spawnSync('systemd-analyze', ['syscall-filter'], { encoding: 'utf8' }).stdout.split('\n')) {
    if (line.startsWith('@')) {
      set = line;
      sets.set(set, []);
    } else if (/^ {4}[@\w]/.test(line)) sets.get(set)!.push(line.trim());
  }
  const callsOf = (name: string): string[] => sets.get(name)?.flatMap(callsOf) ?? [name];
  const allowed = new Set<string>();
  for (const [, minus, names] of unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)) {
    for (const call of names!.split(' ').flatMap(callsOf)) {
      if (minus === '') allowed.add(call);
      else allowed.delete(call);
    }
  }
  return allowed;
}
