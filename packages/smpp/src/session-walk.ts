/**
 * A random walk of a session among hostile peers, and what must hold at every step of it. Shared by the short and the
 * long test; only tests import it.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { anyPdu } from './pdu-samples.ts';
import { Session } from './session.ts';
import type { InboundEvent, Role } from './session-types.ts';

type Step =
  | { do: 'pdu'; bytes: Buffer; cutAt: number }
  | { do: 'answer'; which: number; command_status: number }
  | { do: 'garbage'; bytes: Uint8Array }
  | { do: 'request' | 'respond' | 'take' | 'unbind' | 'accept' }
  | { do: 'pass'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pdu' as const),
      bytes: anyPdu.map((pdu) => encodePdu(pdu) as Buffer),
      cutAt: fc.nat(40),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(5),
      command_status: fc.constantFrom(0, 0, 8, 0x58),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('garbage' as const), bytes: fc.uint8Array({ maxLength: 20 }) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('request' as const, 'request' as const, 'respond' as const, 'take' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('unbind' as const, 'accept' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 500, 10_000, 31_000) }),
  },
);

/** One walk: who we are, whether it starts bound, and the steps. */
export const walk = fc.tuple(fc.constantFrom<Role>('esme', 'mc'), fc.boolean(), fc.array(step, { maxLength: 60 }));

type Walk = typeof walk extends fc.Arbitrary<infer T> ? T : never;

/** Walks, and fails when something that must never be is. */
export const takeWalk = ([role, startsBound, steps]: Walk): void => {
  let nowMs = 0;
  const session = new Session(role, nowMs, { window: 5, inboundWindow: 5 });
  const work = role === 'esme' ? 'submit_sm' : 'deliver_sm';
  const told = new Map<number, number>();
  const inbound: InboundEvent[] = [];
  let sent = 0;
  let isClosed = false;

  const observe = (): void => {
    for (const event of session.takeEvents()) {
      expect(isClosed).toBe(false);
      if (event.type === 'settled') event.settle(event.outcome);
      if (event.type === 'request') inbound.push(event);
      if (event.type === 'closed') isClosed = true;
    }
    expect(session.state === 'CLOSED').toBe(isClosed);
    expect(session.outstanding).toBeLessThanOrEqual(5);
    expect(session.outstanding).toBe(sent - told.size);
    if (/BOUND/.test(session.state)) expect(session.nextTimerAt).toBeLessThan(Number.POSITIVE_INFINITY);
  };

  const request = (): void => {
    const wasBound = session.state.startsWith('BOUND');
    const before = session.bytesWaiting;
    const mine = sent;
    const result = session.request(
      work,
      { source_addr: '1555' },
      () => told.set(mine, (told.get(mine) ?? 0) + 1),
      nowMs,
    );
    if (typeof result === 'number') {
      sent++;
      expect(wasBound).toBe(true);
    } else {
      expect(session.bytesWaiting).toBe(before);
    }
  };

  const respond = (): void => {
    const event = inbound.shift();
    if (event !== undefined) session.respond(event, 0, undefined, nowMs);
  };

  const act = (each: Step): void => {
    if (each.do === 'pdu') {
      session.bytes(each.bytes.subarray(0, each.cutAt), nowMs);
      session.bytes(each.bytes.subarray(each.cutAt), nowMs);
    } else if (each.do === 'answer') {
      const sequence_number = Math.max(1, sent - each.which + (role === 'esme' ? 1 : 0));
      session.bytes(
        encodePdu({ command: `${work}_resp`, sequence_number, command_status: each.command_status }) as Buffer,
        nowMs,
      );
    } else if (each.do === 'garbage') session.bytes(Buffer.from(each.bytes), nowMs);
    else if (each.do === 'request') request();
    else if (each.do === 'respond') respond();
    else if (each.do === 'take') wellFormed(session.takeBytes());
    else if (each.do === 'unbind') session.unbind(nowMs);
    else if (each.do === 'accept') session.answerBind(0, 'mc', nowMs);
    else if (each.do === 'pass') nowMs += each.ms;
    session.tick(nowMs);
  };

  if (startsBound) begin(session, role, nowMs);
  observe();
  for (const each of steps) {
    act(each);
    observe();
  }
  session.close('destroyed');
  observe();
  expect([...told.values()]).toEqual(Array(sent).fill(1));
  expect(session.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
};

const begin = (session: Session, role: Role, nowMs: number): void => {
  if (role === 'esme') {
    session.bind('bind_transceiver', {}, nowMs);
    session.bytes(encodePdu({ command: 'bind_transceiver_resp', sequence_number: 1 }) as Buffer, nowMs);
  } else {
    session.bytes(encodePdu({ command: 'bind_transceiver', sequence_number: 1 }) as Buffer, nowMs);
    session.answerBind(0, 'mc', nowMs);
  }
};

/** What goes out is whole PDUs that read strictly. */
const wellFormed = (bytes: Buffer): void => {
  let at = 0;
  while (at < bytes.length) {
    const end = at + bytes.readUInt32BE(at);
    expect(['malformed', 'unknown']).not.toContain(decodePdu(bytes, at, end, { strict: true }).command);
    at = end;
  }
  expect(at).toBe(bytes.length);
};
