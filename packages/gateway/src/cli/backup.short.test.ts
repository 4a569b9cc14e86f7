/**
 * `helio backup create` and `restore` as people run them, each in its own process, beside a gateway and without one.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customer, place, stop } from './place-fixture.ts';

describe('helio backup', () => {
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

    expect((await helio('backup', 'restore', copy, '--waiting', 'maybe')).code).toBe(2);
    const restored = await helio('backup', 'restore', copy);
    expect(restored).toMatchObject({ code: 0, error: '' });
    expect(restored.out).toMatch(/\d+ messages? waited at the time of the backup\./);
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

    // Without a gateway, into its own folder, where it can be found by name.
    const inPlace = await helio('backup', 'create');
    const [name] = readdirSync(join(dataDir, 'backups'));
    expect(inPlace.out).toContain(join(dataDir, 'backups', name!));
    expect(await helio('backup', 'restore', name!)).toMatchObject({ code: 0, error: '' });
  });

  it('refuses a store of PostgreSQL, which it cannot copy, with the command that can', async () => {
    const { helio } = place({ HELIO_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    const made = await helio('backup', 'create');
    expect([made.code, made.out]).toEqual([78, '']);
    expect(made.error).toMatch(/nothing was copied.*pg_dump/);
    const restored = await helio('backup', 'restore', 'x.dump');
    expect([restored.code, restored.out]).toEqual([78, '']);
    expect(restored.error).toMatch(/nothing was put back[\s\S]*pg_restore/);
    const verified = await helio('verify');
    expect([verified.code, verified.out]).toEqual([1, '']);
    expect(verified.error).toMatch(/An administrator of the server.*\npg_amcheck --install-missing /);
    const recovered = await helio('recover');
    expect([recovered.code, recovered.out]).toEqual([78, '']);
    expect(recovered.error).toMatch(/its journal is a table there, and the next start brings in/);
  });
});
