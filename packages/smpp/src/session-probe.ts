/** A session whose peer is the test: its output as PDUs, its events, time in plain numbers. Only tests import it. */
import { expect } from 'vitest';
import type { BindName } from './commands.ts';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { Framer } from './framer.ts';
import type { Decoded, PduInput } from './pdu.ts';
import { Session } from './session.ts';
import type { InboundEvent, Outcome, Role, SessionEvent, SessionLimits } from './session-types.ts';
import { tlv } from './tlvs.ts';

export class Probe {
  readonly session: Session;
  /** milliseconds */
  nowMs = 1_000;
  /** the outcome of each request, by the name the test gave it */
  readonly outcomes: [string, Outcome][] = [];

  constructor(role: Role, limits: Partial<SessionLimits> = {}, interface_version?: number) {
    this.session = new Session(role, this.nowMs, limits, interface_version);
  }

  /** What the session has written since the last call. */
  written(): Decoded[] {
    const framer = new Framer();
    const pdus: Decoded[] = [];
    framer.push(this.session.takeBytes());
    let found = framer.next();
    for (; found === 'framed'; found = framer.next()) pdus.push(decodePdu(framer.bytes, framer.start, framer.end));
    expect(found).toBe('need_more');
    expect(framer.isInsideFrame).toBe(false);
    return pdus;
  }

  /** The session's events since the last call, except outcomes of requests: these go to `outcomes`. */
  newEvents(): SessionEvent[] {
    const events = this.session.takeEvents();
    for (const event of events) if (event.type === 'settled') event.settle(event.outcome);
    return events.filter((event) => event.type !== 'settled');
  }

  /** The peer sends PDUs, all in one read. */
  peer(...pdus: PduInput[]): void {
    this.peerBytes(Buffer.concat(pdus.map((pdu) => encodePdu(pdu, { overlong: true }) as Buffer)));
  }

  peerBytes(bytes: Buffer): void {
    this.session.bytes(bytes, this.nowMs);
  }

  /** Sends a submit_sm and remembers its outcome under `name`. */
  submit(name: string): number | string {
    const settle = (outcome: Outcome) => this.outcomes.push([name, outcome]);
    const sent = this.session.request('submit_sm', { destination_addr: name }, settle, this.nowMs);
    return typeof sent === 'object' ? sent.reason : sent;
  }

  /** Moves time, ticking whenever the session is due. */
  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    for (let due = this.session.nextTimerAt; due <= endMs; due = this.session.nextTimerAt) {
      this.nowMs = Math.max(this.nowMs, due);
      this.session.tick(this.nowMs);
    }
    this.nowMs = endMs;
    this.session.tick(endMs);
  }

  /** The peer's requests among the events since the last call. */
  requests(): InboundEvent[] {
    return this.newEvents().filter((event) => event.type === 'request');
  }

  /** How the session ended, if it has since the last call. */
  cause(): string | undefined {
    return this.newEvents().find((event) => event.type === 'closed')?.cause;
  }
}

/** An ESME that is bound; its bind had sequence_number 1 unless the limits say otherwise. */
export const boundEsme = (limits: Partial<SessionLimits> = {}, bind: BindName = 'bind_transceiver'): Probe => {
  const probe = new Probe('esme', limits);
  probe.session.bind(bind, { system_id: 'esme', password: 'secret' }, probe.nowMs);
  const [sent] = probe.written();
  const tlvs = [tlv('sc_interface_version', 0x34)];
  probe.peer({ command: `${bind}_resp`, sequence_number: sent!.sequence_number, system_id: 'mc', tlvs } as PduInput);
  probe.newEvents();
  return probe;
};

/** An MC with a bound peer. */
export const boundMc = (
  limits: Partial<SessionLimits> = {},
  bind: BindName = 'bind_transceiver',
  interface_version = 0x34,
): Probe => {
  const probe = new Probe('mc', limits);
  probe.peer({ command: bind, sequence_number: 1, system_id: 'esme', interface_version });
  probe.session.answerBind(0, 'mc', probe.nowMs);
  probe.written();
  probe.newEvents();
  return probe;
};
