/**
 * Makes the Debian package: `node deploy/debian/build.js [FOLDER] [--arch amd64|arm64] [--release FOLDER]` leaves
 * heliograph_VERSION_ARCH.deb in FOLDER (`dist/` of the checkout unless told). It has its own Node and all dependencies
 * inside, so that an installation downloads nothing. Needs npm, tar and dpkg-deb. The same sources give the same bytes.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const deploy = dirname(here);
const checkout = dirname(deploy);
/** npm's packages have this day on every file; dpkg-deb takes it for its own. */
const dayOfNpm = 499_162_500;

const { values, positionals } = parseArgs({
  options: { arch: { type: 'string', default: 'amd64' }, release: { type: 'string' } },
  allowPositionals: true,
});
const out = resolve(positionals[0] ?? join(checkout, 'dist'));
const root = mkdtempSync(join(tmpdir(), 'helio-deb-'));
const { version, description } = JSON.parse(readFileSync(join(checkout, 'packages/gateway/package.json'), 'utf8'));

function put(from, to, mode) {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  cpSync(from, join(root, to));
  chmodSync(join(root, to), mode);
}

function kilobytes(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 1_024);
}

/** glibc 2.28 is what Node is built against; the rest are libraries it links. */
function control() {
  const fields = {
    Package: 'heliograph',
    Version: version.replace('-', '~'),
    Architecture: values.arch,
    Maintainer: 'The Heliograph developers <heliograph@localhost>',
    'Installed-Size': kilobytes(root),
    Depends: 'libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, passwd, util-linux',
    Section: 'net',
    Priority: 'optional',
    Description: `${description}\n It sends texts and pictures over SMPP, MM7 and MM4, and brings its own Node.`,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

try {
  const release = values.release === undefined ? [] : ['--release', values.release];
  execFileSync(process.execPath, [join(deploy, 'assemble.js'), root, '--arch', values.arch, ...release], {
    stdio: 'inherit',
  });
  put(join(deploy, 'systemd/heliograph.service'), 'usr/lib/systemd/system/heliograph.service', 0o644);
  put(join(here, 'heliograph.env'), 'etc/heliograph/heliograph.env', 0o640);
  for (const name of ['postinst', 'prerm', 'postrm']) put(join(here, name), `DEBIAN/${name}`, 0o755);
  writeFileSync(join(root, 'DEBIAN/control'), control());
  writeFileSync(join(root, 'DEBIAN/conffiles'), '/etc/heliograph/heliograph.env\n');
  mkdirSync(out, { recursive: true });
  const file = join(out, `heliograph_${version}_${values.arch}.deb`);
  // Whose files they are and how they may be read must not depend on who builds.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', join(root, 'usr')]);
  for (const name of ['', 'etc', 'etc/heliograph', 'DEBIAN']) chmodSync(join(root, name), 0o755);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', root, file], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(dayOfNpm) },
  });
} finally {
  rmSync(root, { recursive: true, force: true });
}
