/**
 * The rules of the house as a test: who may import whom (ARCHITECTURE.md), no circles, no file over 500 lines, no
 * unfinished work, no clock or chance read where it must be handed in, and each table of the store written in one place.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const gateway = 'packages/gateway/src/';

/** Every source file with what it imports; package names for what is not ours. */
const files = new Map<string, { text: string; imports: string[] }>();
for (const folder of ['packages', 'test', 'bench']) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !/\.tsx?$/.test(path) || /node_modules|\/dist\//.test(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    files.set(path, { text, imports: importsOf(path, text) });
  }
}

/** Source file behind each public name of a package of ours, `@heliograph/mms/mm7-dialect`. */
const entries = new Map<string, string>();
for (const folder of readdirSync(join(root, 'packages'))) {
  const file = join(root, 'packages', folder, 'package.json');
  if (!existsSync(file)) continue;
  const { name, exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string;
    exports?: Record<string, string>;
  };
  for (const [door, source] of Object.entries(exports)) entries.set(join(name, door), join('packages', folder, source));
}
const entryOf = (name: string): string | undefined => entries.get(name);

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(
    /^(?:import|export)\b[^'";]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map(([, stated, dynamic]) => {
    const name = (stated ?? dynamic)!;
    if (!name.startsWith('.')) return name;
    const file = resolve(root, dirname(path), name);
    // The portal is bundled and leaves the ending out.
    const ending = ['', '.ts', '.tsx'].find((tried) => existsSync(file + tried) && /\.\w+$/.test(file + tried)) ?? '';
    return relative(root, file + ending);
  });
}

/** Tests, and what only tests use: fixtures, and whatever needs a test library. */
const isTest = (path: string) =>
  /\.test\.ts$|-fixture\.ts$|\/(testing|contract)\//.test(path) ||
  files.get(path)?.imports.some((name) => name === 'vitest' || name === 'fast-check') === true;
/** What a store can be asked and told: types alone, one file a subject. */
const isStoreSeam = (name: string) =>
  /^packages\/gateway\/src\/store\/(modules\/[a-z-]+|faults|create-store|items|transition|[a-z-]+-items)\.ts$/.test(
    name,
  );
/** What is known of the kinds of carrier without loading a protocol. */
const isKindFact = (name: string) =>
  /^packages\/gateway\/src\/carriers\/(kind|kinds|setting|settings|directory)\.ts$/.test(name);
const builtIn = (name: string) => name.startsWith('node:');

/** In `from` only imports that `allowed` lets through; tests are free. */
const borders: { name: string; from: RegExp; allowed: (to: string) => boolean }[] = [
  {
    name: 'the kernel sees only domain, the machine and the library that writes the log',
    from: /^packages\/gateway\/src\/kernel\//,
    allowed: (to) =>
      [`${gateway}kernel/`, `${gateway}domain/`].some((room) => to.startsWith(room)) ||
      builtIn(to) ||
      ['pino', 'packages/gateway/package.json'].includes(to),
  },
  {
    name: 'domain imports nobody but pure functions of node:crypto',
    from: /^packages\/gateway\/src\/domain\//,
    allowed: (to) => to.startsWith(`${gateway}domain/`) || to === 'node:crypto',
  },
  {
    name: 'flow sees the two seams, domain and the pure text package',
    from: /^packages\/gateway\/src\/flow\//,
    allowed: (to) =>
      [`${gateway}flow/`, `${gateway}domain/`].some((room) => to.startsWith(room)) ||
      isKindFact(to) ||
      isStoreSeam(to) ||
      [`${gateway}carriers/carrier.ts`, '@heliograph/text'].includes(to),
  },
  {
    name: 'carriers see domain, the protocol packages, and libraries for HTTP and SMTP',
    from: /^packages\/gateway\/src\/carriers\//,
    allowed: (to) =>
      [`${gateway}carriers/`, `${gateway}domain/`, '@heliograph/'].some((room) => to.startsWith(room)) ||
      builtIn(to) ||
      /^(undici|nodemailer|smtp-server|ipaddr\.js)(\/|$)/.test(to),
  },
  {
    name: 'the store sees only domain and its engines',
    from: /^packages\/gateway\/src\/store\//,
    allowed: (to) =>
      [`${gateway}store/`, `${gateway}domain/`].some((room) => to.startsWith(room)) || builtIn(to) || to === 'pg',
  },
  {
    name: 'engines and journal know no subject: what they must know of messages they ask through store/hook.ts',
    // The seam of the store names subjects; so do repair and copies, which read a dead node's files.
    from: /\/src\/store\/(journal\/[a-z-]+|(?!(store|transition|replay|items|[a-z-]+-items|sqlite-repair|backup|backup-worker)\.)[a-z-]+)\.ts$/,
    allowed: (to) =>
      !/\/store\/((messages|modules|statements)\/|(items|[a-z-]+-items|transition)\.ts$)/.test(to) &&
      (!to.includes('/store/operations/') || /\/system\.ts$/.test(to)) &&
      (!to.startsWith(`${gateway}domain/`) || /\/(clock|logger|passing-map)\.ts$/.test(to)),
  },
  {
    name: 'media see domain, the dialler and the image library',
    from: /^packages\/gateway\/src\/media\//,
    allowed: (to) =>
      [`${gateway}media/`, `${gateway}domain/`].some((room) => to.startsWith(room)) ||
      builtIn(to) ||
      to === '@heliograph/guarded-fetch' ||
      to === 'sharp',
  },
  {
    name: 'doors open neither carriers nor engines',
    from: /^packages\/gateway\/src\/http\//,
    allowed: (to) =>
      !to.startsWith(gateway) ||
      [`${gateway}http/`, `${gateway}domain/`, `${gateway}flow/`].some((room) => to.startsWith(room)) ||
      isKindFact(to) ||
      isStoreSeam(to),
  },
  {
    name: 'the portal sees only itself and the pure text package',
    from: /^packages\/portal\/src\//,
    allowed: (to) =>
      to.startsWith('packages/portal/src/') ||
      to === '@heliograph/text' ||
      /^(react|react-dom|react-aria-components|uplot|uqr)(\/|$)|^@tanstack\//.test(to),
  },
  {
    name: 'guarded-fetch imports nobody of ours',
    from: /^packages\/guarded-fetch\/src\//,
    allowed: (to) => to.startsWith('packages/guarded-fetch/') || builtIn(to) || to === 'undici' || to === 'ipaddr.js',
  },
  {
    name: 'sandbox imports the two protocol packages and libraries for SMTP',
    from: /^packages\/sandbox\/src\//,
    allowed: (to) =>
      to.startsWith('packages/sandbox/') ||
      builtIn(to) ||
      /^(@heliograph\/(smpp|mms)|nodemailer|smtp-server)(\/|$)/.test(to),
  },
  {
    name: 'text, smpp, mms and client import nobody of ours',
    from: /^packages\/(text|smpp|mms|client)\/src\//,
    allowed: (to) =>
      /^packages\/(text|smpp|mms|client)\//.test(to) ||
      builtIn(to) ||
      ['fast-xml-parser', '@heliograph/text'].includes(to),
  },
];

describe('borders', () => {
  it.each(borders)('$name', ({ from, allowed }) => {
    const mine = [...files].filter(([path]) => from.test(path) && !isTest(path));
    expect(mine.length, 'files in this room').toBeGreaterThan(0);
    const crossed = mine.flatMap(([path, { imports }]) =>
      imports.filter((to) => !allowed(to)).map((to) => `${path} imports ${to}`),
    );
    expect(crossed).toEqual([]);
  });

  it('libraries do not know each other, but that SMPP carries texts', () => {
    for (const own of ['text', 'smpp', 'mms', 'client', 'guarded-fetch']) {
      const room = [...files].filter(([path]) => path.startsWith(`packages/${own}/src/`) && !isTest(path));
      expect(room.length, `files in packages/${own}`).toBeGreaterThan(0);
      const reached = room.flatMap(([, { imports }]) => imports.map((to) => entryOf(to) ?? to));
      const crossed = reached.filter(
        (to) =>
          to.startsWith('packages/') &&
          !to.startsWith(`packages/${own}/`) &&
          !(own === 'smpp' && to === 'packages/text/src/index.ts'),
      );
      expect(crossed, own).toEqual([]);
    }
  });

  it('only the command and the wiring itself import what wires the gateway', () => {
    const wired = [...files].flatMap(([path, { imports }]) =>
      path.startsWith(gateway) && !isTest(path) && !/\/src\/(app|cli)\//.test(path)
        ? imports.filter((to) => to.startsWith(`${gateway}app/`)).map((to) => `${path} imports ${to}`)
        : [],
    );
    expect(wired).toEqual([]);
  });

  it('only one file opens carriers, and one the store of the gateway', () => {
    const openers = [...files]
      .filter(
        ([path, { imports }]) =>
          !isTest(path) && imports.some((to) => /(carriers\/open|app\/open-store)\.ts$/.test(to)),
      )
      .map(([path]) => path)
      .filter((path) => path.startsWith(gateway));
    expect(openers.sort()).toEqual([
      `${gateway}app/foundation.ts`,
      `${gateway}app/send-queues.ts`,
      `${gateway}cli/tool-store.ts`,
    ]);
  });

  it('imports run in no circle', () => {
    expect(circles()).toEqual([]);
  });

  it('would notice: the table of imports is not empty', () => {
    expect(files.get(`${gateway}app/foundation.ts`)?.imports).toContain(`${gateway}app/open-store.ts`);
    expect(files.size).toBeGreaterThan(100);
  });

  it('would notice: every package of ours that is imported has a source file', () => {
    const names = [...files].flatMap(([, { imports }]) => imports.filter((to) => to.startsWith('@heliograph/')));
    expect(names.length).toBeGreaterThan(10);
    expect([...new Set(names)].filter((name) => !files.has(entryOf(name) ?? ''))).toEqual([]);
  });
});

function circles(): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (path: string, way: string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push([...way.slice(way.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const name of files.get(path)?.imports ?? []) {
      const to = entryOf(name) ?? name;
      if (files.has(to)) visit(to, [...way, path]);
    }
    state.set(path, 'done');
  };
  for (const path of files.keys()) visit(path, []);
  return found;
}

describe('files', () => {
  it('have at most 500 lines', () => {
    expect([...files].filter(([, { text }]) => text.split('\n').length > 501).map(([path]) => path)).toEqual([]);
  });

  it('leave nothing unfinished, skipped or focused', () => {
    // In pieces, as this file is read too.
    const words = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|');
    const marks = new RegExp(`\\b(${words})\\b|\\b(it|test|describe)\\.(skip|only|todo)\\b`);
    const marked = [...files].filter(([, { text }]) => marks.test(text));
    expect(marked.map(([path]) => path)).toEqual([]);
  });

  it('name a kind of carrier only in its folder', () => {
    // What the simulator says of its wires names their protocols.
    const mayName = /carriers\/(smpp|mm7|mm4)\/|\/message-pdus\.ts$|sandbox[a-z-]*\.ts$/;
    const names = /'(smpp|mm7|mm4)'|(?<!heliograph)[.](smpp|mm7|mm4)\b/;
    const naming = [...files].filter(
      ([path, { text }]) =>
        path.startsWith(gateway) && !isTest(path) && !mayName.test(path) && names.test(withoutComments(text)),
    );
    expect(naming.map(([path]) => path)).toEqual([]);
  });

  it('read clock, timers and chance only where they may', () => {
    const reads = /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bMath\.random\(|\bperformance\.now\(/;
    const mayRead =
      /^packages\/gateway\/src\/(app\/run|kernel\/(machine|logger|line-writer))\.ts$|^packages\/smpp\/src\/(clock|client)\.ts$|^packages\/guarded-fetch\/src\/clock\.ts$|^packages\/sandbox\/src\/machine\.ts$|^packages\/(client|portal)\/src\/|^packages\/gateway\/src\/(net|http|store)\//;
    const strict = [...files].filter(
      ([path]) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path) && !mayRead.test(path),
    );
    expect(strict.filter(([, { text }]) => reads.test(withoutComments(text))).map(([path]) => path)).toEqual([]);
  });
});

/** The files of `store/statements` that write each table. Retention deletes what others insert. */
const writers: Readonly<Record<string, string>> = {
  account_messages: 'deliveries retention',
  audit: 'audit',
  confirmations: 'consent',
  conversations: 'deliveries retention',
  conversations_tail: 'deliveries',
  counters: 'system',
  deliveries: 'deliveries hold media-jobs pacing queue restored retention',
  endpoint_health: 'webhooks',
  erasures: 'retention',
  events: 'deliveries events retention',
  idempotency: 'messages',
  inbound_mms: 'inbound-mms',
  inbound_parts: 'inbound',
  media_jobs: 'media-jobs',
  media_links: 'media',
  message_media: 'media retention',
  messages: 'messages retention',
  mms_deliveries: 'media media-jobs',
  one_time_keys: 'people',
  opt_outs: 'consent',
  parts: 'parts retention',
  receipt_keys: 'parts',
  receipts: 'parts',
  records: 'records',
  refused_recipients: 'refused',
  request_log: 'request-log',
  request_log_unkept: 'request-log',
  retention_left: 'retention',
  retention_marks: 'retention',
  route_versions: 'route-versions',
  sessions: 'people',
  settings: 'system',
  threads: 'threads',
  usage: 'demo usage',
  users: 'people',
  webhook_attempts: 'webhooks',
  webhook_deliveries: 'webhooks',
};

interface Declared {
  room: string;
  name: string;
  sql: string;
}

/** Every statement, as its file exports it: alone, in a list or in a table of several. */
async function statements(): Promise<Declared[]> {
  const folder = `${gateway}store/statements/`;
  const found = new Map<object, Declared>();
  const collect = (value: unknown, room: string): void => {
    if (typeof value !== 'object' || value === null || found.has(value)) return;
    const { name, sql } = value as Partial<Declared>;
    if (typeof name === 'string' && typeof sql === 'string') found.set(value, { room, name, sql });
    else for (const inside of Object.values(value)) collect(inside, room);
  };
  for (const path of files.keys())
    if (path.startsWith(folder) && !isTest(path))
      collect({ ...(await import(join(root, path))) }, path.slice(folder.length, -'.ts'.length));
  return [...found.values()];
}

describe('statements', async () => {
  const all = await statements();

  it('write each table in its room', () => {
    const found = new Map<string, Set<string>>();
    for (const { room, sql } of all)
      for (const [, table] of sql.matchAll(/\b(?:insert into|delete from|(?<!do )update)\s+([a-z_]+)/g))
        found.set(table!, (found.get(table!) ?? new Set()).add(room));
    expect(Object.fromEntries([...found].map(([table, rooms]) => [table, [...rooms].sort().join(' ')]))).toEqual(
      writers,
    );
  });

  it('stand nowhere else', () => {
    // Migrations fill new columns; the version of the schema and the marks of PostgreSQL belong to the engines.
    const mayWrite = /\/store\/(statements\/|migrations\/|(migrate|postgres-marks|query)\.ts$)/;
    const sql = /\bstatement(<[^()]*>)?\(\)\(|\b(insert into|delete from|update) [a-z_]+ (set|select|values|where|\()/;
    const others = [...files].filter(
      ([path, { text }]) =>
        path.startsWith(gateway) && !isTest(path) && !mayWrite.test(path) && sql.test(withoutComments(text)),
    );
    expect(others.map(([path]) => path)).toEqual([]);
  });

  it('have names of their own, as PostgreSQL prepares them by name', () => {
    const names = all.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
