/**
 * Which cell gets the receipts and replies that arrive here: each cell is a set of what it has, and some do not answer.
 */
import { describe, expect, it } from 'vitest';
import { SomeNotStored } from '../../carriers/carrier.ts';
import type { InboundMms, InboundPart, Receipt } from '../../model/delivery.ts';
import { directoryOf, number } from '../../model/world-fixture.ts';
import type { ReceiptStatus } from '../store/operations/foreign-receipts.ts';
import { acrossCells, type ReceiptOwner } from './other-cells.ts';

/** What a cell has: ids of recorded messages, handsets of those being handed over, numbers. */
interface Has {
  ids?: string[];
  handsets?: string[];
  numbers?: string[];
  isSilent?: boolean;
}

const receiptOf = (carrierMessageId: string, to: string | null = '15550100'): Receipt => ({
  carrier: 'c1',
  carrierMessageId,
  idKeys: [carrierMessageId],
  to,
  state: 'delivered',
  code: 'DELIVERED',
  carrierCode: null,
  raw: '',
  receivedAt: 1,
});

const part = (to: string, more: Partial<InboundPart> = {}): InboundPart => ({
  carrier: 'c1',
  from: '15550100',
  to,
  text: 'Hi',
  octets: null,
  encoding: 'GSM-7',
  concat: null,
  receivedAt: 1,
  ...more,
});

/** Cell `a` receives; `done` lists what was stored in which cell. */
function openCells({ a = {}, ...cells }: Record<string, Has>) {
  const done: string[] = [];
  const counted: ReceiptOwner[] = [];
  const names = Object.keys(cells);
  const look = (has: Has, receipts: readonly Receipt[]): ReceiptStatus[] =>
    receipts.map(({ carrierMessageId: id, to }) => {
      if (has.ids?.includes(id)) return 'known';
      return to === null || has.handsets?.includes(to) ? 'expected' : 'unknown';
    });
  const of = (cell: string): Has => {
    if (cells[cell]!.isSilent === true) throw new Error(`${cell} is silent`);
    return cells[cell]!;
  };
  const store = (what: string) => async (list: readonly (Receipt | InboundPart)[]) => {
    done.push(...list.map((one) => `${what} ${'raw' in one ? one.carrierMessageId : one.to}`));
  };
  const receiver = acrossCells({
    own: {
      receipts: store('a receipts'),
      inbound: store('a inbound'),
      inboundMms: async ({ to }) => void done.push(`a mms ${to}`),
    },
    store: {
      lookUpReceipts: async (receipts) => look(a, receipts),
      earlyReceipts: store('a early'),
    },
    directory: () => directoryOf({ numbers: (a.numbers ?? []).map((digits) => number(digits)) }),
    count: (place) => void counted.push(place),
    others: {
      names,
      lookUpReceipts: async (cell, receipts) => look(of(cell), receipts),
      keepReceipts: async (cell, receipts, isOnly) => {
        of(cell);
        await store(`${cell} ${isOnly ? 'receipts' : 'early'}`)(receipts);
      },
      hasNumbers: async (cell, numbers) => numbers.map((one) => of(cell).numbers?.includes(one) === true),
      inbound: async (cell, parts) => {
        of(cell);
        await store(`${cell} inbound`)(parts);
      },
      inboundMms: async (cell, { to, participants }) => void done.push(`${cell} mms ${to} of ${participants}`),
    },
  });
  return { receiver, done, counted, cells };
}

/** The indices that were not stored; null = all were. */
async function missing(promise: Promise<void>): Promise<number[] | null> {
  try {
    await promise;
    return null;
  } catch (error) {
    if (!(error instanceof SomeNotStored)) throw error;
    return [...error.places].sort();
  }
}

describe('receipts', () => {
  it('on record here ask nobody, though all others are silent', async () => {
    const { receiver, done, counted } = openCells({ a: { ids: ['1'] }, b: { isSilent: true } });
    expect(await missing(receiver.receipts([receiptOf('1')]))).toBeNull();
    expect([done, counted]).toEqual([[], []]);
  });

  it('on record elsewhere are stored there; what nobody knows is kept here', async () => {
    const { receiver, done, counted } = openCells({ a: {}, b: { ids: ['1'] }, c: {} });
    expect(await missing(receiver.receipts([receiptOf('1'), receiptOf('2')]))).toBeNull();
    expect(done).toEqual(['a receipts 2']);
    expect(counted).toEqual(['known', 'nobody']);
  });

  it('that a cell expects are kept there, in the way of several where several do', async () => {
    const { receiver, done } = openCells({ a: { handsets: ['1', '3'] }, b: { handsets: ['2', '3'] }, c: {} });
    const receipts = ['1', '2', '3'].map((to) => receiptOf(`to ${to}`, to));
    expect(await missing(receiver.receipts(receipts))).toBeNull();
    expect(done.sort()).toEqual(['a early to 3', 'a receipts to 1', 'b early to 3', 'b receipts to 2']);
  });

  it('without a handset are kept everywhere, as no cell knows', async () => {
    const { receiver, done } = openCells({ a: {}, b: {} });
    expect(await missing(receiver.receipts([receiptOf('1', null)]))).toBeNull();
    expect(done.sort()).toEqual(['a early 1', 'b early 1']);
  });

  it('are not acknowledged while a cell is silent that may have them; others of the batch are', async () => {
    const { receiver, done, counted, cells } = openCells({
      a: { ids: ['1'] },
      b: { isSilent: true },
      c: { ids: ['3'] },
    });
    const batch = ['1', '2', '3'].map((id) => receiptOf(id));
    expect(await missing(receiver.receipts(batch))).toEqual([1]);
    expect(done).toEqual([]);
    expect(counted).toEqual(['silent', 'known']);
    cells.b!.isSilent = false;
    expect(await missing(receiver.receipts(batch))).toBeNull();
    expect(done).toEqual(['a receipts 2']);
  });

  it('are not acknowledged when the cell that expects them cannot keep them', async () => {
    const { receiver, cells, done } = openCells({ a: {}, b: { handsets: ['15550100'] } });
    let looks = 0;
    Object.defineProperty(cells.b, 'isSilent', { get: () => ++looks > 1 });
    expect(await missing(receiver.receipts([receiptOf('1')]))).toEqual([0]);
    expect(done).toEqual([]);
  });
});

describe('replies', () => {
  it('go to the cell that has the number; one that nobody has stays here', async () => {
    const { receiver, done } = openCells({ a: { numbers: ['1'] }, b: { numbers: ['2'] }, c: { numbers: ['3'] } });
    expect(await missing(receiver.inbound(['1', '2', '3', '4', '2'].map((to) => part(to))))).toBeNull();
    expect(done.sort()).toEqual(['a inbound 1', 'a inbound 4', 'b inbound 2', 'b inbound 2', 'c inbound 3']);
  });

  it('to a number of another cell wait while one is silent that may have it', async () => {
    const { receiver, done } = openCells({ a: { numbers: ['1'] }, b: { isSilent: true }, c: { numbers: ['3'] } });
    expect(await missing(receiver.inbound(['1', '2', '3'].map((to) => part(to))))).toEqual([1]);
    expect(done.sort()).toEqual(['a inbound 1', 'c inbound 3']);
  });

  it('that are receipts of another cell are no replies', async () => {
    const { receiver, done } = openCells({ a: { numbers: ['1'] }, b: { ids: ['77'] } });
    const texts = ['77', '88'].map((id) => part('1', { perhaps: receiptOf(id), text: id }));
    expect(await missing(receiver.inbound(texts))).toBeNull();
    expect(done).toEqual(['a inbound 1']);
  });

  it('with pictures go to each cell that has one of the recipients, and all see the whole group', async () => {
    const { receiver, done } = openCells({ a: { numbers: ['1'] }, b: { numbers: ['2'] }, c: {} });
    const mms: InboundMms = {
      ...{ carrier: 'm1', peerMessageId: 'x', from: '15550100', to: ['1', '2'], subject: '', text: 'Hi' },
      ...{ media: [], receivedAt: 1 },
    };
    await receiver.inboundMms(mms);
    expect(done).toEqual(['b mms 2 of 1,2', 'a mms 1,2']);
    done.length = 0;
    await receiver.inboundMms({ ...mms, to: ['2'] });
    await receiver.inboundMms({ ...mms, to: ['9'] });
    expect(done).toEqual(['b mms 2 of 2', 'a mms 9']);
  });
});
