/** Client and server with each other on loopback: binds, traffic both ways, losses, refusals, garbage. */
import { connect, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { Client, ClientHandlers, ClientMachine, ClientOptions, Failure } from './client-types.ts';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import type { PduOf } from './pdu.ts';
import { createServer } from './server.ts';
import type { Server, ServerHandlers, ServerOptions, ServerSession } from './server-types.ts';
import type { CloseCause, InboundRequest, Outcome } from './session-types.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A promise with its resolvers. */
const signal = <T>() => Promise.withResolvers<T>();

const startServer = async (handlers: Partial<ServerHandlers> = {}, options: Partial<ServerOptions> = {}) => {
  const all: ServerHandlers = {
    authenticate: () => 0,
    onRequest: (request) => request.respond(0, { message_id: 'm1' }),
    ...handlers,
  };
  const server: Server = createServer({ system_id: 'MC', ...options }, all);
  const { port } = await server.listen(0);
  cleanups.push(() => server.close({ drainMs: 100 }));
  return { server, port };
};

const startClient = (
  port: number,
  handlers: ClientHandlers = {},
  options: Partial<ClientOptions> = {},
  machine: ClientMachine = {},
): Client => {
  const client = createClient(
    { host: '127.0.0.1', port, bind: 'transceiver', system_id: 'esme', password: 'secret', ...options },
    handlers,
    machine,
  );
  cleanups.push(() => client.stop({ drainMs: 100 }));
  client.start();
  return client;
};

/** A client that is bound. */
const bind = async (
  port: number,
  handlers: ClientHandlers = {},
  options: Partial<ClientOptions> = {},
  machine: ClientMachine = {},
): Promise<Client> => {
  const bound = signal<void>();
  const client = startClient(port, { ...handlers, onBound: () => bound.resolve() }, options, machine);
  await bound.promise;
  return client;
};

const submit = (client: Client, destination_addr: string): Promise<Outcome> => {
  const settled = signal<Outcome>();
  const sent = client.submit({ destination_addr, short_message: Buffer.from('Hello') }, settled.resolve);
  if (typeof sent !== 'number') throw new Error(JSON.stringify(sent));
  return settled.promise;
};

/** A listener that is not an SMPP server: the test handles its connections. */
const startListener = async (onSocket: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>();
  const listener: NetServer = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return (listener.address() as { port: number }).port;
};

describe('a bound client', () => {
  it('submits and is answered', async () => {
    const seen: InboundRequest[] = [];
    const { port } = await startServer({
      onRequest: (request, session) => {
        seen.push(request);
        request.respond(0, { message_id: `${session.system_id}-1` });
      },
    });
    const client = await bind(port);
    expect(client.state).toBe('bound');
    expect(await submit(client, '15551230000')).toMatchObject({ kind: 'response', pdu: { message_id: 'esme-1' } });
    expect(seen[0]!.pdu).toMatchObject({ command: 'submit_sm', destination_addr: '15551230000' });
  });

  it('keeps thousands in order through a window, each settled once', async () => {
    const { port } = await startServer();
    const client = await bind(port, {}, { window: 50 });
    const settled: number[] = [];
    const done = signal<void>();
    let next = 0;
    const fill = (): void => {
      for (; client.free > 0 && next < 5_000; next++) {
        const number = next;
        client.submit({ destination_addr: String(number) }, (outcome) => {
          expect(outcome.kind).toBe('response');
          settled.push(number);
          if (settled.length === 5_000) done.resolve();
          else fill();
        });
      }
    };
    fill();
    expect(client.submit({}, () => {})).toBe('window_full');
    await done.promise;
    expect(settled).toEqual([...Array(5_000).keys()]);
  });

  it('gets deliver_sm, and answers only through `respond`', async () => {
    const sessions: ServerSession[] = [];
    const { port } = await startServer({ onBound: (session) => sessions.push(session) });
    const arrived = signal<InboundRequest>();
    await bind(port, { onRequest: arrived.resolve });
    const settled = signal<Outcome>();
    sessions[0]!.request('deliver_sm', { source_addr: '1555', short_message: Buffer.from('STOP') }, settled.resolve);
    const request = await arrived.promise;
    expect((request.pdu as PduOf<'deliver_sm'>).short_message.toString()).toBe('STOP');
    expect(sessions[0]!.outstanding).toBe(1);
    expect(request.respond(0x64)).toBe(true);
    expect(await settled.promise).toMatchObject({
      kind: 'response',
      pdu: { command: 'deliver_sm_resp', command_status: 0x64 },
    });
  });

  it('stops in order: drains, unbinds, closes', async () => {
    const held: InboundRequest[] = [];
    const came = signal<void>();
    const ended = signal<CloseCause>();
    const { port, server } = await startServer({
      onRequest: (request) => {
        held.push(request);
        came.resolve();
      },
      onClose: (_, cause) => ended.resolve(cause),
    });
    const client = await bind(port);
    const outcome = submit(client, '1');
    await came.promise;
    const stopped = client.stop({ drainMs: 10_000 });
    expect(client.submit({}, () => {})).toBe('not_bound');
    held[0]!.respond(0, { message_id: 'late' });
    expect(await outcome).toMatchObject({ kind: 'response', pdu: { message_id: 'late' } });
    await stopped;
    expect(client.state).toBe('stopped');
    expect(await ended.promise).toBe('unbound_by_peer');
    expect(server.sessions.size).toBe(0);
  });

  it('unbound by the server, reports the open requests and reconnects', async () => {
    const sessions: ServerSession[] = [];
    const twice = signal<void>();
    const came = signal<void>();
    const { port } = await startServer(
      {
        onBound: (session) => {
          if (sessions.push(session) === 2) twice.resolve();
        },
        onRequest: () => came.resolve(),
      },
      { drainMs: 50 },
    );
    const causes: CloseCause[] = [];
    const client = await bind(
      port,
      { onUnbound: (cause) => causes.push(cause) },
      { reconnect: { startMs: 1 }, drainMs: 50 },
    );
    const outcome = submit(client, '1');
    await came.promise;
    sessions[0]!.unbind();
    expect(await outcome).toMatchObject({ kind: 'uncertain', detail: 'unbound_by_peer' });
    await twice.promise;
    expect(causes).toEqual(['unbound_by_peer']);
  });
});

describe('when the connection is lost', () => {
  it('each open request gets exactly one outcome, and the client reconnects', async () => {
    let binds = 0;
    const back = signal<void>();
    const { port } = await startServer({
      onBound: () => {
        if (++binds === 2) back.resolve();
      },
      onRequest: (_, session) => session.destroy(),
    });
    const order: string[] = [];
    const client = await bind(port, { onUnbound: () => order.push('unbound') }, { reconnect: { startMs: 1 } });
    const outcomes: Outcome[] = [];
    for (let i = 0; i < 10; i++) {
      client.submit({}, (outcome) => {
        outcomes.push(outcome);
        order.push('settled');
      });
    }
    await back.promise;
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(10).fill('uncertain'));
    expect(order).toEqual([...Array(10).fill('settled'), 'unbound']);
    expect(client.outstanding).toBe(0);
  });

  it('requests never given to the socket are reported as not sent', async () => {
    // A peer that binds and then reads nothing: the first write fills the socket, and the rest stays here.
    const peers: Socket[] = [];
    const port = await startListener((socket) => {
      peers.push(socket);
      socket.once('data', (bytes) => {
        const { sequence_number } = decodePdu(bytes as Buffer);
        socket.pause();
        socket.write(
          encodePdu({
            command: 'bind_transceiver_resp',
            sequence_number,
            tlvs: [{ tag: 0x210, value: Buffer.from([0x34]) }],
          }) as Buffer,
        );
      });
    });
    const lost = signal<void>();
    const client = await bind(port, { onUnbound: () => lost.resolve() }, { window: 1_000, tlvs: 'always' });
    const outcomes: string[] = [];
    const payload = { tlvs: [{ tag: 0x424, value: Buffer.alloc(60_000) }] };
    for (let i = 0; i < 400; i++) {
      const sent = client.submit(payload, ({ kind }) => outcomes.push(kind));
      if (sent === 'window_full') break;
      if (i % 10 === 0) await new Promise(setImmediate);
    }
    const taken = client.outstanding;
    peers[0]!.destroy();
    await lost.promise;
    expect(outcomes).toHaveLength(taken);
    const firstUnsent = outcomes.indexOf('not_sent');
    expect(firstUnsent).toBeGreaterThan(0);
    expect(new Set(outcomes.slice(0, firstUnsent))).toEqual(new Set(['uncertain']));
    expect(new Set(outcomes.slice(firstUnsent))).toEqual(new Set(['not_sent']));
  });

  it('requests that may not go any more when their tick ends are not sent, and end the session', async () => {
    const came: string[] = [];
    const { server, port } = await startServer({
      onRequest: (request) => {
        came.push((request.pdu as PduOf<'submit_sm'>).destination_addr);
        request.respond(0, { message_id: 'm1' });
      },
    });
    let may = true;
    const causes: CloseCause[] = [];
    const client = await bind(port, { onUnbound: (cause) => causes.push(cause) }, {}, { maySend: () => may });
    expect(await submit(client, '1')).toMatchObject({ kind: 'response' });
    const outcomes = [submit(client, '2'), submit(client, '3')];
    may = false;
    expect(await Promise.all(outcomes)).toEqual(Array(2).fill({ kind: 'not_sent', detail: 'withheld' }));
    expect(causes).toEqual(['withheld']);
    await expect.poll(() => server.sessions.size).toBe(0);
    expect(came).toEqual(['1']);
  });

  it('answers and enquire_link go, though no request may', async () => {
    const bound = signal<ServerSession>();
    const { port } = await startServer({ onBound: bound.resolve }, { enquireLinkMs: 20, enquireLinkTimeoutMs: 200 });
    const onRequest = (request: InboundRequest) => request.respond(0);
    const client = await bind(port, { onRequest }, { enquireLinkMs: 20 }, { maySend: () => false });
    const answered = signal<Outcome>();
    const session = await bound.promise;
    setTimeout(() => session.request('deliver_sm', {}, answered.resolve), 100);
    expect(await answered.promise).toMatchObject({ kind: 'response', pdu: { command_status: 0 } });
    expect(client.state).toBe('bound');
  });

  it('a peer that never reads makes the client stop accepting requests', async () => {
    const port = await startListener((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence_number: 1 }) as Buffer);
      });
    });
    const client = await bind(port, {}, { window: 100_000, maxSocketBuffer: 100_000, tlvs: 'always', drainMs: 10 });
    let sent: unknown = 0;
    for (let i = 0; i < 2_000 && sent !== 'window_full'; i++) {
      sent = client.submit({ tlvs: [{ tag: 0x424, value: Buffer.alloc(60_000) }] }, () => {});
      if (i % 5 === 0) await new Promise(setImmediate);
    }
    expect(sent).toBe('window_full');
    expect(client.free).toBe(0);
  });
});

describe('binds that fail', () => {
  it('refused: reported with the status, and retried', async () => {
    const statuses = [0x0d, 0];
    const { port } = await startServer({ authenticate: () => statuses.shift()! });
    const failures: [Failure, number | 'stop'][] = [];
    await bind(port, { onFailure: (...failure) => failures.push(failure) }, { reconnect: { bindStartMs: 1 } });
    expect(failures).toEqual([[{ kind: 'bind_refused', command_status: 0x0d }, 1]]);
  });

  it('refused for the password three times: stops until `retry`', async () => {
    let password = 'wrong';
    let tries = 0;
    const { port } = await startServer({
      authenticate: async () => {
        tries++;
        return password === 'right' ? 0 : 0x0e;
      },
    });
    const stopped = signal<void>();
    const bound = signal<void>();
    const client = startClient(
      port,
      { onFailure: (_, retryInMs) => retryInMs === 'stop' && stopped.resolve(), onBound: () => bound.resolve() },
      { reconnect: { bindStartMs: 1, bindMaxMs: 2 } },
    );
    await stopped.promise;
    expect([client.state, tries]).toEqual(['blocked', 3]);
    password = 'right';
    client.retry();
    await bound.promise;
    expect(tries).toBe(4);
  });

  it('never answered: the client gives up after bindTimeoutMs', async () => {
    const { port } = await startServer({ authenticate: () => new Promise<number>(() => {}) });
    const failed = signal<Failure>();
    startClient(port, { onFailure: failed.resolve }, { bindTimeoutMs: 20 });
    expect(await failed.promise).toEqual({ kind: 'closed', cause: 'bind_timeout', wasBound: false });
  });

  it('nothing listening: reported, and retried', async () => {
    const closedPort = await startListener(() => {});
    for (const cleanup of cleanups.splice(0)) await cleanup();
    const failed = signal<Failure>();
    const client = startClient(closedPort, { onFailure: failed.resolve });
    expect(await failed.promise).toMatchObject({ kind: 'connect_failed' });
    expect(client.state).toBe('waiting');
    await client.stop();
    expect(client.state).toBe('stopped');
  });

  it('garbage instead of an answer: nothing breaks, and the connection ends', async () => {
    const port = await startListener((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const failed = signal<Failure>();
    startClient(port, { onFailure: failed.resolve });
    expect(await failed.promise).toEqual({ kind: 'closed', cause: 'unframable', wasBound: false });
  });
});

describe('a refused bind', () => {
  it('is closed by the server, even if the peer stays silent', async () => {
    const { port } = await startServer({ authenticate: () => 0x0d });
    const closed = signal<void>();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    cleanups.push(() => socket.destroy());
    const read: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => read.push(chunk)).once('end', closed.resolve);
    socket.write(encodePdu({ command: 'bind_transceiver', sequence_number: 1, system_id: 'esme' }) as Buffer);
    await closed.promise;
    expect(decodePdu(Buffer.concat(read))).toMatchObject({ command: 'bind_transceiver_resp', command_status: 0x0d });
  });

  it('is closed by the client, though the server would leave it open', async () => {
    const closed = signal<void>();
    const server = createNetServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence_number: 1, command_status: 5 }) as Buffer),
      );
      socket.once('end', closed.resolve);
      cleanups.push(() => socket.destroy());
    });
    cleanups.push(() => server.close());
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    startClient(port);
    await closed.promise;
  });
});

describe('the server', () => {
  const open = (port: number): Socket => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => {});
    cleanups.push(() => socket.destroy());
    return socket;
  };

  it('answers garbage with a generic_nack and closes', async () => {
    const { port } = await startServer();
    const socket = open(port);
    const got: Buffer[] = [];
    const closed = signal<void>();
    socket.on('data', (bytes) => got.push(bytes as Buffer));
    socket.on('close', () => closed.resolve());
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed.promise;
    expect(decodePdu(Buffer.concat(got))).toMatchObject({ command: 'generic_nack', command_status: 2 });
  });

  it('closes one connection too many, and a silent one', async () => {
    const { port } = await startServer({}, { maxSessions: 1, sessionInitMs: 50 });
    const first = open(port);
    await new Promise<void>((resolve) => first.once('connect', resolve));
    const second = open(port);
    await new Promise<void>((resolve) => second.once('close', () => resolve()));
    expect(first.destroyed).toBe(false);
    first.resume();
    await new Promise<void>((resolve) => first.once('close', () => resolve()));
  });

  it('answers a flood of enquire_link, every one', async () => {
    const { port } = await startServer();
    const socket = open(port);
    const flood = Array.from(
      { length: 10_000 },
      (_, i) => encodePdu({ command: 'enquire_link', sequence_number: i + 1 }) as Buffer,
    );
    socket.write(Buffer.concat(flood));
    let octets = 0;
    await new Promise<void>((resolve) => {
      socket.on('data', (bytes: Buffer) => {
        octets += bytes.length;
        if (octets === 160_000) resolve();
      });
    });
    expect(octets).toBe(160_000);
  });

  it('stops reading from a peer that sends requests and never reads', async () => {
    const { port } = await startServer({}, { maxSocketBuffer: 100_000 });
    const socket = open(port);
    socket.pause();
    const enquiry = encodePdu({ command: 'enquire_link', sequence_number: 1 }) as Buffer;
    const megabyte = Buffer.concat(Array(65_536).fill(enquiry));
    for (let i = 0; i < 40; i++) socket.write(megabyte);
    // Until all is read, which would be a bug, or nothing moves any more.
    for (let still = 0, before = 0; still < 500 && socket.writableLength > 0; still++) {
      if (socket.writableLength !== before) still = 0;
      before = socket.writableLength;
      await new Promise(setImmediate);
    }
    expect(socket.writableLength).toBeGreaterThan(0);
  });

  it('stops reading from a peer with too many open requests, and goes on when they are answered', async () => {
    const total = 20_000;
    const held: InboundRequest[] = [];
    const limits = { inboundWindow: 10, inboundOverflow: 'pause' } as const;
    const { port } = await startServer({ onRequest: (request) => held.push(request) }, limits);
    const client = await bind(port, {}, { window: total, maxSocketBuffer: 10_000_000 });
    const done = signal<void>();
    let settled = 0;
    for (let i = 0; i < total; i++) {
      client.submit({ short_message: Buffer.alloc(140) }, () => {
        if (++settled === total) done.resolve();
      });
    }
    // The server handles what one read brings; the rest waits in the socket.
    for (let i = 0; i < 200; i++) await new Promise(setImmediate);
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(total / 10);
    const answer = (): void => {
      for (const request of held.splice(0)) request.respond(0);
      if (settled < total) setImmediate(answer);
    };
    answer();
    await done.promise;
  });

  it('accepts no connection when its only address is taken', async () => {
    const { port } = await startServer();
    const other = createServer({ system_id: 'MC' }, { authenticate: () => 0, onRequest: () => {} });
    await expect(other.listen(port)).rejects.toThrow('EADDRINUSE');
  });

  it('closes: unbinds every session and frees the port', async () => {
    const { port, server } = await startServer();
    const ended = signal<CloseCause>();
    await bind(port, { onUnbound: ended.resolve });
    await server.close();
    expect(await ended.promise).toBe('unbound_by_peer');
    expect(server.sessions.size).toBe(0);
  });
});
