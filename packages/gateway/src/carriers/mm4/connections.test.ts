/** How many connections our MM4 port holds, and how long it keeps a silent one, over real sockets. */
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { quiet, until } from '../../../../../test/props/clock.ts';
import { type Mm4Scene, mm4Scene } from './mm4-fixture.ts';

let scene: Mm4Scene | null = null;
afterEach(async () => {
  await scene?.close();
  scene = null;
});

async function started(): Promise<Mm4Scene> {
  scene = await mm4Scene({ connections: 1 });
  const { carrier, sink } = scene;
  carrier.start(sink);
  await until(() => carrier.status().up && carrier.status().listening != null);
  return scene;
}

/** Opens connections that send these lines and stay open. */
function talker(carrier: Mm4Scene['carrier']) {
  return async (...pieces: string[]) => {
    const socket = connect({ port: carrier.status().listening!.port, host: '127.0.0.1' });
    let isOpen = true;
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      isOpen = false;
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    const codes = () => [...text.matchAll(/^(\d{3}) .*\r\n/gm)].map(([, code]) => Number(code));
    await until(() => codes().length > 0);
    for (const [i, piece] of pieces.entries()) {
      socket.write(piece);
      await until(() => codes().length > i + 1);
    }
    return { isOpen: () => isOpen, lastCode: () => codes().at(-1), end: () => socket.end() };
  };
}

describe('connections', () => {
  it('on which no mail begins are closed after a minute; others stay', async () => {
    const { carrier, clock } = await started();
    const openTalk = talker(carrier);
    const silent = await openTalk();
    const slow = await openTalk('EHLO x.example\r\n');
    const sender = await openTalk('EHLO x.example\r\n', 'MAIL FROM:<a@peer.example>\r\n');
    clock.pass(59_999);
    await quiet();
    expect([silent, slow, sender].map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
    clock.pass(1);
    await until(() => !silent.isOpen() && !slow.isOpen());
    expect([silent.lastCode(), slow.lastCode(), sender.isOpen()]).toEqual([421, 421, true]);
  });

  it('of one address are twenty at most, and a place comes free with each that ends', async () => {
    const { carrier } = await started();
    const openTalk = talker(carrier);
    const all: Awaited<ReturnType<typeof openTalk>>[] = [];
    for (let i = 0; i < 20; i++) all.push(await openTalk());
    const tooMany = await openTalk();
    expect(tooMany.lastCode()).toBe(421);
    await until(() => !tooMany.isOpen());
    all[0]!.end();
    await until(() => !all[0]!.isOpen());
    await quiet();
    expect((await openTalk()).lastCode()).toBe(220);
  });
});
