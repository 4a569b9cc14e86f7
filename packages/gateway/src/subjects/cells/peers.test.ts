/** Which gateway of a cell gets a request, and when none does: links that answer as a script says, and a clock that is moved. */
import { expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { CellAway, type CellRequest } from '../../http/forward.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { createPeers } from './peers.ts';

const request = { method: 'POST', target: '/SendSMS', headers: [], body: Buffer.alloc(0), signal: null };
const gone = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const late = Object.assign(new Error('late'), { code: 'UND_ERR_CONNECT_TIMEOUT' });

type Fate = 'answers' | 'gone' | 'late' | 'lost';

function openPeers(fates: Record<string, Fate>) {
  const clock = settlingClock(0);
  const sent: string[] = [];
  const peers = createPeers({
    clock,
    logger: silentLogger,
    settings: {
      name: 'a',
      cells: new Map([
        ['a', ['a1']],
        ['b', Object.keys(fates)],
      ]),
    },
    link: ({ cell, address }) => ({
      address,
      close: async () => {},
      send: async ({ method }: CellRequest) => {
        if (method === 'POST') sent.push(address);
        const fate = fates[address]!;
        if (fate === 'answers') return { status: 200, headers: [], body: Buffer.from(address) };
        const cause = fate === 'gone' ? gone : late;
        throw new CellAway(cell, { wasSent: fate === 'lost' }, { cause });
      },
    }),
  });
  const send = () =>
    peers.send('b', request, 1_000).then(
      ({ body }) => body.toString(),
      (error: CellAway) => (error.wasSent ? 'in doubt' : 'not sent'),
    );
  return { peers, send, sent, fates, clock };
}

it('sends by the gateways of a cell in turn, and by another one where nobody was there', async () => {
  const { peers, send, fates } = openPeers({ b1: 'answers', b2: 'answers' });
  expect(peers.names).toEqual(['b']);
  expect([await send(), await send(), await send()].sort()).toEqual(['b1', 'b1', 'b2']);
  fates.b1 = 'gone';
  expect(new Set([await send(), await send(), await send()])).toEqual(new Set(['b2']));
  expect(peers.isUp('b')).toBe(true);
});

it('sends to all gateways of a cell at once, and hands back the answers that came', async () => {
  const { peers, sent } = openPeers({ b1: 'answers', b2: 'lost', b3: 'answers' });
  const answers = await peers.sendToAll('b', request, 1_000);
  expect(answers.map(({ body }) => body.toString()).sort()).toEqual(['b1', 'b3']);
  expect(sent.toSorted()).toEqual(['b1', 'b2', 'b3']);
});

it('sends to no second one what may have been taken', async () => {
  const { send, sent } = openPeers({ b1: 'lost', b2: 'lost' });
  expect(await send()).toBe('in doubt');
  expect(sent).toHaveLength(1);
});

it('takes nobody there for down at once, and one that is late only when it stays so', async () => {
  const { peers, send, sent, fates } = openPeers({ b1: 'gone' });
  expect(await send()).toBe('not sent');
  expect(peers.isUp('b')).toBe(false);
  sent.length = 0;
  expect(await send()).toBe('not sent');
  expect(sent).toEqual([]);
  const other = openPeers({ b1: 'late' });
  expect([await other.send(), await other.send()]).toEqual(['not sent', 'not sent']);
  expect(other.peers.isUp('b')).toBe(true);
  other.fates.b1 = 'answers';
  expect(await other.send()).toBe('b1');
  other.fates.b1 = 'late';
  expect([await other.send(), await other.send(), other.peers.isUp('b')]).toEqual(['not sent', 'not sent', true]);
  expect([await other.send(), other.peers.isUp('b')]).toEqual(['not sent', false]);
  expect(fates.b1).toBe('gone');
});

it('looks once a second, and uses one again that answers', async () => {
  const { peers, send, fates, clock } = openPeers({ b1: 'gone' });
  await send();
  fates.b1 = 'answers';
  expect(await send()).toBe('not sent');
  peers.start();
  await clock.pass(0);
  expect([peers.isUp('b'), await send()]).toEqual([true, 'b1']);
  fates.b1 = 'gone';
  await clock.pass(999);
  expect(peers.isUp('b')).toBe(true);
  await clock.pass(1);
  expect(peers.isUp('b')).toBe(false);
  await peers.stop();
  expect(clock.timers()).toBe(0);
});
