/** Erased texts are no longer in any file, not even in free pages. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import { acceptItem, hour, settlement, start } from './contract/fixture.ts';

const canary = 'canary-4f1b77';
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'h10-erased-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function found(): string[] {
  return readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes(canary));
}

it('leaves no text of old messages in any file', async () => {
  const clock = movedClock(start);
  let store = await openStore({ dataDir, role: 'node', clock });
  // Short texts, and some long enough for separate pages.
  for (let n = 0; n < 40; n++) {
    await store.accept([acceptItem(clock.now(), { text: `${canary} ${'x'.repeat(n * 500)}` })]);
  }
  for (const claim of await store.claim({ lane: 'c1', limit: 100, now: clock.now(), token: store.token })) {
    await store.settle([settlement(claim, clock.now(), { to: 'failed', parts: [] })]);
  }
  await store.close();
  expect(found()).not.toEqual([]);
  clock.set(start + 31 * 24 * hour);
  store = await openStore({ dataDir, role: 'node', clock });
  const cut = { accountId: 'acc1', bodiesBefore: start + hour, messagesBefore: 0, endpointIds: [], limit: 100 };
  let cursor: string | null = null;
  do {
    ({ cursor } = await store.forgetMessages({ ...cut, now: clock.now(), cursor }));
  } while (cursor !== null);
  await store.close();
  expect(found()).toEqual([]);
});
