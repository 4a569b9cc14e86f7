/** Consent on a real store: disk and memory agree, before and after a restart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import { contact, own } from '../../model/world-fixture.ts';
import { consentOver, part } from './consent-fixture.ts';

const clock = settlingClock();
const live = { accountId: 'acc1', environment: 'live' } as const;
let dataDir: string;
let store: Store;

const open = () => openStore({ dataDir, role: 'node', clock });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'helio-consent-'));
  store = await open();
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

/** The messages waiting in the lane, as a carrier would get them. */
async function claimed() {
  return await store.claim({ lane: 'a', limit: 100, now: clock.now(), token: store.token });
}

describe('consent on disk', () => {
  it('SEC-64: STOP in any form is kept over a restart with one confirmation; START ends it', async () => {
    const before = consentOver(store);
    for (const text of ['Quit.', ' STOP!! ', 'opt  out', 'Arrêt']) await before.say(text);
    expect(before.isOut()).toBe(true);
    expect(before.nudged).toEqual(['a']);
    const waiting = await claimed();
    expect(waiting).toMatchObject([{ keyId: 'consent:out', from: own, to: contact, segments: 1 }]);
    await store.close();

    store = await open();
    const after = consentOver(store);
    await after.consent.load();
    expect([after.isOut(), after.consent.size()]).toEqual([true, 1]);
    await after.say('Start');
    expect(after.isOut()).toBe(false);
    await store.close();

    store = await open();
    const last = consentOver(store);
    await last.consent.load();
    expect([last.isOut(), last.consent.size()]).toEqual([false, 0]);
  });

  it('every keyword is also a reply, and START from one who never left is nothing but that', async () => {
    const { say, nudged } = consentOver(store);
    await say('yes');
    expect(nudged).toEqual([]);
    await say('help');
    await say('Info?');
    expect(nudged).toEqual(['a', 'a']);
    const query = { from: null, to: null, before: null, limit: 10, accountId: 'acc1' };
    const replies = await store.messages({ ...query, direction: 'inbound' });
    expect(replies.map(({ text }) => text)).toEqual(['Info?', 'help', 'yes']);
    expect((await claimed()).map(({ keyId }) => keyId)).toEqual(['consent:help', 'consent:help']);
  });

  it('toll-free numbers stay silent, and their opt-outs count', async () => {
    const { receiver, isOut, nudged } = consentOver(store);
    await receiver.inbound(['STOP', 'HELP'].map((text) => part(text, { to: '18005550100' })));
    expect([isOut('number:18005550100'), isOut(), nudged]).toEqual([true, false, []]);
    expect(await claimed()).toEqual([]);
  });

  it('keeps the proof, and lists what came by every way', async () => {
    const { say, consent } = consentOver(store);
    await say('STOP');
    const entries = ['12025550101', '12025550102'].map((to) => ({ contact: to, number: own, reason: 'by phone' }));
    expect((await consent.change(live, 'out', 'by hand', entries)).map(({ result }) => result)).toEqual([
      'changed',
      'changed',
    ]);
    await consent.change(live, 'in', 'api', [entries[1]!]);
    const query = { scope: null, contact: null, after: null, limit: 1 };
    const first = await consent.list(live, query);
    const second = await consent.list(live, { ...query, after: first.next });
    const third = await consent.list(live, { ...query, after: second.next });
    expect([...first.entries, ...second.entries]).toMatchObject([
      { contact, how: 'keyword', evidenceMessageId: expect.stringMatching(/^msg_/) },
      { contact: '12025550101', how: 'by hand', reason: 'by phone', evidenceMessageId: null },
    ]);
    expect(third).toEqual({ entries: [], next: null });
    const proof = await store.message('acc1', first.entries[0]!.evidenceMessageId ?? '');
    expect(proof).toMatchObject({ text: 'STOP', from: contact, to: own, state: 'received' });
  });
});
