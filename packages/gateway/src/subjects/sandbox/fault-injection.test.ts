import { type HandsetSettings, heldMsMax, noFaults, ordinarySettings } from '@heliograph/sandbox/faults';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { type MovedClock, movedClock, quiet, until, untilPassing } from '../../../../../test/props/clock.ts';
import type { Carrier } from '../../carriers/carrier.ts';
import { loadAdapters, type RecordingSink, recordingSink, submission } from '../../carriers/carrier-fixture.ts';
import { smppRecord } from '../../carriers/smpp/smpp-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type SandboxCarrier, startSandboxCarrier } from './sandbox.ts';

const openCarrier = await loadAdapters();

const phone = '12025550100';
const from = '12025550199';
const strangers = '12025550150';
const credentials = { system_id: 'heliograph', password: 'sandbox' };

let clock: MovedClock;
let sandbox: SandboxCarrier;
let carrier: Carrier;
let sink: RecordingSink;
let arrivals: string[];

beforeEach(async () => {
  clock = movedClock();
  arrivals = [];
  const mmsPart = { preferredPort: 0, gateway: () => null };
  sandbox = await startSandboxCarrier({
    host: '127.0.0.1',
    preferredPort: 0,
    ...credentials,
    mm7: { ...mmsPart, username: 'heliograph', password: 'sandbox' },
    mm4: { ...mmsPart, ownDomain: 'mms.sandbox.example', peerDomain: 'mms.gateway.example' },
    ownerOf: (sender) => (sender === from ? 'a' : 'b'),
    clock,
    random: steadyRandom(),
    logger: silentLogger,
  });
  sandbox.onArrival((number, own) => arrivals.push(`${number} ${own}`));
  const record = { ...smppRecord(sandbox.port, credentials), environment: 'sandbox' as const };
  carrier = openCarrier(record, { clock, random: steadyRandom(), logger: silentLogger });
  sink = recordingSink();
  carrier.start(sink);
  await until(() => carrier.capacity() > 0);
});

afterEach(async () => {
  const closed = carrier.stop(0);
  await untilPassing(clock, () => carrier.status().binds.every(({ state }) => state === 'stopped'));
  await closed;
  const stopped = sandbox.stop();
  clock.pass(10_000);
  await stopped;
});

let sent = 0;
async function send(more: Parameters<typeof submission>[1] = {}) {
  const one = submission(++sent, { to: phone, from, ...more });
  carrier.submit([one]);
  await until(() => sink.outcomeOf(one.messageId) !== undefined);
  return sink.outcomeOf(one.messageId)!;
}
const set = (more: Partial<HandsetSettings>, account = 'a') =>
  sandbox.faultInjection.change(account, phone, { ...ordinarySettings, ...more });
const receipts = () => sink.receiptBatches.flat().map(({ state, carrierCode }) => `${state} ${carrierCode}`);
const texts = async () => {
  const found = await sandbox.handsets.messages(phone, { waitMs: 0 });
  return found === 'full' ? found : found.map(({ text }) => text);
};
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 4_700) {
    clock.pass(Math.min(left, 4_700));
    await quiet();
  }
}
const wire = async (handset: string | null = phone, isOwn = (own: string) => own === from) => {
  const found = await sandbox.wire.list({ handset, waitMs: 0, isOwn });
  return found === 'full' ? [] : found;
};

describe('a handset', () => {
  it('that is off gets its texts in order when it is on again', async () => {
    set({ power: 'off' });
    await send({ text: 'one' });
    await send({ text: 'two' });
    await pass(60_000);
    expect(await texts()).toEqual([]);
    expect(receipts()).toEqual([]);
    set({});
    await pass(400);
    expect(await texts()).toEqual(['one', 'two']);
    await until(() => receipts().length === 2);
    expect(receipts()).toEqual(['delivered DELIVRD err:000', 'delivered DELIVRD err:000']);
  });

  it('that stays off lets them expire, and never gets them', async () => {
    set({ power: 'off' });
    await send();
    await pass(heldMsMax - 1);
    expect(receipts()).toEqual([]);
    await pass(1);
    await untilPassing(clock, () => receipts().length === 1);
    expect(receipts()[0]).toMatch(/ EXPIRED err:000$/);
    set({});
    await pass(400);
    expect(await texts()).toEqual([]);
  });

  it('that is full gets nothing', async () => {
    set({ inbox: 'full' });
    await send();
    await pass(400);
    await until(() => receipts().length === 1);
    expect(receipts()).toEqual(['undelivered UNDELIV err:032']);
    expect(await texts()).toEqual([]);
  });

  it.each([
    ['UNDELIV', 'undelivered UNDELIV err:027', []],
    ['DELIVRD', 'delivered DELIVRD err:000', ['hi']],
  ] as const)('gives the receipt that is set, when it is set to: %s', async (outcome, receipt, held) => {
    set({ receipt: { outcome, afterMs: 2_000 } });
    await send({ text: 'hi' });
    await pass(1_999);
    expect(receipts()).toEqual([]);
    await pass(1);
    await until(() => receipts().length === 1);
    expect(receipts()).toEqual([receipt]);
    expect(await texts()).toEqual(held);
  });

  it('answers by itself, and shows that it did', async () => {
    set({ autoReply: { text: 'Later!', afterMs: 500 } });
    await send();
    await pass(900);
    await until(() => sink.inboundBatches.length === 1);
    expect(sink.inboundBatches[0]).toMatchObject([{ from: phone, to: from, text: 'Later!' }]);
    const left = await sandbox.handsets.sent(phone, { waitMs: 0 });
    expect(left).toMatchObject([{ from: phone, to: from, text: 'Later!', parts: 1 }]);
  });

  it('is ordinary again after a reset of its account, and never gets what was held', async () => {
    set({ power: 'off' });
    set({ inbox: 'full' }, 'b');
    sandbox.faultInjection.setFaults('a', { ...noFaults, refuseBind: true, errorPercent: 0 });
    await send({ text: 'held' });
    sandbox.faultInjection.reset('a');
    await pass(400);
    await until(() => receipts().length === 1);
    expect(receipts()[0]).toMatch(/ EXPIRED /);
    expect(await texts()).toEqual([]);
    expect(sandbox.faultInjection.settings('a', phone)).toEqual(ordinarySettings);
    expect(sandbox.faultInjection.settings('b', phone)).toMatchObject({ inbox: 'full' });
    expect(sandbox.faultInjection.faults('a')).toEqual(noFaults);
  });

  it('behaves so towards one account only', async () => {
    set({ power: 'off' }, 'b');
    await send();
    await pass(400);
    expect(await texts()).toHaveLength(1);
    expect(sandbox.faultInjection.settings('a', phone)).toEqual(ordinarySettings);
  });
});

describe('the link', () => {
  const fault = (more: Partial<typeof noFaults>, account = 'a') =>
    sandbox.faultInjection.setFaults(account, { ...noFaults, ...more });

  it('loses receipts, and the texts arrive all the same', async () => {
    fault({ loseReceiptsPercent: 100 });
    await send({ text: 'hi' });
    await pass(5_000);
    expect(await texts()).toEqual(['hi']);
    expect(receipts()).toEqual([]);
  });

  it('gives receipts twice, and the text once', async () => {
    fault({ duplicateReceipts: true });
    await send({ text: 'hi' });
    await pass(400);
    await until(() => receipts().length === 2);
    expect(await texts()).toEqual(['hi']);
  });

  it('throttles above so many in a second, one account alone', async () => {
    fault({ throttlePerSecond: 1 });
    expect(await send({ from: strangers })).toMatchObject({ kind: 'accepted' });
    expect(await send({ from: strangers })).toMatchObject({ kind: 'accepted' });
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(await send()).toMatchObject({ kind: 'refused', carrierCode: expect.stringContaining('ESME_RTHROTTLED') });
    // The carrier's send rate has dropped too.
    await pass(1_000);
    await untilPassing(clock, () => carrier.capacity() > 0);
    expect(await send()).toMatchObject({ kind: 'accepted' });
  });

  it('refuses with some ESME_*', async () => {
    fault({ errorPercent: 100 });
    expect(await send()).toMatchObject({ kind: 'refused', carrierCode: expect.stringContaining('ESME_') });
  });

  it('answers late, and after the receipt', async () => {
    fault({ receiptFirst: true, answerAfterMs: 3_000 });
    const one = submission(++sent, { to: phone, from });
    carrier.submit([one]);
    await untilPassing(clock, () => receipts().length === 1);
    expect(sink.outcomeOf(one.messageId)).toBeUndefined();
    await pass(3_000);
    await until(() => sink.outcomeOf(one.messageId) !== undefined);
    expect(sink.order.filter((one) => one !== 'inbound')).toEqual(['receipts', 'results']);
  });

  it('is dropped, refuses binds until that ends, and is bound again', async () => {
    fault({ refuseBind: true });
    expect(sandbox.faultInjection.faults('b').refuseBind).toBe(true);
    expect(sandbox.faultInjection.dropLinks()).toBe(carrier.status().binds.length);
    await untilPassing(clock, () =>
      carrier.status().binds.some(({ detail }) => detail?.includes('RBINDFAIL') === true),
    );
    expect(carrier.capacity()).toBe(0);
    fault({});
    await untilPassing(clock, () => carrier.capacity() > 0);
    expect((await wire(null)).map(({ command, status }) => `${command} ${status}`)).toEqual(
      expect.arrayContaining([
        'connection closed null',
        'bind_transceiver_resp ESME_RBINDFAIL',
        'bind_transceiver_resp ESME_ROK',
      ]),
    );
  });
});

describe('the wire', () => {
  it('shows every PDU of a text and its receipt, in their order', async () => {
    await send({ text: 'Hello' });
    await pass(400);
    await until(() => receipts().length === 1);
    await untilPassing(clock, () => arrivals.length > 0);
    const about = (await wire()).filter(({ own }) => own !== null);
    await quiet();
    const shown = about.map(({ direction, command, status }) => `${direction} ${command} ${status}`);
    expect(shown.slice(0, 3)).toEqual([
      'to_carrier submit_sm null',
      'to_gateway submit_sm_resp ESME_ROK',
      'to_gateway deliver_sm null',
    ]);
    expect(about[0]).toMatchObject({ own: from, handset: phone, text: 'Hello', data_coding: 0, esm_class: 0 });
    expect(Buffer.from(about[0]!.hex, 'hex').toString('latin1')).toContain('Hello');
    expect(about[1]!.messageId).toBe(about[2]!.messageId);
    expect(about[2]!.text).toContain('stat:DELIVRD');
    expect(arrivals).toContain(`${phone} ${from}`);
  });

  it('never shows the password of a bind, and to nobody what is of others', async () => {
    await send({ from: strangers, text: 'secret words' });
    const all = JSON.stringify(await wire(null));
    expect(all).toContain('bind_transceiver');
    expect(all).not.toContain('secret words');
    expect(all).not.toContain(Buffer.from(credentials.password).toString('hex'));
    expect(all).not.toContain(Buffer.from('secret words').toString('hex'));
  });

  it('is waited for', async () => {
    const last = (await wire()).at(-1)!.id;
    const waited = sandbox.wire.list({ handset: phone, after: last, waitMs: 10_000 });
    await send();
    expect(await waited).toMatchObject([{ command: 'submit_sm' }, { command: 'submit_sm_resp' }]);
    const never = sandbox.wire.list({ handset: '12025550142', after: 'pdu_Z', waitMs: 10_000 });
    await pass(10_000);
    expect(await never).toEqual([]);
  });
});
