/** Asks other cells: who has a pair of credentials, a message, a number; and hands them what is theirs. */

import { cellPaths } from '../../http/exchange.ts';
import { CellAway, type CellRequest, type OtherCells as ForwardingCells } from '../../http/forward.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OtherCells as CellsOfCarriers } from '../../messaging/receive/other-cells.ts';
import type { ReceiptStatus } from '../../messaging/store/operations/foreign-receipts.ts';
import { mmsToJson, partToJson } from './cell-json.ts';
import { createPairFinder } from './pair-finder.ts';
import type { Peers } from './peers.ts';
import type { RateLoan } from './rate-share.ts';

/** A carrier waits for these; it repeats what is not acknowledged in time. */
const carrierAnswerMs = 5_000;
const pairAnswerMs = 2_000;
const mmsAnswerMs = 30_000;
const rateAnswerMs = 1_000;
/** A list may wait for half a minute for something new. */
const forwardedAnswerMs = 60_000;

export interface CellAsker {
  readonly forwarding: ForwardingCells;
  readonly carriers: CellsOfCarriers;
  /** What that cell lends of a carrier's rate: one of its gateways sends over the carrier, and only that one lends. */
  borrowRate(cell: string, carrier: string, wanted: number): Promise<RateLoan>;
}

export type ForwardResult = 'answered' | 'not_reached' | 'lost';

export function createCellAsker(parts: {
  clock: Pick<Clock, 'monotonicMs'>;
  peers: Pick<Peers, 'names' | 'send' | 'sendToAll'>;
  /** Counts forwarded requests. */
  forwarded(cell: string, result: ForwardResult): void;
}): CellAsker {
  const { peers } = parts;

  const requestOf = (path: string, params: object): CellRequest => ({
    method: 'POST',
    target: `${cellPaths}${path}`,
    headers: ['content-type', 'application/json', 'host', 'cell'],
    body: Buffer.from(JSON.stringify(params)),
    signal: null,
  });

  async function call<T>(cell: string, path: string, params: object, answerMs = carrierAnswerMs): Promise<T> {
    const { status, body } = await peers.send(cell, requestOf(path, params), answerMs);
    if (status !== 200) throw new CellAway(cell, { wasSent: true }, { cause: new Error(`it answered ${status}`) });
    return JSON.parse(body.toString('utf8')) as T;
  }

  const finder = createPairFinder({
    ...parts,
    names: peers.names,
    ask: async (cell, pairs) => (await call<{ known: boolean[] }>(cell, 'pairs', { pairs }, pairAnswerMs)).known,
  });

  return {
    forwarding: {
      find: ({ bearerHash, authHash }) => finder.find({ bearerHash, authHash }),
      forget: finder.forget,
      forward: async (cell, request) => {
        try {
          const answer = await peers.send(cell, request, forwardedAnswerMs);
          parts.forwarded(cell, 'answered');
          return answer;
        } catch (error) {
          parts.forwarded(cell, error instanceof CellAway && !error.wasSent ? 'not_reached' : 'lost');
          throw error;
        }
      },
    },
    carriers: {
      names: peers.names,
      lookUpReceipts: async (cell, receipts) =>
        (await call<{ standings: ReceiptStatus[] }>(cell, 'receipts/look-up', { receipts })).standings,
      keepReceipts: (cell, receipts, isOnly) => call(cell, 'receipts/keep', { receipts, isOnly }),
      hasNumbers: async (cell, numbers) => (await call<{ has: boolean[] }>(cell, 'numbers', { numbers })).has,
      inbound: (cell, inbound) => call(cell, 'inbound', { parts: inbound.map(partToJson) }),
      inboundMms: (cell, message) => call(cell, 'inbound-mms', { message: mmsToJson(message) }, mmsAnswerMs),
    },
    borrowRate: async (cell, carrier, wanted) => {
      const answers = await peers.sendToAll(cell, requestOf('rate/borrow', { carrier, wanted }), rateAnswerMs);
      const loans = answers.flatMap(({ status, body }) =>
        // A gateway of an earlier version lends nothing.
        status === 200 ? [JSON.parse(body.toString('utf8')) as RateLoan] : [],
      );
      return loans.find(({ perSecond }) => perSecond > 0) ?? { perSecond: 0, leaseMs: 0 };
    },
  };
}
