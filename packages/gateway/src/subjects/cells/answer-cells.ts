/** Answers what other cells ask: from the records and the store of this one. */

import { type Answer, cellPaths, type Exchange, rejection, retryAfter } from '../../http/exchange.ts';
import { readBody } from '../../http/input.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Receiver } from '../../messaging/receive/receive.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { type MmsJson, mmsFromJson, type PartJson, partFromJson } from './cell-json.ts';
import type { PairHashes } from './pair-finder.ts';
import type { RateLending } from './rate-lending.ts';

export interface CellAnswersParts {
  clock: Clock;
  logger: Logger;
  /** Of this cell. */
  name: string;
  directory(): Directory;
  /** Stores in this cell, even where another one may have it too. */
  receiver: Receiver;
  store: Pick<MessageStore, 'lookUpReceipts' | 'earlyReceipts'>;
  lending: Pick<RateLending, 'lend'>;
  /** Receipts for messages of this cell that came to another one. */
  reported(receipts: readonly Receipt[]): void;
}

/** One request: a multimedia message with its media as base64. */
const bytesMax = 80 * 1_024 * 1_024;
const retrySeconds = 1;

export function createCellAnswers(parts: CellAnswersParts): (exchange: Exchange) => void {
  const { directory, store, receiver } = parts;

  /** By path; each answers the fields that the other cell reads. */
  const calls: Readonly<Record<string, (params: never, fromCell: string) => object | Promise<object>>> = {
    state: () => ({ cell: parts.name }),
    pairs: ({ pairs }: { pairs: PairHashes[] }) => ({
      known: pairs.map(({ bearerHash, authHash }) => directory().keyByBearerHash(bearerHash)?.authHash === authHash),
    }),
    numbers: ({ numbers }: { numbers: string[] }) => ({
      has: numbers.map((number) => directory().number(number) !== undefined),
    }),
    'receipts/look-up': async ({ receipts }: { receipts: Receipt[] }) => {
      const standings = await store.lookUpReceipts(receipts);
      parts.reported(receipts.filter((_, place) => standings[place] === 'known'));
      return { standings };
    },
    'receipts/keep': async ({ receipts, isOnly }: { receipts: Receipt[]; isOnly: boolean }) => {
      if (isOnly) await receiver.receipts(receipts);
      else await store.earlyReceipts(receipts);
      parts.reported(receipts);
      return {};
    },
    'rate/borrow': ({ carrier, wanted }: { carrier: string; wanted: number }, fromCell) =>
      parts.lending.lend(fromCell, carrier, wanted),
    inbound: async ({ parts: inbound }: { parts: PartJson[] }) => {
      await receiver.inbound(inbound.map(partFromJson));
      return {};
    },
    'inbound-mms': async ({ message }: { message: MmsJson }) => {
      await receiver.inboundMms(mmsFromJson(message));
      return {};
    },
  };

  async function answer(exchange: Exchange, bytes: Buffer): Promise<Answer> {
    const name = exchange.path.slice(cellPaths.length);
    if (!Object.hasOwn(calls, name)) return unknownCall;
    const call = calls[name]!;
    try {
      const params = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
      return {
        status: 200,
        reason: 'SUCCESS',
        body: JSON.stringify(await call(params as never, exchange.connection.fromCell!)),
      };
    } catch (err) {
      parts.logger.warn(
        { err, path: exchange.path, fromCell: exchange.connection.fromCell },
        'another cell got no answer',
      );
      return notDone;
    }
  }

  return (exchange) => {
    readBody(exchange.request, { clock: parts.clock, bytesMax }, (result) => {
      if (result.kind !== 'read') exchange.send(tooLarge);
      else void answer(exchange, result.bytes).then((answered) => exchange.send(answered));
    });
  };
}

/** A gateway of a later version may ask what this one does not know. */
const unknownCall = rejection('NOT_FOUND', 'Cells do not ask this. Do the gateways have the same version?');
const tooLarge = rejection('BODY_TOO_LARGE', `A request of a cell has at most ${bytesMax} bytes.`, { abandon: true });
const notDone = rejection('TEMPORARILY_UNAVAILABLE', 'This cell could not do it. Nothing was acknowledged.', {
  headers: retryAfter(retrySeconds),
});
