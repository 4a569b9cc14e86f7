/**
 * A random walk of a session with hostile peers, and the invariants at every step. Shared by the short and the long
 * test; only tests import it.
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

/** One walk: our role, whether it starts bound, and the steps. */
export const walk = fc.tuple(fc.constantFrom<Role>('esme', 'mc'), fc.boolean(), fc.array(step, { maxLength: 60 }));

type Walk = typeof walk extends fc.Arbitrary<infer T> ? T : never;

/** Walks, and fails when an invariant is broken. */
export const takeWalk = ([role, startsBound, steps]: Walk): void => {
  const walker = new Walker(role);
  if (startsBound) begin(walker.session, role);
  walker.observe();
  for (const each of steps) {
    walker.act(each);
    walker.observe();
  }
  walker.session.close('destroyed');
  walker.observe();
  // Each request got exactly one outcome.
  expect([...walker.settled.values()]).toEqual(Array(walker.sent).fill(1));
  expect(walker.session.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
};

class Walker {
  readonly session: Session;
  /** how often each request got an outcome */
  readonly settled = new Map<number, number>();
  sent = 0;
  readonly #role: Role;
  readonly #work: 'submit_sm' | 'deliver_sm';
  readonly #inbound: InboundEvent[] = [];
  #nowMs = 0;
  #isClosed = false;

  constructor(role: Role) {
    this.#role = role;
    this.#work = role === 'esme' ? 'submit_sm' : 'deliver_sm';
    this.session = new Session(role, this.#nowMs, { window: 5, inboundWindow: 5 });
  }

  observe(): void {
    const { session } = this;
    for (const event of session.takeEvents()) {
      expect(this.#isClosed).toBe(false);
      if (event.type === 'settled') event.settle(event.outcome);
      if (event.type === 'request') this.#inbound.push(event);
      if (event.type === 'closed') this.#isClosed = true;
    }
    expect(session.state === 'CLOSED').toBe(this.#isClosed);
    expect(session.outstanding).toBeLessThanOrEqual(5);
    expect(session.outstanding).toBe(this.sent - this.settled.size);
    if (/BOUND/.test(session.state)) expect(session.nextTimerAt).toBeLessThan(Number.POSITIVE_INFINITY);
  }

  act(step: Step): void {
    const { session } = this;
    if (step.do === 'pdu') {
      session.bytes(step.bytes.subarray(0, step.cutAt), this.#nowMs);
      session.bytes(step.bytes.subarray(step.cutAt), this.#nowMs);
    } else if (step.do === 'answer') this.#peerAnswers(step.which, step.command_status);
    else if (step.do === 'garbage') session.bytes(Buffer.from(step.bytes), this.#nowMs);
    else if (step.do === 'request') this.#request();
    else if (step.do === 'respond') this.#respond();
    else if (step.do === 'take') expectWellFormed(session.takeBytes());
    else if (step.do === 'unbind') session.unbind(this.#nowMs);
    else if (step.do === 'accept') session.answerBind(0, 'mc', this.#nowMs);
    else if (step.do === 'pass') this.#nowMs += step.ms;
    session.tick(this.#nowMs);
  }

  #request(): void {
    const wasBound = this.session.state.startsWith('BOUND');
    const before = this.session.bytesWaiting;
    const mine = this.sent;
    const settle = () => this.settled.set(mine, (this.settled.get(mine) ?? 0) + 1);
    const result = this.session.request(this.#work, { source_addr: '1555' }, settle, this.#nowMs);
    if (typeof result === 'number') {
      this.sent++;
      expect(wasBound).toBe(true);
    } else {
      expect(this.session.bytesWaiting).toBe(before);
    }
  }

  #respond(): void {
    const event = this.#inbound.shift();
    if (event !== undefined) this.session.respond(event, 0, undefined, this.#nowMs);
  }

  /** The peer answers one of the last requests, open or not. */
  #peerAnswers(which: number, command_status: number): void {
    const sequence_number = Math.max(1, this.sent - which + (this.#role === 'esme' ? 1 : 0));
    const answer = encodePdu({ command: `${this.#work}_resp`, sequence_number, command_status });
    this.session.bytes(answer as Buffer, this.#nowMs);
  }
}

const begin = (session: Session, role: Role): void => {
  const nowMs = 0;
  if (role === 'esme') {
    session.bind('bind_transceiver', {}, nowMs);
    session.bytes(encodePdu({ command: 'bind_transceiver_resp', sequence_number: 1 }) as Buffer, nowMs);
  } else {
    session.bytes(encodePdu({ command: 'bind_transceiver', sequence_number: 1 }) as Buffer, nowMs);
    session.answerBind(0, 'mc', nowMs);
  }
};

/** The output is whole PDUs that read strictly. */
const expectWellFormed = (bytes: Buffer): void => {
  let at = 0;
  while (at < bytes.length) {
    const end = at + bytes.readUInt32BE(at);
    expect(['malformed', 'unknown']).not.toContain(decodePdu(bytes, at, end, { strict: true }).command);
    at = end;
  }
  expect(at).toBe(bytes.length);
};
