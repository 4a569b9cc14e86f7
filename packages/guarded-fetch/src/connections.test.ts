import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../../test/props/clock.ts';
import { systemClock } from './clock.ts';
import { createConnections } from './connections.ts';
import { clientOver } from './http-client.ts';
import { httpServer, webhookCaps } from './net-fixture.ts';
import { roundTrip } from './round-trip.ts';

const limits = { ageMs: 30_000, idleMs: 30_000, idleMax: 10 };
const request = { method: 'GET', path: '/', headers: {}, body: null, skipRedirectBody: false } as const;

async function connected() {
  const { port } = await httpServer((_request, response) => response.end());
  const connections = createConnections(systemClock, limits);
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const connection = connections.open('key', clientOver(socket, `http://127.0.0.1:${port}`, limits.idleMs), socket);
  const ask = () => roundTrip(connection, request, webhookCaps, systemClock, new AbortController().signal);
  return { connections, connection, socket, ask };
}

it('a closed free connection is dropped', async () => {
  const { connections, connection, socket, ask } = await connected();
  expect(await ask()).toMatchObject({ kind: 'answered', ended: true });
  connections.give(connection);
  expect(connections.idle).toBe(1);
  socket.destroy();
  await until(() => connections.idle === 0);
  expect(connections.take('key')).toBeNull();
});

it('a connection that is already closed fails its request, and nothing was sent', async () => {
  const { socket, ask } = await connected();
  socket.destroy();
  expect(await ask()).toEqual({ kind: 'failed', why: 'reset', sent: false });
});
