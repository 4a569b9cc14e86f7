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

/** Every source file with its imports: paths of our files, else package names. Hidden folders are made by tests and removed. */
const files = new Map<string, { text: string; imports: string[] }>();
for (const folder of ['packages', 'test', 'bench']) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !/\.tsx?$/.test(path) || /node_modules|\/dist\/|\/\./.test(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    files.set(path, { text, imports: importsOf(path, text) });
  }
}

/** The source file behind each export of our packages, such as `@heliograph/mms/mm7-dialect`. */
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
    // The portal is bundled, so its imports have no file ending.
    const ending = ['', '.ts', '.tsx'].find((tried) => existsSync(file + tried) && /\.\w+$/.test(file + tried)) ?? '';
    return relative(root, file + ending);
  });
}

/** Tests and what only tests use: fixtures, and files that import a test library. */
const isTest = (path: string) =>
  /\.test\.ts$|-fixture\.ts$|\/(testing|contract)\//.test(path) ||
  files.get(path)?.imports.some((name) => name === 'vitest' || name === 'fast-check') === true;
/** Files with facts of the carrier kinds that load no protocol library. */
const isKindFact = (name: string) =>
  /^packages\/gateway\/src\/carriers\/(kind|kinds|setting|settings|directory|pem)\.ts$/.test(name);
/** The only files of the store that others may import: its errors and the types of its methods. */
const isStoreSeam = (name: string) =>
  /^packages\/gateway\/src\/store\/(faults|create-store|(system\/)?module)\.ts$/.test(name);
const builtIn = (name: string) => name.startsWith('node:');
const inRoom = (name: string, ...rooms: string[]) => rooms.some((room) => name.startsWith(`${gateway}${room}/`));

/** Which subjects each subject may import besides itself; none if it is not listed. */
const acquaintances: Readonly<Record<string, string>> = {
  alerts: 'operator people usage',
  company: 'retention',
  consent: 'message-log',
  contacts: 'live',
  conversations: 'contacts live message-log people',
  home: 'alerts message-log sandbox usage webhooks',
  keys: 'request-log',
  live: 'people webhooks',
  metrics: 'cells webhooks',
  'message-log': 'company operator request-log send webhooks',
  operator: 'people',
  records: 'webhooks',
  registration: 'message-log',
  retention: 'contacts request-log webhooks',
  sandbox: 'carrier-history conversations retention usage webhooks',
};
const subjectOf = (path: string) => /^packages\/gateway\/src\/subjects\/([a-z-]+)\//.exec(path)?.[1];

/** Files in `from` may only import what `allowed` returns true for; tests may import anything. */
const borders: { name: string; from: RegExp; allowed: (to: string) => boolean }[] = [
  {
    name: 'the kernel sees only the machine and the library that writes the log',
    from: /^packages\/gateway\/src\/kernel\//,
    allowed: (to) => inRoom(to, 'kernel') || builtIn(to) || ['pino', 'packages/gateway/package.json'].includes(to),
  },
  {
    name: 'the model sees only the kernel and pure functions of node:crypto',
    from: /^packages\/gateway\/src\/model\//,
    allowed: (to) => inRoom(to, 'model', 'kernel') || to === 'node:crypto',
  },
  {
    name: 'engines and journal know no subject: what they must know of messages they ask through store/hook.ts',
    from: /^packages\/gateway\/src\/store\/(?!system\/)/,
    allowed: (to) => inRoom(to, 'store', 'kernel') || builtIn(to) || to === 'pg',
  },
  {
    name: 'what the store keeps of itself knows the store and the model',
    from: /^packages\/gateway\/src\/store\/system\//,
    allowed: (to) => inRoom(to, 'store', 'model', 'kernel'),
  },
  {
    name: 'carriers see the model, the protocol packages, and libraries for HTTP and SMTP',
    from: /^packages\/gateway\/src\/carriers\//,
    allowed: (to) =>
      inRoom(to, 'carriers', 'model', 'kernel') ||
      to.startsWith('@heliograph/') ||
      builtIn(to) ||
      /^(undici|nodemailer|smtp-server|ipaddr\.js)(\/|$)/.test(to),
  },
  {
    name: 'media see the model, the errors of the store, the dialler, the image library and the one for buckets',
    from: /^packages\/gateway\/src\/media\//,
    allowed: (to) =>
      inRoom(to, 'media', 'model', 'kernel') ||
      isStoreSeam(to) ||
      builtIn(to) ||
      ['@heliograph/guarded-fetch', 'sharp', '@aws-sdk/client-s3'].includes(to),
  },
  {
    name: 'SQL of messaging sees the store and the model',
    from: /^packages\/gateway\/src\/messaging\/store\//,
    allowed: (to) => inRoom(to, 'messaging/store', 'store', 'model', 'kernel') || builtIn(to),
  },
  {
    name: 'messaging sees the seams of carriers and store, the model and the pure text package, and no subject',
    from: /^packages\/gateway\/src\/messaging\/(?!store\/)/,
    allowed: (to) =>
      inRoom(to, 'messaging', 'model', 'kernel') ||
      isStoreSeam(to) ||
      isKindFact(to) ||
      [`${gateway}carriers/carrier.ts`, '@heliograph/text'].includes(to),
  },
  {
    name: 'http knows no subject, and opens neither carriers nor engines',
    from: /^packages\/gateway\/src\/http\//,
    allowed: (to) =>
      !to.startsWith(gateway) || inRoom(to, 'http', 'model', 'kernel') || isKindFact(to) || isStoreSeam(to),
  },
  {
    name: 'SQL of a subject sees that of messaging, the store and the model: the threads of the store load it',
    from: /^packages\/gateway\/src\/subjects\/[a-z-]+\/store\//,
    allowed: (to) =>
      inRoom(to, 'messaging/store', 'store', 'model', 'kernel') || (inRoom(to, 'subjects') && to.includes('/store/')),
  },
  {
    name: 'subjects see messaging, http, the seams and the model, and each other as listed',
    from: /^packages\/gateway\/src\/subjects\/[a-z-]+\/(?!store\/)/,
    allowed: (to) => !inRoom(to, 'app', 'cli', 'media', 'store') || isStoreSeam(to),
  },
  {
    name: 'the portal sees only itself and the pure text package',
    from: /^packages\/portal\/src\//,
    allowed: (to) =>
      to.startsWith('packages/portal/src/') ||
      to === '@heliograph/text' ||
      /^(react|react-dom|react-aria-components|uqr|minisearch|@simplewebauthn\/browser)(\/|$)|^@tanstack\//.test(to),
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

  it('subjects import each other as listed, and in no circle', () => {
    const arrows = [...files].flatMap(([path, { imports }]) => {
      const from = isTest(path) ? undefined : subjectOf(path);
      const to = imports.map(subjectOf).filter((one) => one !== undefined && one !== from);
      return from === undefined ? [] : to.map((one) => `${from} → ${one}`);
    });
    const listed = Object.entries(acquaintances).flatMap(([from, to]) =>
      to.split(' ').map((one) => `${from} → ${one}`),
    );
    expect([...new Set(arrows)].sort()).toEqual(listed.sort());
    const circle = (one: string, way: string[] = []): string[] =>
      way.includes(one)
        ? [[...way, one].join(' → ')]
        : (acquaintances[one]?.split(' ') ?? []).flatMap((next) => circle(next, [...way, one]));
    expect(Object.keys(acquaintances).flatMap((one) => circle(one))).toEqual([]);
  });

  it('libraries do not import each other, except SMPP the texts', () => {
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
    // Concatenated, because this test reads its own file too.
    const words = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|');
    const marks = new RegExp(`\\b(${words})\\b|\\b(it|test|describe)\\.(skip|only|todo)\\b`);
    const marked = [...files].filter(([, { text }]) => marks.test(text));
    expect(marked.map(([path]) => path)).toEqual([]);
  });

  it('name a kind of carrier only in its folder', () => {
    const mayName = /carriers\/(smpp|mm7|mm4)\//;
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
      /^packages\/gateway\/src\/(app\/(run|store-backup-worker)|kernel\/(machine|json-log|line-writer))\.ts$|^packages\/smpp\/src\/(clock|client)\.ts$|^packages\/guarded-fetch\/src\/clock\.ts$|^packages\/sandbox\/src\/machine\.ts$|^packages\/(client|portal)\/src\/|^packages\/gateway\/src\/(http|store|subjects\/webhooks\/webhook-(thread|worker|poster))/;
    const strict = [...files].filter(
      ([path]) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path) && !mayRead.test(path),
    );
    expect(strict.filter(([, { text }]) => reads.test(withoutComments(text))).map(([path]) => path)).toEqual([]);
  });
});

/**
 * The statement files that write each table: by name for messaging, by subject otherwise. Retention deletes rows that
 * others insert.
 */
const writers: Readonly<Record<string, string>> = {
  account_messages: 'deliveries retention',
  alert_silences: 'alerts',
  alerts: 'alerts',
  audit: 'audit',
  canned_replies: 'conversations',
  cluster_nodes: 'owners',
  carrier_answers: 'owners',
  carrier_history: 'carrier-history sandbox',
  carrier_history_counts: 'carrier-history sandbox',
  confirmations: 'consent',
  contacts: 'contacts',
  conversations: 'deliveries retention',
  conversations_tail: 'deliveries',
  counters: 'system',
  deliveries: 'deliveries media-jobs pacing queue restored retention',
  endpoint_health: 'webhooks',
  erasures: 'retention',
  events: 'deliveries events retention',
  hourly_outcomes: 'sandbox usage',
  idempotency: 'messages',
  inbound_mms: 'inbound-mms',
  inbound_parts: 'inbound',
  journal_frames: 'system',
  media_jobs: 'media-jobs',
  media_links: 'media',
  message_media: 'media retention',
  messages: 'messages retention',
  mms_deliveries: 'media media-jobs',
  one_time_keys: 'people',
  opt_outs: 'consent',
  owners: 'owners',
  parts: 'parts retention',
  receipt_keys: 'parts',
  receipts: 'parts',
  records: 'records',
  refused_recipients: 'refused',
  request_log: 'request-log',
  request_log_unkept: 'request-log',
  retention_left: 'retention',
  retention_marks: 'retention',
  route_versions: 'records',
  sessions: 'people',
  settings: 'system',
  threads: 'threads',
  usage: 'sandbox usage',
  user_identities: 'people',
  users: 'people',
  webhook_attempts: 'webhooks',
  webhook_deliveries: 'webhooks',
};

interface Declared {
  room: string;
  name: string;
  sql: string;
}

/**
 * SQL belongs in `statements.ts` of a subject or of the store itself, and in `statements/` of messaging. A subject with
 * few statements has them in its module.
 */
const isStatements = (path: string) =>
  path.startsWith(gateway) &&
  !isTest(path) &&
  (/\/store\/(statements\/[a-z-]+|(system\/)?statements)\.ts$/.test(path) || isModule(path));
const isModule = (path: string) =>
  /\/subjects\/[a-z-]+\/store\/[a-z-]+\.ts$/.test(path) && files.get(path)!.text.includes(' = storeModule({');
const roomOf = (path: string) => subjectOf(path) ?? /(system|[a-z-]+)(?:\/statements)?\.ts$/.exec(path)![1]!;

/** Every exported statement: alone, in a list or in a table of several. */
async function statements(): Promise<Declared[]> {
  const found = new Map<object, Declared>();
  const collect = (value: unknown, room: string): void => {
    if (typeof value !== 'object' || value === null || found.has(value)) return;
    const { name, sql } = value as Partial<Declared>;
    if (typeof name === 'string' && typeof sql === 'string') found.set(value, { room, name, sql });
    else for (const inside of Object.values(value)) collect(inside, room);
  };
  for (const path of files.keys())
    if (isStatements(path)) collect({ ...(await import(join(root, path))) }, roomOf(path));
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

  it('are in no other file', () => {
    // Migrations fill new columns. The schema's version, the marks, the leases, the files in PostgreSQL and a move
    // belong to the engines.
    const mayWrite =
      /\/store\/(migrations\/|(migrate|postgres-doubt|postgres-(lease|cluster|files|partitions|message-partitions|partition-steps)|query|move\/target)\.ts$)/;
    const sql = /\bstatement(<[^()]*>)?\(\)\(|\b(insert into|delete from|update) [a-z_]+ (set|select|values|where|\()/;
    const others = [...files].filter(
      ([path, { text }]) =>
        path.startsWith(gateway) &&
        !isTest(path) &&
        !isStatements(path) &&
        !mayWrite.test(path) &&
        sql.test(withoutComments(text)),
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
