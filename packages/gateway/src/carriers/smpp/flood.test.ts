/**
 * A message centre that floods us over a real connection: answers to nothing, and texts and receipts without a window.
 * The rest of the gateway keeps its turns, no queue grows without bound, the log stays short, and nothing is
 * acknowledged before it is stored.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { decodePdu, encodePdu, Framer, status } from '@heliograph/smpp';
import { afterEach, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { type MovedClock, movedClock, quiet, until } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Carrier } from '../carrier.ts';
import { loadAdapters, recordingSink } from '../carrier-fixture.ts';
import { smppRecord } from './smpp-fixture.ts';

const openCarrier = await loadAdapters();

/** PDUs handled in one turn of the event loop. */
const share = 128;
/** Requests that may wait for the store at once, plus those of the turn in which this limit is reached. */
const waitingMax = 1_000 + share;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Written = { command: 'submit_sm_resp' | 'deliver_sm'; sequence_number: number } & Record<string, unknown>;
const strangers = (n: number): Written => ({ command: 'submit_sm_resp', sequence_number: 1_000_000 + n });
const text = (n: number): Written => ({
  command: 'deliver_sm',
  sequence_number: n,
  source_addr: '12025550100',
  destination_addr: '12025550199',
  short_message: Buffer.from(`text ${n}`),
});
const receipt = (n: number): Written => ({
  ...text(n),
  esm_class: 4,
  short_message: Buffer.from(`id:x${n} stat:DELIVRD err:000`),
});

/** Accepts every bind, then writes as fast as the connection allows until `stop`. It parses our answers itself. */
async function floodingCentre(pduOf: (n: number) => Written) {
  const centre = { written: 0, answers: new Map<number, number>(), stop: () => {}, go: () => {} };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const framer = new Framer();
    let isFlooding = false;
    const flood = () => {
      while (isFlooding && !socket.writableNeedDrain) {
        const pdus = Array.from({ length: 500 }, () => encodePdu(pduOf(++centre.written) as never) as Buffer);
        socket.write(Buffer.concat(pdus));
      }
    };
    socket.on('drain', flood);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      framer.push(chunk);
      while (framer.next() === 'framed') {
        const pdu = decodePdu(framer.bytes, framer.start, framer.end);
        const { sequence_number } = pdu;
        if (pdu.command === 'bind_transceiver') {
          socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence_number, system_id: 'X' }) as Buffer);
        } else if (pdu.command === 'deliver_sm_resp') centre.answers.set(sequence_number, pdu.command_status);
      }
    });
    centre.go = () => {
      isFlooding = true;
      flood();
    };
    centre.stop = () => {
      isFlooding = false;
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { centre, port: (server.address() as { port: number }).port };
}

async function start(pduOf: (n: number) => Written) {
  const { centre, port } = await floodingCentre(pduOf);
  const clock = movedClock();
  const lines: string[] = [];
  const write = (fields: object, message = '') => lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger = { ...silentLogger, info: write, warn: write, error: write };
  const sink = recordingSink();
  const carrier = openCarrier(smppRecord(port), { clock, random: steadyRandom(), logger });
  carrier.start(sink);
  cleanups.push(() => stopped(carrier, clock));
  await until(() => carrier.status().up);
  return { centre, clock, lines, sink, carrier };
}

async function stopped(carrier: Carrier, clock: MovedClock): Promise<void> {
  const done = carrier.stop(0);
  for (let i = 0; i < 5; i++) {
    await quiet();
    clock.pass(5_000);
  }
  await done;
}

/** Stands in for the API: another server in this process, called over its own connection. */
async function otherServer() {
  const server = createHttpServer((_, answer) => answer.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as { port: number };
  return async () => (await fetch(`http://127.0.0.1:${port}`)).text();
}

/** Counts turns of the event loop until stopped. */
function countTurns() {
  let turns = 0;
  let goesOn = true;
  const next = () => {
    turns++;
    if (goesOn) setImmediate(next);
  };
  setImmediate(next);
  return () => {
    goesOn = false;
    return turns;
  };
}

it('answers to nothing take a bounded share of each turn, and one line an interval', async () => {
  const { centre, clock, lines, carrier } = await start(strangers);
  const errors = () => carrier.status().binds[0]!.protocolErrors ?? 0;
  const ask = await otherServer();
  const turns = countTurns();
  centre.go();
  for (let i = 0; i < 50; i++) expect(await ask()).toBe('here');
  await until(() => errors() >= 20_000);
  expect(await ask()).toBe('here');
  expect(errors()).toBeLessThanOrEqual((turns() + 1) * share);
  expect(lines).toEqual([expect.stringMatching(/^the carrier broke the protocol .*unexpected_response/)]);
  clock.pass(60_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/"more":\d{5,}/);
  centre.stop();
});

it.each([
  ['texts', text, 16, 16],
  ['receipts', receipt, 128, 64],
] as const)('%s wait with the carrier, and none is acknowledged before it is stored', async (...row) => {
  const [, pduOf, batchMax, floodedMax] = row;
  const { centre, clock, lines, sink } = await start(pduOf);
  const stores: PromiseWithResolvers<void>[] = [];
  sink.storing = () => {
    stores.push(Promise.withResolvers());
    return stores.at(-1)!.promise;
  };
  const handed = () => [...sink.inboundBatches, ...sink.receiptBatches];
  const ask = await otherServer();
  centre.go();
  await until(() => stores.length > 0);
  for (let i = 0; i < 50; i++) expect(await ask()).toBe('here');
  await quiet(500);
  // One batch at a time; later arrivals wait, most of them in the sockets.
  expect(handed()).toHaveLength(1);
  expect(centre.answers.size).toBe(0);
  centre.stop();
  let acknowledged = 0;
  while (acknowledged < 3_000) {
    await until(() => stores.length > 0);
    const batch = handed().at(-1)!;
    expect(batch.length).toBeLessThanOrEqual(batchMax);
    expect(centre.answers.size).toBe(acknowledged);
    stores.shift()!.resolve();
    acknowledged += batch.length;
    await until(() => centre.answers.size === acknowledged);
    clock.pass(1_000);
  }
  expect(new Set(centre.answers.values())).toEqual(new Set([status.ESME_ROK]));
  // By now too many wait, and each batch is smaller.
  expect(handed()[1]).toHaveLength(floodedMax);
  expect([...centre.answers.keys()]).toEqual(Array.from({ length: acknowledged }, (_, i) => i + 1));
  expect(lines).toEqual([]);
  sink.storing = async () => {};
  for (const store of stores) store.resolve();
});

it.each([
  ['texts', text],
  ['receipts', receipt],
] as const)('of %s only so many are taken as may wait for the store', async (_, pduOf) => {
  const { centre, sink, carrier } = await start(pduOf);
  sink.storing = () => new Promise(() => {});
  const wire = carrier.log!;
  wire.keep(Number.MAX_SAFE_INTEGER);
  const taken = () => wire.entries().filter(({ command }) => command === 'deliver_sm').length;
  centre.go();
  await until(() => taken() >= 1_000);
  await quiet(1_000);
  expect(taken()).toBeLessThanOrEqual(waitingMax);
  expect(wire.entries().some(({ command }) => command === 'deliver_sm_resp')).toBe(false);
  expect(centre.written).toBeGreaterThan(waitingMax);
  centre.stop();
});
