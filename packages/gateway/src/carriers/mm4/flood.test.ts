/**
 * A peer that floods us over MM4 on many connections: the rest of this process keeps its turns, and the store gets a
 * few mails at a time. Counts turns of the event loop and calls, never time.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { quiet, until } from '../../../../../test/props/clock.ts';
import { forwardReq, type Mm4Scene, mm4Bytes, mm4Scene } from './mm4-fixture.ts';
import { mailPieces, stuffed } from './peer-fixture.ts';

const commandsPerTurn = 128;
const mailsAtOnceMax = 4;
const connections = 10;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

async function started(): Promise<Mm4Scene> {
  const scene = await mm4Scene({ connections: 1 });
  cleanups.push(scene.close);
  scene.carrier.start(scene.sink);
  await until(() => scene.carrier.status().listening != null);
  return scene;
}

/** A connection that has sent EHLO; `count` is the number of `250 …` replies since. */
async function greeted({ carrier }: Mm4Scene): Promise<{ socket: Socket; count(): number }> {
  const socket = connect(carrier.status().listening!.port, '127.0.0.1');
  cleanups.unshift(() => socket.destroy());
  let replies = 0;
  let rest = '';
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\r\n');
    rest = lines.pop()!;
    replies += lines.filter((line) => /^(?:220|250) /.test(line)).length;
  });
  await until(() => replies === 1);
  socket.write('EHLO peer.example\r\n');
  await until(() => replies === 2);
  return { socket, count: () => replies - 2 };
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

/** The most bytes that a Node socket and the library's parser buffer for a connection. */
const heldBytesMax = 256 * 1_024;

it('commands of all connections together take a bounded share of each turn, each its part; the rest is not read', async () => {
  const scene = await started();
  const ours: Socket[] = [];
  const note = (message: unknown): void => void ours.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  cleanups.push(() => unsubscribe('net.server.socket', note));
  const peers = await Promise.all(Array.from({ length: connections }, () => greeted(scene)));
  const handled = () => peers.reduce((sum, { count }) => sum + count(), 0);
  const noop = 'NOOP\r\n';
  let goesOn = true;
  const turns = countTurns();
  for (const { socket } of peers) {
    const flood = () => {
      while (goesOn && socket.write(noop.repeat(1_000)));
    };
    socket.on('drain', flood);
    flood();
  }
  await until(() => handled() >= 100_000);
  const most = (turns() + 1) * commandsPerTurn;
  expect(handled()).toBeLessThanOrEqual(most);
  expect(Math.min(...peers.map(({ count }) => count()))).toBeGreaterThan(handled() / connections / 4);
  const { port } = scene.carrier.status().listening!;
  const accepted = ours.filter(({ localPort }) => localPort === port);
  expect(accepted).toHaveLength(connections);
  const read = accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  expect(read - handled() * noop.length).toBeLessThan(connections * heldBytesMax);
  goesOn = false;
});

it('mails go to the store a few at a time; the others wait, and none is taken before it is stored', async () => {
  const scene = await started();
  const { sink } = scene;
  const stores: PromiseWithResolvers<void>[] = [];
  sink.storing = () => {
    stores.push(Promise.withResolvers());
    return stores.at(-1)!.promise;
  };
  const peers = await Promise.all(Array.from({ length: connections }, () => greeted(scene)));
  const taken = () => peers.filter(({ count }) => count() === 3).length;
  const commands = mailPieces('').slice(1, -1);
  for (const [n, { socket, count }] of peers.entries()) {
    socket.write(commands.map(String).join(''));
    await until(() => count() === 2);
    socket.write(stuffed(mm4Bytes(forwardReq(`flood-${n}`))));
  }
  for (let stored = 0; stored < connections; stored++) {
    const withStore = Math.min(mailsAtOnceMax, connections - stored);
    await until(() => sink.mms.length === stored + withStore);
    await quiet();
    expect(sink.mms).toHaveLength(stored + withStore);
    expect(taken()).toBe(stored);
    stores[stored]!.resolve();
    await until(() => taken() === stored + 1);
  }
  expect(new Set(sink.mms.map(({ peerMessageId }) => peerMessageId)).size).toBe(connections);
});

it('mails that are whole in the same turn are read one a turn', async () => {
  const scene = await started();
  const { sink } = scene;
  const perTurn: number[] = [];
  let reads = 0;
  sink.storing = async () => void reads++;
  const turns = () => {
    perTurn.push(reads);
    reads = 0;
    if (perTurn.length < 2_000) setImmediate(turns);
  };
  const peers = await Promise.all(Array.from({ length: connections }, () => greeted(scene)));
  const commands = mailPieces('').slice(1, -1);
  for (const { socket, count } of peers) {
    socket.write(commands.map(String).join(''));
    await until(() => count() === 2);
  }
  setImmediate(turns);
  for (const [n, { socket }] of peers.entries()) socket.write(stuffed(mm4Bytes(forwardReq(`turn-${n}`))));
  await until(() => peers.every(({ count }) => count() === 3));
  expect(sink.mms).toHaveLength(connections);
  expect(Math.max(...perTurn)).toBe(1);
});
