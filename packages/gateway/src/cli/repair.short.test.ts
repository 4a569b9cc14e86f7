/** A killed gateway with damaged files: what a start reports, and what `helio verify` and `helio recover` do. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customer, place, stop } from './place-fixture.ts';

describe('files that are damaged', { timeout: 300_000 }, () => {
  it('one bit of the journal: refused with 78, looked at, recovered, and gone on with', async () => {
    const { dataDir, helio, start } = place();
    const first = await start();
    const { send } = customer(dataDir, first.url);
    const ids: string[] = [];
    const journal = join(dataDir, 'store.journal');
    for (let count = 0; count < 40; count += 1) ids.push(await send(`Text number ${count}`));
    await stop(first.child, 'SIGKILL');

    // Its first bytes identify the journal, however much of it is already in the database.
    const bytes = readFileSync(journal);
    bytes.writeUInt8(bytes.readUInt8(9) ^ 2, 9);
    writeFileSync(journal, bytes);
    const refused = await helio('start');
    expect(refused.code).toBe(78);
    expect(refused.error).toMatch(
      /The journal \S+store\.journal is (damaged|not the one in use): .*\n.*npx helio verify.*npx helio recover\n/,
    );
    expect(refused.error).toMatch(/There is no backup in \S+backups\./);

    const looked = await helio('verify');
    expect(looked.code).toBe(1);
    expect(looked.out).toMatch(/✓ Database .*whole\n✕ Journal .*is (damaged|not the one).*\n/);
    expect(readFileSync(journal).equals(bytes)).toBe(true);

    const done = await helio('recover');
    expect(done).toMatchObject({ code: 0, error: '' });
    expect(done.out).toMatch(/The damaged file is kept: \S+store\.journal\.damaged-\d+\n/);
    expect((await helio('verify')).code).toBe(0);
    const second = await start();
    const { statusOf } = customer(dataDir, second.url);
    for (const id of ids) expect([id, await statusOf(id)]).toEqual([id, 200]);
    await stop(second.child);
  });

  it('nothing: the next start says in one line what it brought in', async () => {
    const { dataDir, helio, start } = place();
    const first = await start();
    const { send } = customer(dataDir, first.url);
    let ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids = await Promise.all([send('one'), send('two'), send('three')]);
    await stop(first.child, 'SIGKILL');
    const { journal } = JSON.parse((await helio('verify', '--json')).out);
    const second = await start();
    const lines = second
      .seen()
      .split('\n')
      .filter((line) => line.includes('brought in from the journal'));
    expect(lines).toHaveLength(journal.frames > 0 ? 1 : 0);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ frames: journal.frames, messages: journal.messages });
    }
    for (const id of ids) expect(await customer(dataDir, second.url).statusOf(id)).toBe(200);
    await stop(second.child);
  });

  it('the database, or a folder in its place: refused with 78, its name and the backup', async () => {
    const { dataDir, helio, start } = place();
    await stop((await start()).child);
    await helio('backup', 'create');
    const path = join(dataDir, 'store.db');
    const sound = readFileSync(path);
    const damages: [string, () => void][] = [
      ['a page', () => writeFileSync(path, Buffer.from(sound).fill(0x5a, 40_000, 50_000))],
      ['its first bytes', () => writeFileSync(path, Buffer.from(sound).fill(0x5a, 0, 200))],
      ['emptied of sense', () => writeFileSync(path, 'no database '.repeat(10_000))],
      ['a folder', () => [rmSync(path), mkdirSync(path)]],
    ];
    for (const [what, damage] of damages) {
      damage();
      const refused = await helio('start');
      expect([what, refused.code]).toEqual([what, 78]);
      expect(refused.error).toContain(`The database ${path} `);
      expect(refused.error).toMatch(
        /The newest backup is \S+\.db\. To go back to it: npx helio backup restore heliograph-\S+\.db\n$/,
      );
      expect((await helio('verify')).code).toBe(1);
    }
    const [name] = /heliograph-\S+\.db/.exec((await helio('start')).error)!;
    expect((await helio('backup', 'restore', name)).code).toBe(0);
    await stop((await start()).child);
  });

  it('nothing: another key for its secrets, and the carriers of the sandbox bind with it as before', async () => {
    const { dataDir, helio, start } = place();
    const first = await start();
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8');
    const tooEarly = await helio('rotate-key');
    expect([tooEarly.code, tooEarly.error]).toEqual([78, expect.stringContaining('Another node runs')]);
    await stop(first.child);
    const rotated = await helio('rotate-key');
    expect(rotated).toMatchObject({ code: 0, error: '' });
    expect(rotated.out).toMatch(/^[1-9]\d* secrets? encrypted with a new key: \S+secret\.key\nThe old key is kept/);
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).not.toBe(key);
    const second = await start();
    expect(await customer(dataDir, second.url).send('And on')).toMatch(/^msg_/);
    await expect.poll(second.seen, { timeout: 60_000 }).toMatch(/"carrier":"sim-mm4"[^\n]*"carrier up"/);
    await stop(second.child);
  });
});
