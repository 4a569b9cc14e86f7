/** The notifier on a real store (SQLite): which webhooks are sent, what is stored, and what continues after a kill. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../app/open-store.ts';
import type { Store } from '../../../app/store.ts';
import { buildDirectory } from '../../../carriers/directory.ts';
import { createIds } from '../../../kernel/ids.ts';
import { silentLogger } from '../../../kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../../../kernel/machine.ts';
import { Secret } from '../../../kernel/secret.ts';
import { noRecords } from '../../../model/records.ts';
import { endpoint } from '../../../model/world-fixture.ts';
import type { WebhookPost, WebhookPosted } from '../webhook-post.ts';
import { createNotifier } from './notifier.ts';
import { answered, disabling, ok } from './notify-fixture.ts';

const ids = createIds(clock, random);
const none = noRecords();

async function fresh(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-notify-'));
  const store = await openStore({ dataDir: folder, role: 'node', clock });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

async function running(store: Store, answer: (post: WebhookPost) => WebhookPosted | null) {
  const posts: WebhookPost[] = [];
  let directory = buildDirectory(await store.records());
  const notifier = createNotifier({
    clock,
    random,
    logger: silentLogger,
    store,
    disable: disabling(store, clock),
    directory: () => directory,
    poster: {
      post: (post) => {
        posts.push(post);
        const response = answer(post);
        return response === null ? new Promise(() => {}) : Promise.resolve(response);
      },
      close: async () => {},
    },
    openSecret: (sealed) => new Secret(sealed),
    onCarrierOptOut: async () => {},
    onMmsNotSupported: async () => {},
    broken: (error) => {
      throw error;
    },
  });
  await notifier.start();
  const refresh = async () => {
    directory = buildDirectory(await store.records());
    notifier.endpointsChanged();
  };
  return { posts, notifier, refresh };
}

async function addEvents(store: Store, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => {
    return {
      eventId: ids.next('evt_'),
      accountId: 'acc1',
      type: 'webhook.test' as const,
      at: clock.now(),
      data: { endpointId: 'ep_a' },
    };
  });
  await store.addEvents(events);
}

const states = async (store: Store) => {
  const rows = await store.webhookDeliveries({
    accountId: 'acc1',
    endpointIds: ['ep_a'],
    state: null,
    before: null,
    limit: 500,
  });
  return rows.map(({ state, attempts, tries }) => `${state} ${attempts} ${tries}`);
};

it('W-02 sends everything, again after a kill what was not recorded, and starts anew with an endpoint that is back', async () => {
  const store = await fresh();
  await store.putRecords({ ...none, endpoints: [endpoint('ep_a')] });
  await addEvents(store, 300);

  // Killed with some attempts under way and others not begun.
  let left = 100;
  const first = await running(store, () => (left-- > 0 ? ok : null));
  const delivered = async () => (await states(store)).filter((state) => state === 'delivered 1 1');
  await expect.poll(delivered).toHaveLength(100);
  const taken = new Set(first.posts.slice(0, 100).map(({ id }) => id));
  const second = await running(store, () => ok);
  await expect.poll(async () => new Set(await states(store))).toEqual(new Set(['delivered 1 1']));
  expect(second.posts).toHaveLength(200);
  expect(second.posts.some(({ id }) => taken.has(id))).toBe(false);
  await second.notifier.stop();

  // Gone, disabled, enabled again.
  const third = await running(store, () => answered(410));
  await addEvents(store, 1);
  third.notifier.nudge();
  await expect.poll(async () => (await store.records()).endpoints[0]!.disabled).toMatchObject({ why: 'gone' });
  await third.refresh();
  expect((await states(store))[0]).toBe('waiting 1 1');
  await third.notifier.stop();
  const fourth = await running(store, () => ok);
  await store.putRecords({ ...none, endpoints: [endpoint('ep_a')] });
  await fourth.refresh();
  await expect.poll(async () => (await states(store))[0]).toBe('delivered 2 1');
  expect(fourth.posts.map(({ id }) => id)).toEqual(third.posts.map(({ id }) => id));
  await fourth.notifier.stop();
});
