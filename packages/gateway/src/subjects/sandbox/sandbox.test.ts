import { testNumbers } from '@heliograph/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { type MovedClock, movedClock, quiet, until, untilPassing } from '../../../../../test/props/clock.ts';
import type { Carrier, SmsSubmission } from '../../carriers/carrier.ts';
import { loadAdapters, type RecordingSink, recordingSink, submission } from '../../carriers/carrier-fixture.ts';
import { smppRecord } from '../../carriers/smpp/smpp-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Receipt } from '../../model/delivery.ts';
import { type SandboxCarrier, startSandboxCarrier } from './sandbox.ts';

const openCarrier = await loadAdapters();

const from = '12025550199';
const credentials = { system_id: 'heliograph', password: 'sandbox' };

let clock: MovedClock;
let sandbox: SandboxCarrier;
let carrier: Carrier;
let sink: RecordingSink;

const start = (preferredPort = 0, mmsPorts = { mm7: 0, mm4: 0 }): Promise<SandboxCarrier> =>
  startSandboxCarrier({
    host: '127.0.0.1',
    preferredPort,
    ...credentials,
    mm7: { preferredPort: mmsPorts.mm7, username: 'heliograph', password: 'sandbox', gateway: () => null },
    mm4: {
      preferredPort: mmsPorts.mm4,
      ownDomain: 'mms.sandbox.example',
      peerDomain: 'mms.gateway.example',
      gateway: () => null,
    },
    clock,
    random: steadyRandom(),
    logger: silentLogger,
  });

function open(profile: Parameters<typeof smppRecord>[1] = {}): Carrier {
  const record = { ...smppRecord(sandbox.port, { ...credentials, ...profile }), environment: 'sandbox' as const };
  return openCarrier(record, { clock, random: steadyRandom(), logger: silentLogger });
}

async function bind(): Promise<void> {
  carrier = open();
  sink = recordingSink();
  carrier.start(sink);
  await until(() => carrier.capacity() > 0);
}

async function closeAll(): Promise<void> {
  const closed = carrier.stop(0);
  await untilPassing(clock, () => carrier.status().binds.every(({ state }) => state === 'stopped'));
  await closed;
  const stopped = sandbox.stop();
  clock.pass(10_000);
  await stopped;
}

let sent = 0;
const send = (number: string, more: Partial<SmsSubmission> = {}): string => {
  const one = submission(++sent, { to: number, from, ...more });
  carrier.submit([one]);
  return one.messageId;
};
const outcome = async (messageId: string) => {
  await until(() => sink.outcomeOf(messageId) !== undefined);
  return sink.outcomeOf(messageId)!;
};
const accepted = async (number: string, more: Partial<SmsSubmission> = {}): Promise<string[]> => {
  const result = await outcome(send(number, more));
  expect(result.kind).toBe('accepted');
  return result.parts.map(({ carrierMessageId }) => carrierMessageId);
};
const receipts = (): Receipt[] => sink.receiptBatches.flat();
const receiptsAfter = async (ms: number, count = 1): Promise<Receipt[]> => {
  // In steps, so that enquire_link is answered in between.
  for (let left = ms - 1; left > 0; left -= 4_700) {
    clock.pass(Math.min(left, 4_700));
    await quiet();
  }
  expect(receipts()).toHaveLength(0);
  clock.pass(1);
  await until(() => receipts().length === count);
  return receipts();
};

beforeEach(async () => {
  clock = movedClock();
  sandbox = await start();
  await bind();
});
afterEach(closeAll);

describe('test numbers', () => {
  it('0100: delivered after 0.4 s, and the text is on the handset', async () => {
    const [id] = await accepted('12025550100', { text: 'Hello from my gateway' });
    expect(id).toMatch(/^[0-9A-F]{20}$/);
    expect(await receiptsAfter(400)).toMatchObject([
      {
        carrierMessageId: id,
        to: '12025550100',
        state: 'delivered',
        code: 'DELIVERED',
        carrierCode: 'DELIVRD err:000',
        raw: expect.stringContaining('text:Hello from my gatewa'),
      },
    ]);
    expect(await sandbox.handsets.messages('12025550100', { waitMs: 0 })).toMatchObject([
      {
        kind: 'SMS',
        via: 'smpp',
        from,
        to: '12025550100',
        subject: '',
        text: 'Hello from my gateway',
        encoding: 'GSM-7',
        parts: 1,
        media: [],
        receivedAt: clock.now(),
      },
    ]);
  });

  it.each(['12025550122', '12025550125'])('%s takes an SMS', async (number) => {
    await accepted(number);
    expect(await receiptsAfter(400)).toMatchObject([{ state: 'delivered' }]);
  });

  it('any other number is an ordinary handset', async () => {
    await accepted('4915112345678');
    expect(await receiptsAfter(400)).toMatchObject([{ state: 'delivered', to: '4915112345678' }]);
  });

  it.each([
    ['12025550110', 30_000, 'delivered', 'DELIVERED', 'DELIVRD err:000'],
    ['12025550111', 400, 'undelivered', 'UNREACHABLE', 'UNDELIV err:027'],
    ['12025550112', 60_000, 'undelivered', 'EXPIRED', 'EXPIRED err:000'],
    ['12025550114', 400, 'undelivered', 'CARRIER_FILTERED', 'UNDELIV err:034'],
    ['12025550120', 400, 'undelivered', 'NOT_MOBILE', 'UNDELIV err:120'],
    ['12025550123', 400, 'undelivered', 'CAMPAIGN_LIMIT', 'UNDELIV err:123'],
  ])('%s: after %i ms %s with %s', async (number, afterMs, state, code, carrierCode) => {
    await accepted(number);
    expect(await receiptsAfter(afterMs)).toMatchObject([{ state, code, carrierCode }]);
    const arrived = await sandbox.handsets.messages(number, { waitMs: 0 });
    expect(arrived).toHaveLength(state === 'delivered' ? 1 : 0);
  });

  it('0113: refused at submit', async () => {
    expect(await outcome(send('12025550113'))).toMatchObject({
      kind: 'refused',
      retry: 'never',
      code: 'CARRIER_REJECTED',
      carrierCode: 'ESME_RSUBMITFAIL 0x00000045',
    });
  });

  it('0115: never a receipt, though the text arrives', async () => {
    await accepted('12025550115');
    clock.pass(3_600_000);
    await quiet();
    expect(receipts()).toEqual([]);
    expect(await sandbox.handsets.messages('12025550115', { waitMs: 0 })).toHaveLength(1);
  });

  it('0116: throttled twice, then delivered; the next text again', async () => {
    const slot = (): Promise<void> => untilPassing(clock, () => carrier.capacity() > 0);
    for (const text of ['first', 'second', 'first']) {
      for (let i = 0; i < 2; i++) {
        await slot();
        expect(await outcome(send('12025550116', { text }))).toMatchObject({
          kind: 'refused',
          retry: 'later',
          countsAttempt: false,
          carrierCode: 'ESME_RTHROTTLED 0x00000058',
        });
      }
      await slot();
      await accepted('12025550116', { text });
    }
  });

  it('0117: the same receipt twice', async () => {
    const [id] = await accepted('12025550117');
    const both = await receiptsAfter(400, 2);
    expect(both.map(({ carrierMessageId }) => carrierMessageId)).toEqual([id, id]);
    expect(await sandbox.handsets.messages('12025550117', { waitMs: 0 })).toHaveLength(1);
  });

  it('0121: the receipt before the answer', async () => {
    const messageId = send('12025550121');
    await untilPassing(clock, () => receipts().length === 1, 1);
    expect(sink.outcomeOf(messageId)).toBeUndefined();
    clock.pass(200);
    const { parts } = await outcome(messageId);
    expect(receipts()[0]!.carrierMessageId).toBe(parts[0]!.carrierMessageId);
    expect(sink.order).toEqual(['receipts', 'results']);
  });

  it.each([
    ['12025550118', 'YES'],
    ['12025550119', 'STOP'],
  ])('%s answers %s one second after the text', async (number, text) => {
    await accepted(number);
    clock.pass(400);
    clock.pass(999);
    await quiet();
    expect(sink.inboundBatches).toEqual([]);
    clock.pass(1);
    await until(() => sink.inboundBatches.length === 1);
    expect(sink.inboundBatches[0]).toMatchObject([{ from: number, to: from, text, concat: null }]);
  });

  it('0119 does not answer the confirmation of its STOP; 0118 answers every text', async () => {
    for (const [number, answers] of [
      ['12025550119', 1],
      ['12025550118', 2],
    ] as const) {
      const before = sink.inboundBatches.flat().length;
      for (let i = 0; i < 2; i++) {
        await accepted(number);
        clock.pass(2_000);
        await quiet();
      }
      expect(sink.inboundBatches.flat().length - before).toBe(answers);
    }
  });

  it('0124 answers with an emoji text in three parts', async () => {
    await accepted('12025550124');
    clock.pass(400);
    clock.pass(1_000);
    await until(() => sink.inboundBatches.flat().length === 3);
    const parts = sink.inboundBatches.flat();
    expect(parts.map(({ concat }) => concat?.sequence)).toEqual([1, 2, 3]);
    expect(new Set(parts.map(({ concat }) => concat?.reference)).size).toBe(1);
    expect(parts.map(({ encoding }) => encoding)).toEqual(['UCS-2', 'UCS-2', 'UCS-2']);
    const { reply } = testNumbers.find(({ number }) => number === '12025550124')!.behaviour;
    expect(parts.map(({ text }) => text).join('')).toBe(reply!.text);
  });
});

describe('long texts and receipts', () => {
  it('one receipt per part, one text on the handset', async () => {
    const text = 'A long text with € and {braces}. '.repeat(12);
    const ids = await accepted('12025550101', { text });
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    const all = await receiptsAfter(400, ids.length);
    expect(all.map(({ carrierMessageId }) => carrierMessageId)).toEqual(ids);
    expect(await sandbox.handsets.messages('12025550101', { waitMs: 0 })).toMatchObject([{ text, parts: ids.length }]);
  });

  it.each(['udh16', 'sar', 'payload'] as const)('mode %s arrives whole', async (longMessage) => {
    const other = open({ longMessage });
    other.start(sink);
    await until(() => other.capacity() > 0);
    const text = 'Длинный текст 👍 '.repeat(20);
    other.submit([submission(++sent, { to: '12025550102', text })]);
    await untilPassing(clock, () => receipts().length > 0);
    await quiet();
    expect(await sandbox.handsets.messages('12025550102', { waitMs: 0 })).toMatchObject([{ text, encoding: 'UCS-2' }]);
    const stopped = other.stop(0);
    await untilPassing(clock, () => other.status().binds[0]!.state === 'stopped');
    await stopped;
  });

  it('no receipt unless it is requested', async () => {
    const other = open({ registered_delivery: false });
    other.start(sink);
    await until(() => other.capacity() > 0);
    other.submit([submission(++sent)]);
    await untilPassing(clock, () => sink.resultBatches.length === 1);
    clock.pass(1_000);
    await quiet();
    expect(receipts()).toEqual([]);
    expect(await sandbox.handsets.messages('12025550100', { waitMs: 0 })).toHaveLength(1);
    const stopped = other.stop(0);
    await untilPassing(clock, () => other.status().binds[0]!.state === 'stopped');
    await stopped;
  });

  it('refuses what is no number', async () => {
    expect(await outcome(send('0123'))).toMatchObject({ code: 'UNKNOWN_SUBSCRIBER' });
  });

  it('what could not be stored comes again, until it is', async () => {
    let stores = 0;
    sink.storing = async () => {
      if (++stores < 3) throw new Error('disk full');
    };
    await accepted('12025550100');
    await receiptsAfter(400);
    await untilPassing(clock, () => receipts().length === 3);
    clock.pass(600_000);
    await quiet();
    expect(receipts()).toHaveLength(3);
  });
});

describe('replies', () => {
  it('go to the last sender, or to the given number', async () => {
    expect(sandbox.handsets.reply('12025550103', { text: 'hi' })).toEqual({ kind: 'no_sender' });
    await accepted('12025550103', { from: '12025550198' });
    clock.pass(400);
    await quiet();
    expect(sandbox.handsets.reply('12025550103', { text: 'hi' })).toEqual({
      kind: 'queued',
      from: '12025550103',
      to: '12025550198',
      messageType: 'SMS',
      via: 'smpp',
      parts: 1,
      encoding: 'GSM-7',
      media: 0,
    });
    sandbox.handsets.reply('12025550103', { text: 'hö?', to: from });
    await until(() => sink.inboundBatches.flat().length === 2);
    expect(sink.inboundBatches.flat()).toMatchObject([
      { from: '12025550103', to: '12025550198', text: 'hi' },
      { from: '12025550103', to: from, text: 'hö?' },
    ]);
  });

  it('of a handset that may not see the last sender go to one it may', async () => {
    await accepted('12025550103', { from: '12025550198' });
    await accepted('12025550103', { from });
    clock.pass(400);
    await quiet();
    const isOwn = (sender: string): boolean => sender === '12025550198';
    expect(sandbox.handsets.reply('12025550103', { text: 'hi', isOwn })).toMatchObject({ to: '12025550198' });
    expect(sandbox.handsets.reply('12025550103', { text: 'hi', isOwn: () => false })).toEqual({ kind: 'no_sender' });
  });

  it('wait until the gateway is there', async () => {
    const stopped = carrier.stop(0);
    await untilPassing(clock, () => carrier.status().binds[0]!.state === 'stopped');
    await stopped;
    const text = 'still here? '.repeat(30);
    expect(sandbox.handsets.reply('12025550100', { text, to: from })).toMatchObject({ kind: 'queued', parts: 3 });
    await bind();
    await until(() => sink.inboundBatches.flat().length === 3);
    expect(
      sink.inboundBatches
        .flat()
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  it('refuse a text that no message can hold', () => {
    expect(sandbox.handsets.reply('12025550100', { text: 'x'.repeat(40_000), to: from })).toEqual({
      kind: 'too_long',
      partsMax: 255,
    });
  });
});

describe('the server', () => {
  it('takes other ports when the preferred ones are in use', async () => {
    const mm7Port = (url: string): number => Number(new URL(url).port);
    const other = await start(sandbox.port, { mm7: mm7Port(sandbox.mm7.url), mm4: sandbox.mm4.port });
    expect(other.port).not.toBe(sandbox.port);
    expect(other.mm7.url).not.toBe(sandbox.mm7.url);
    expect(other.mm4.port).not.toBe(sandbox.mm4.port);
    await other.stop();
    const ports = { mm7: mm7Port(other.mm7.url), mm4: other.mm4.port };
    const again = await start(other.port, ports);
    expect({ mm7: mm7Port(again.mm7.url), mm4: again.mm4.port }).toEqual(ports);
    await again.stop();
  });

  it('takes the preferred port when it is free', async () => {
    const other = await start();
    const { port } = other;
    await other.stop();
    const again = await start(port);
    expect(again.port).toBe(port);
    await again.stop();
  });

  it.each([{ system_id: 'nobody' }, { password: 'wrong' }])('lets nobody in with %o', async (wrong) => {
    const stranger = open(wrong);
    const events = recordingSink();
    stranger.start(events);
    await until(() => events.links.length === 1);
    expect(events.links[0]).toMatchObject({ up: false, detail: expect.stringContaining('bind refused') });
    await stranger.stop(0);
  });

  it('gives ids that no other run gave', async () => {
    const [first] = await accepted('12025550100');
    clock.pass(1);
    const other = await start();
    const before = sandbox;
    sandbox = other;
    const second = open();
    sandbox = before;
    const events = recordingSink();
    second.start(events);
    await until(() => second.capacity() > 0);
    second.submit([submission(1)]);
    await until(() => events.outcomeOf('msg_1') !== undefined);
    const [part] = events.outcomeOf('msg_1')!.parts;
    expect(part!.carrierMessageId > first!).toBe(true);
    const stopped = second.stop(0);
    await untilPassing(clock, () => second.status().binds[0]!.state === 'stopped');
    await stopped;
    await other.stop();
  });
});
