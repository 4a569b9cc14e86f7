/** Requests from carriers, up to their answers, without a network: stored or not, decided or undecided. */
import { type InboundRequest, status, tlv } from '@heliograph/smpp';
import { beforeEach, describe, expect, it } from 'vitest';
import { type MovedClock, movedClock, quiet } from '../../../../../test/props/clock.ts';
import type { InboundPart, Receipt } from '../../model/delivery.ts';
import { SomeNotStored } from '../carrier.ts';
import { type CodecRules, codecRulesOf } from './codec.ts';
import { createSmppInbox } from './inbox.ts';
import { smppRecord } from './smpp-fixture.ts';

let rules: CodecRules;
let stored: { receipts: Receipt[][]; inbound: InboundPart[][] };
let fault: Error | null;
let take: (request: InboundRequest) => void;
let answers: number[];
let clock: MovedClock;

beforeEach(() => {
  rules = codecRulesOf(smppRecord(2775));
  stored = { receipts: [], inbound: [] };
  fault = null;
  answers = [];
  const keep = async <T>(into: T[][], words: T[]): Promise<void> => {
    if (fault !== null) throw fault;
    into.push(words);
  };
  clock = movedClock();
  take = createSmppInbox(rules, { clock }, { warn: () => {} }, () => ({
    receipts: (words) => keep(stored.receipts, words),
    inbound: (words) => keep(stored.inbound, words),
  }));
});

async function comes(command: 'deliver_sm' | 'data_sm', esm_class: number, text: string): Promise<void> {
  const blank = { command, source_addr: '12025550100', destination_addr: '12025550199', data_coding: 0, esm_class };
  const octets = Buffer.from(text, 'latin1');
  const content = command === 'deliver_sm' ? { short_message: octets, tlvs: [] } : undefined;
  const pdu = { ...blank, ...(content ?? { tlvs: [tlv('message_payload', octets)] }) };
  take({ pdu, respond: (answer: number) => answers.push(answer) } as unknown as InboundRequest);
  await quiet();
}

const receipt = (id: string) => comes('deliver_sm', 4, `id:${id} stat:DELIVRD err:000`);
const receiptKeys = () => stored.receipts.flat().map(({ idKeys }) => idKeys[0] ?? null);

describe('while the store is down', () => {
  it.each(['deliver_sm', 'data_sm'] as const)(
    'a %s is to come again, receipt or text, and then is taken',
    async (by) => {
      fault = new Error('disk full');
      await comes(by, 4, 'id:1 stat:DELIVRD');
      await comes(by, 0, 'STOP');
      expect(answers).toEqual([status.ESME_RMSGQFUL, status.ESME_RMSGQFUL]);
      fault = null;
      await comes(by, 4, 'id:1 stat:DELIVRD');
      await comes(by, 0, 'STOP');
      expect(answers.slice(2)).toEqual([status.ESME_ROK, status.ESME_ROK]);
      expect(stored).toMatchObject({ receipts: [[{ carrierMessageId: '1' }]], inbound: [[{ text: 'STOP' }]] });
    },
  );

  it('of a batch only what is stored is acknowledged, and the rest is to come again', async () => {
    fault = new SomeNotStored(new Set([1]), 'a part of the store is away');
    const some = ['1', '2', '3'].map((id) => receipt(id));
    await Promise.all(some);
    expect(answers).toEqual([status.ESME_ROK, status.ESME_RMSGQFUL, status.ESME_ROK]);
  });

  it('each receipt without an id is kept, and a text that only its mark calls a receipt is a text', async () => {
    await comes('deliver_sm', 4, 'stat:UNDELIV err:001');
    await comes('deliver_sm', 4, 'stat:UNDELIV err:002');
    await comes('deliver_sm', 4, 'STOP');
    expect(stored.receipts.flat().map(({ raw, idKeys }) => [raw, idKeys])).toEqual([
      ['stat:UNDELIV err:001', []],
      ['stat:UNDELIV err:002', []],
    ]);
    expect(new Set(stored.receipts.flat().map(({ carrierMessageId }) => carrierMessageId)).size).toBe(2);
    expect(stored.inbound).toMatchObject([[{ text: 'STOP' }]]);
  });
});

describe('receipts that keep coming', () => {
  const spread = async (count: number) => {
    for (let nth = 0; nth < count; nth += 1) {
      await receipt(String(nth));
      clock.pass(1);
      await quiet();
    }
  };

  it('are stored together, and each is answered then', async () => {
    await spread(1_500);
    clock.pass(10);
    await quiet();
    const sizes = stored.receipts.map(({ length }) => length);
    expect(sizes.slice(0, 63)).toEqual(Array.from({ length: 63 }, () => 1));
    expect(sizes.slice(-11, -1)).toEqual(Array.from({ length: 10 }, () => 10));
    expect(answers).toHaveLength(1_500);
    await comes('deliver_sm', 0, 'A text does not wait.');
    expect(stored.inbound).toHaveLength(1);
  });
});

describe('a receipt that may be of two messages', () => {
  const hexIds = Array.from({ length: 40 }, (_, i) => (i + 1).toString(16));

  beforeEach(() => {
    for (const id of hexIds) rules.ids.answered(id, '12025550100');
  });

  it('is taken and kept as that of none, until others show how the carrier writes', async () => {
    await receipt('16');
    expect(answers).toEqual([status.ESME_ROK]);
    expect(stored.receipts).toMatchObject([[{ carrierMessageId: '16', idKeys: [], to: null }]]);
    for (const id of ['30', '31', '32', '33']) await receipt(id);
    expect(receiptKeys()).toEqual([null, '1e', '1f', '20', '21', '10']);
    expect(stored.receipts.at(-1)).toMatchObject([{ carrierMessageId: '16', to: '12025550100', state: 'delivered' }]);
    await receipt('16');
    expect(receiptKeys().at(-1)).toBe('10');
    expect(stored.receipts).toHaveLength(7);
  });

  it('is reported again when the store failed during the report', async () => {
    await receipt('16');
    for (const id of ['30', '31', '32']) await receipt(id);
    fault = new Error('disk full');
    await receipt('33');
    fault = null;
    await receipt('33');
    expect(receiptKeys()).toEqual([null, '1e', '1f', '20', '21', '10']);
  });
});
