/** The client with a clock, random numbers and a network that the test controls; no socket is opened. */

import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { ClientHandlers, ClientOptions, Failure } from './client-types.ts';
import type { Clock } from './clock.ts';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import type { PduInput } from './pdu.ts';
import type { Outcome } from './session-types.ts';

/** A clock moved by the test. */
class HandClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<{ atMs: number; fire: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  setTimer(fire: () => void, delayMs: number): () => void {
    const timer = { atMs: this.#nowMs + delayMs, fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers have come due. */
  fired = 0;

  get timers(): number {
    return this.#timers.size;
  }

  /** Moves time, fires due timers, and lets their effects happen. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = next.atMs;
      this.fired++;
      next.fire();
      await settle();
    }
    this.#nowMs = endMs;
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A socket with the test as its peer. */
class HandSocket extends Duplex {
  readonly written: Buffer[] = [];
  fails = false;
  /** While set, a write completes only when the test says so. */
  isHeld = false;
  finishWrite: () => void = () => {};

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.written.push(chunk);
    if (this.isHeld) this.finishWrite = done;
    else if (this.fails) setImmediate(done, new Error('EPIPE'));
    else done();
  }

  setNoDelay(): this {
    return this;
  }

  peer(pdu: PduInput): void {
    this.push(encodePdu(pdu) as Buffer);
  }
}

const start = (options: Partial<ClientOptions> = {}, handlers: ClientHandlers = {}, chance = 0) => {
  const clock = new HandClock();
  const sockets: HandSocket[] = [];
  const failures: [Failure, number | 'stop'][] = [];
  const connect = (): Socket => {
    const socket = new HandSocket();
    sockets.push(socket);
    return socket as unknown as Socket;
  };
  const client = createClient(
    { host: 'mc.example', port: 2775, bind: 'transceiver', system_id: 'esme', password: 'pw', ...options },
    { onFailure: (...failure) => failures.push(failure), ...handlers },
    { clock, random: () => chance, connect },
  );
  client.start();
  return { client, clock, sockets, failures };
};

const bindLast = async (sockets: readonly HandSocket[]): Promise<HandSocket> => {
  const socket = sockets.at(-1)!;
  socket.emit('connect');
  socket.peer({ command: 'bind_transceiver_resp', sequence_number: 1 });
  await settle();
  return socket;
};

describe('a client', () => {
  it('gives up a connection that does not come up, and tries again after a growing wait', async () => {
    const { client, clock, sockets, failures } = start();
    expect(client.state).toBe('connecting');
    await clock.pass(10_000);
    expect(failures).toEqual([[{ kind: 'connect_failed', detail: 'not up in time' }, 1_000]]);
    expect([client.state, sockets.length]).toEqual(['waiting', 1]);
    await clock.pass(1_000);
    expect([client.state, sockets.length]).toEqual(['connecting', 2]);
    await clock.pass(12_000);
    expect(failures.map(([, waitMs]) => waitMs)).toEqual([1_000, 2_000]);
    expect(sockets).toHaveLength(3);
  });

  it('that is bound and lost again and again waits longer each time, and short again once it was stable', async () => {
    const { clock, sockets, failures } = start();
    for (let i = 0; i < 4; i++) {
      (await bindLast(sockets)).destroy();
      await settle();
      await clock.pass(failures.at(-1)![1] as number);
    }
    expect(failures.map(([, waitMs]) => waitMs)).toEqual([1_000, 2_000, 4_000, 8_000]);
    const socket = await bindLast(sockets);
    await clock.pass(29_000);
    socket.peer({ command: 'enquire_link', sequence_number: 1 });
    await settle();
    await clock.pass(29_000);
    socket.peer({ command: 'enquire_link', sequence_number: 2 });
    await settle();
    await clock.pass(5_000);
    socket.destroy();
    await settle();
    expect(failures.at(-1)).toEqual([{ kind: 'closed', cause: 'peer_closed', wasBound: true }, 1_000]);
  });

  it.each([
    ['a request of ours that was taken', 0, [1_000, 1_000, 1_000]],
    ['none but refused ones', 8, [1_000, 2_000, 4_000]],
  ])('that is cut again and again, having carried %s, comes back as soon', async (_, command_status, expected) => {
    const { client, clock, sockets, failures } = start();
    for (let i = 0; i < 3; i++) {
      const socket = await bindLast(sockets);
      client.submit({}, () => {});
      await settle();
      socket.peer({ command: 'submit_sm_resp', sequence_number: 2, command_status });
      await settle();
      socket.destroy();
      await settle();
      await clock.pass(failures.at(-1)![1] as number);
    }
    expect(failures.map(([, waitMs]) => waitMs)).toEqual(expected);
  });

  it('that is cut after the peer sent something reconnects after the shortest wait', async () => {
    const { clock, sockets, failures } = start();
    for (let i = 0; i < 3; i++) {
      const socket = await bindLast(sockets);
      socket.peer({ command: 'deliver_sm', sequence_number: 7 });
      await settle();
      socket.destroy();
      await settle();
      await clock.pass(failures.at(-1)![1] as number);
    }
    expect(failures.map(([, waitMs]) => waitMs)).toEqual([1_000, 1_000, 1_000]);
  });

  it('stops when its own options cannot be encoded, and opens no connection', () => {
    for (const options of [{ password: 'a\0b' }, { system_id: '€' }, { system_id: 'x'.repeat(255) }]) {
      const { client, sockets, failures } = start(options);
      const detail = expect.stringContaining(Object.keys(options)[0]!);
      expect(failures).toEqual([[{ kind: 'connect_failed', detail }, 'stop']]);
      expect([client.state, sockets.length]).toEqual(['blocked', 0]);
    }
  });

  it('sends long passwords, which some peers require', async () => {
    const { sockets } = start({ password: 'more than eight' });
    sockets[0]!.emit('connect');
    await settle();
    expect(decodePdu(sockets[0]!.written[0]!)).toMatchObject({
      command: 'bind_transceiver',
      password: 'more than eight',
    });
  });

  it('reports options that cannot make a connection as a failure', async () => {
    const failed = Promise.withResolvers<Failure>();
    const client = createClient(
      { host: '127.0.0.1', port: 99_999, bind: 'receiver', system_id: 'a', password: 'b' },
      { onFailure: failed.resolve },
    );
    client.start();
    expect(await failed.promise).toMatchObject({ kind: 'connect_failed' });
    await client.stop();
  });

  it('resets the count of refused passwords once bound', async () => {
    const { client, clock, sockets, failures } = start();
    const refuse = async (): Promise<void> => {
      sockets.at(-1)!.emit('connect');
      sockets.at(-1)!.peer({ command: 'bind_transceiver_resp', sequence_number: 1, command_status: 0x0e });
      await settle();
      await clock.pass(failures.at(-1)![1] as number);
    };
    await refuse();
    await refuse();
    (await bindLast(sockets)).destroy();
    await settle();
    await clock.pass(failures.at(-1)![1] as number);
    await refuse();
    expect(failures.map(([, wait]) => wait)).toEqual([5_000, 10_000, 1_000, 5_000]);
    expect(client.state).toBe('connecting');
  });

  it('treats a hang-up during the bind as a refusal', async () => {
    const { sockets, failures } = start();
    sockets[0]!.emit('connect');
    sockets[0]!.destroy();
    await settle();
    expect(failures).toEqual([[{ kind: 'closed', cause: 'peer_closed', wasBound: false }, 5_000]]);
  });

  it('detects a dead peer within 40 s and reconnects', async () => {
    const { client, clock, sockets, failures } = start();
    await bindLast(sockets);
    await clock.pass(39_999);
    expect(client.state).toBe('bound');
    await clock.pass(1);
    expect(failures).toEqual([[{ kind: 'closed', cause: 'enquire_link_timeout', wasBound: true }, 1_000]]);
    await clock.pass(1_000);
    expect(sockets).toHaveLength(2);
    await clock.pass(100);
    expect(sockets[0]!.destroyed).toBe(true);
  });

  it('at a response time-out closes before it reports, and sends nothing twice', async () => {
    const { client, clock, sockets } = start({ enquireLinkMs: 0 });
    const socket = await bindLast(sockets);
    const outcomes: Outcome[] = [];
    client.submit({ destination_addr: '1' }, (outcome) => outcomes.push(outcome));
    await settle();
    const octets = Buffer.concat(socket.written).length;
    await clock.pass(30_999);
    expect(outcomes).toEqual([]);
    expect(client.free).toBe(0);
    await clock.pass(1);
    expect(outcomes).toEqual([{ kind: 'uncertain', detail: 'response_timeout' }]);
    expect(client.state).toBe('waiting');
    expect(Buffer.concat(socket.written)).toHaveLength(octets);
  });

  it('writes the requests of one tick together', async () => {
    const { client, sockets } = start();
    const socket = await bindLast(sockets);
    const before = socket.written.length;
    for (let i = 0; i < 10; i++) client.submit({}, () => {});
    expect(socket.written).toHaveLength(before);
    await settle();
    expect(socket.written).toHaveLength(before + 1);
  });

  it('has one write under way at a time, and continues when it completes', async () => {
    const { client, sockets } = start();
    const socket = await bindLast(sockets);
    const before = socket.written.length;
    socket.isHeld = true;
    for (let i = 0; i < 3; i++) {
      client.submit({ destination_addr: String(i) }, () => {});
      await settle();
    }
    expect(socket.written).toHaveLength(before + 1);
    socket.isHeld = false;
    socket.finishWrite();
    await settle();
    expect(socket.written).toHaveLength(before + 2);
    expect(client.outstanding).toBe(3);
  });

  it('writes nothing after a failed write: the rest is reported as not sent', async () => {
    const { client, sockets } = start();
    const socket = await bindLast(sockets);
    const outcomes: Outcome[] = [];
    socket.fails = true;
    client.submit({}, (outcome) => outcomes.push(outcome));
    await new Promise<void>((resolve) => process.nextTick(resolve));
    client.submit({}, (outcome) => outcomes.push(outcome));
    await settle();
    await settle();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['uncertain', 'not_sent']);
  });

  it('ignores an old socket that closes while a new one comes up', async () => {
    const { client, clock, sockets, failures } = start({}, {}, 0.9);
    const old = await bindLast(sockets);
    old._final = () => {};
    await clock.pass(40_000);
    expect(failures).toMatchObject([[{ cause: 'enquire_link_timeout' }, 550]]);
    await clock.pass(600);
    expect([client.state, sockets.length, old.destroyed]).toEqual(['connecting', 2, false]);
    await clock.pass(500);
    expect(old.destroyed).toBe(true);
    expect([client.state, failures.length]).toEqual(['connecting', 1]);
  });

  it('sleeps while nothing happens', async () => {
    const { clock, sockets } = start();
    await bindLast(sockets);
    const before = clock.fired;
    await clock.pass(29_000);
    expect(clock.fired - before).toBeLessThan(5);
  });

  it('stops from any state, leaving no timer behind', async () => {
    const connecting = start();
    await connecting.client.stop();
    const waiting = start();
    waiting.sockets[0]!.destroy();
    await settle();
    expect(waiting.client.state).toBe('waiting');
    await waiting.client.stop();
    const binding = start();
    binding.sockets[0]!.emit('connect');
    const bindingStopped = binding.client.stop();
    await settle();
    await binding.clock.pass(1_000);
    await bindingStopped;
    for (const { client, clock, sockets } of [connecting, waiting, binding]) {
      expect([client.state, clock.timers, sockets.length]).toEqual(['stopped', 0, 1]);
      await clock.pass(1_000_000);
      expect(sockets).toHaveLength(1);
    }
  });

  it('stops a bound session even if the peer says nothing more', async () => {
    const { client, clock, sockets } = start();
    await bindLast(sockets);
    const outcomes: Outcome[] = [];
    client.submit({}, (outcome) => outcomes.push(outcome));
    const stopped = client.stop({ drainMs: 2_000 });
    await settle();
    await clock.pass(2_000 + 5_000 + 1_000);
    await stopped;
    expect(outcomes).toEqual([{ kind: 'uncertain', detail: 'unbound' }]);
    expect([client.state, clock.timers]).toEqual(['stopped', 0]);
  });

  it('starts again after a stop, and a second start changes nothing', async () => {
    const { client, sockets } = start();
    client.start();
    expect(sockets).toHaveLength(1);
    await client.stop();
    client.start();
    expect(sockets).toHaveLength(2);
    await bindLast(sockets);
    expect(client.state).toBe('bound');
  });

  it('a handler that throws does not stop the session', async () => {
    const seen: string[] = [];
    const onRequest: ClientHandlers['onRequest'] = (request) => {
      seen.push(request.pdu.command);
      if (seen.length === 1) throw new Error('a bug of the user');
      request.respond(0);
    };
    const { sockets } = start({}, { onRequest });
    const socket = await bindLast(sockets);
    const deliver = (sequence_number: number) => encodePdu({ command: 'deliver_sm', sequence_number }) as Buffer;
    const thrown: unknown[] = [];
    const [listener] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    try {
      listener!(Buffer.concat([deliver(1), deliver(2)]));
    } catch (error) {
      thrown.push(error);
    }
    await settle();
    expect(thrown).toHaveLength(1);
    expect(seen).toEqual(['deliver_sm', 'deliver_sm']);
    listener!(deliver(3));
    expect(seen).toHaveLength(3);
  });
});
