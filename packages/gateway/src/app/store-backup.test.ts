/**
 * Copies of a store: made while the node runs, restored where none runs, and refused if they are not copies of a store.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock as clock } from '../kernel/machine.ts';
import type { MessageView } from '../model/message-view.ts';
import { acceptItem, settlement } from '../store/contract/fixture.ts';
import { StoreRefused } from '../store/faults.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { copySqlite, restoreSqlite } from './store-backup.ts';

let folder: string;
let copy: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'r4s-backup-'));
  copy = join(folder, 'copy.db');
  store = await openStore({ dataDir: join(folder, 'data'), role: 'node', clock });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const asIs = { waiting: 'send', now: 0 } as const;

const restored = async (dataDir: string): Promise<string | null> => {
  const other = await openStore({ dataDir, role: 'node', clock });
  try {
    return await other.getSetting('mark');
  } finally {
    await other.close();
  }
};

it('is made of a store that takes writes, and holds what was answered before', async () => {
  await store.putSetting('mark', 'before');
  const made = copySqlite(join(folder, 'data'), copy);
  const later = Promise.all(Array.from({ length: 50 }, (_, i) => store.putSetting(`later ${i}`, 'x')));
  await made;
  await later;
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'data']);
  const dataDir = join(folder, 'other');
  restoreSqlite({ dataDir, from: copy, aside: 'aside', ...asIs });
  expect(await restored(dataDir)).toBe('before');
});

it('takes the place of the store, which goes aside with all that belongs to it', async () => {
  await store.putSetting('mark', 'before');
  await copySqlite(join(folder, 'data'), copy);
  await store.putSetting('mark', 'after');
  await store.close();
  const dataDir = join(folder, 'data');
  const had = readdirSync(dataDir).filter((name) => name.startsWith('store.'));
  restoreSqlite({ dataDir, from: copy, aside: 'aside', ...asIs });
  expect(readdirSync(join(dataDir, 'aside')).sort()).toEqual(had.sort());
  expect(await restored(dataDir)).toBe('before');
});

it('is not put back while a gateway runs, nor when it is no whole store', async () => {
  const dataDir = join(folder, 'data');
  await copySqlite(dataDir, copy);
  await store.putSetting('mark', 'after');
  const garbage = join(folder, 'garbage.db');
  writeFileSync(garbage, 'no store at all '.repeat(1_000));
  for (const from of [garbage, join(folder, 'nowhere.db')]) {
    expect(() => restoreSqlite({ dataDir, from, aside: 'aside', ...asIs })).toThrow(StoreRefused);
  }
  expect(() => restoreSqlite({ dataDir, from: copy, aside: 'aside', ...asIs })).toThrow(/Another node runs/);
  expect(existsSync(join(dataDir, 'aside'))).toBe(false);
  expect(await store.getSetting('mark')).toBe('after');
});

it('leaves nothing behind when it cannot be made', async () => {
  mkdirSync(join(folder, 'taken.db'));
  await expect(copySqlite(join(folder, 'nowhere'), copy)).rejects.toThrow();
  await expect(copySqlite(join(folder, 'data'), join(folder, 'taken.db'))).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['data', 'taken.db']);
});

describe('what waited when the copy was made', () => {
  const waited = ['queued', 'sending', 'uncertain'] as const;

  /** A copy with a message in each of these states, and a finished one; returns their ids in that order. */
  async function copied(): Promise<string[]> {
    const now = clock.now();
    const items = [...waited, 'sent'].map(() => acceptItem(now, {}));
    const ids = items.map(({ deliveries }) => deliveries[0]!.messageId);
    const later = items.shift()!;
    await store.accept(items);
    const claims = await store.claim({ lane: 'c1', limit: 3, now, token: store.token });
    const [, uncertain, sent] = claims;
    await store.settle([
      settlement(uncertain!, now, { to: 'uncertain', code: 'UNCERTAIN', parts: [] }),
      settlement(sent!, now),
    ]);
    await store.accept([later]);
    await store.healthy();
    await copySqlite(join(folder, 'data'), copy);
    return ids;
  }

  it.each([
    ['send', ['queued', 'sending', 'uncertain', 'sent']],
    ['flag', ['queued', 'sending', 'uncertain', 'sent']],
    ['hold', ['held', 'held', 'held', 'sent']],
  ] as const)('%s', async (waiting, states) => {
    const ids = await copied();
    const dataDir = join(folder, 'other');
    expect(restoreSqlite({ dataDir, from: copy, aside: 'aside', waiting, now: clock.now() })).toBe(waited.length);
    const other = await openStore({ dataDir, role: 'node', clock });
    const views: MessageView[] = [];
    for (const id of ids) views.push((await other.message('acc1', id))!);
    expect(views.map(({ state }) => state)).toEqual(states);
    const isFlagged = (wanted: boolean) => views.slice(0, 2).map(({ dupRisk }) => dupRisk === wanted);
    expect(isFlagged(waiting === 'flag')).toEqual([true, true]);
    if (waiting === 'hold') {
      expect(views[0]!.events.map(({ state }) => state)).toEqual([
        'accepted',
        'queued',
        'sending',
        'uncertain',
        'held',
      ]);
      expect(views[0]!.events.at(-1)!.detail).toMatch(/may have been sent since/);
    }
    expect(readdirSync(dataDir).filter((name) => name.includes('part'))).toEqual([]);
    await other.close();
  });
});
