/** Version, health and backups: real backups of the store in use; access to them, and audit entries. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBackups } from '../../app/backups.ts';
import { type Browser, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { peopleTimes } from '../../model/people.ts';
import type { Finding } from '../../model/upkeep.ts';
import { type UpkeepParts, upkeepRoutes } from './upkeep-routes.ts';

const made = { version: '9.9.9', build: 'abc', node: '26.0.0', platform: 'linux-x64', startedAt: 1_700_000_000_000 };
const well: Finding = { what: 'Disk', ok: true, detail: '9 GB free', fix: null };
const ill: Finding = { what: 'Clock', ok: false, detail: 'off', fix: 'Set it.' };

let world: PortalWorld;
let operator: Browser;
let folder: string;
/** Copies wait for this. */
let copying: Promise<void>;
let copyFails: boolean;
let publicUrl: Finding | null;
let clockDoubted = false;
let backups: UpkeepParts['backups'] | 'real';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'r4s-upkeep-'));
  copying = Promise.resolve();
  copyFails = false;
  publicUrl = null;
  backups = 'real';
  world = await openPortalWorld({
    modules: ({ clock, store }) => {
      const real = createBackups({
        clock,
        store,
        logger: silentLogger,
        dataDir: folder,
        copy: async (to) => {
          await copying;
          if (copyFails) throw new Error('the disk is full');
          writeFileSync(to, 'a copy');
        },
      });
      const parts: UpkeepParts = {
        confirmClock: () => clockDoubted,
        made,
        store,
        health: async () => [well, ill],
        testPublicUrl: async () => publicUrl,
        get backups() {
          return backups === 'real' ? real : backups;
        },
      };
      return [upkeepRoutes(parts)];
    },
  });
  operator = await world.as('Owner');
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

it('an operator confirms a clock that is in doubt, which is audited; nobody else may', async () => {
  expect((await operator.call('POST', '/clock/confirm')).status).toBe(404);
  clockDoubted = true;
  expect((await operator.call('POST', '/clock/confirm')).status).toBe(200);
  clockDoubted = false;
  const audited = await operator.call('GET', '/audit');
  expect(JSON.stringify(audited.json.data)).toContain('clock.confirmed');
  expect((await (await world.as('Admin')).call('POST', '/clock/confirm')).status).toBe(403);
});

const list = async () => (await operator.call('GET', '/backups')).json.data;
async function make(): Promise<string> {
  const { name } = (await operator.call('POST', '/backups')).json.data;
  await expect.poll(async () => (await list()).runningSince).toBeNull();
  return name;
}

describe('what runs', () => {
  it('is shown to everyone who is signed in, with the store', async () => {
    const viewer = await world.as('Viewer', 'acc_two');
    const { data } = (await viewer.call('GET', '/about')).json;
    expect(data).toMatchObject({ version: '9.9.9', build: 'abc', machine: null });
    const { machine } = (await operator.call('GET', '/about')).json.data;
    expect(machine).toMatchObject({ platform: 'linux-x64', startedAt: '2023-11-14T22:13:20.000Z' });
    expect(data.store).toMatchObject({ engine: 'sqlite', schemaVersion: expect.any(Number) });
  });

  it('and whether it is well, to operators', async () => {
    const answer = (await operator.call('GET', '/health')).json;
    expect(answer).toMatchObject({ detail: '1 of 2 are not well.', data: [well, ill] });
    expect((await (await world.as('Owner', 'acc_two')).call('GET', '/health')).status).toBe(403);
  });

  it('and whether its public address works, when there is one', async () => {
    expect((await operator.call('POST', '/public-url/test')).status).toBe(404);
    publicUrl = { ...ill, what: 'Public URL' };
    expect((await operator.call('POST', '/public-url/test')).json.data).toEqual(publicUrl);
  });
});

describe('backups', () => {
  it('are made, listed, downloaded and deleted, and recorded in the audit log', async () => {
    expect(await list()).toMatchObject({ backups: [], runningSince: null, failed: null });
    const name = await make();
    expect(name).toMatch(/^heliograph-2023-11-14T22-13-\d\dZ\.db$/);
    expect((await list()).backups).toEqual([{ name, at: expect.stringMatching(/^2023-11-14T22:13/), bytes: 6 }]);
    expect((await operator.call('POST', `/backups/${name}/download`)).status).toBe(200);
    const file = await operator.call('GET', `/backups/${name}`);
    expect([file.status, file.text]).toEqual([200, 'a copy']);
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${name}"`);
    expect((await operator.call('DELETE', `/backups/${name}`)).status).toBe(200);
    expect(readdirSync(join(folder, 'backups'))).toEqual([]);
    const entries = (await operator.call('GET', '/audit')).json.data.entries.slice(0, 3);
    expect(entries.map(({ what, target }: { what: string; target: string }) => [what, target])).toEqual([
      ['backup.deleted', name],
      ['backup.downloaded', name],
      ['backup.made', name],
    ]);
  });

  it('are made one at a time, and say why one could not be', async () => {
    let go = () => {};
    copying = new Promise((done) => {
      go = done;
    });
    copyFails = true;
    expect((await operator.call('POST', '/backups')).status).toBe(200);
    expect((await operator.call('POST', '/backups')).status).toBe(409);
    expect((await list()).runningSince).not.toBeNull();
    go();
    await expect.poll(async () => (await list()).failed?.detail).toBe('the disk is full');
    copyFails = false;
    await make();
    expect((await list()).failed).toBeNull();
  });

  it('are of no other name, and need the password again after a while', async () => {
    const name = await make();
    for (const wrong of ['store.db', '..%2Fstore.db', '..', `${name}.part`, 'heliograph-2023-11-14T22-13-20Z.db%00']) {
      expect((await operator.call('GET', `/backups/${wrong}`)).status).toBeGreaterThanOrEqual(400);
      expect((await operator.call('DELETE', `/backups/${wrong}`)).status).toBeGreaterThanOrEqual(400);
    }
    world.clock.pass(peopleTimes.recentMs);
    expect((await operator.call('GET', `/backups/${name}`)).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
    expect((await operator.call('GET', '/backups')).status).toBe(200);
  });

  it('of PostgreSQL are for its own tools', async () => {
    backups = null;
    expect(await list()).toMatchObject({ folder: null });
    expect((await operator.call('POST', '/backups')).status).toBe(404);
  });
});
