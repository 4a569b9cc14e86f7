/**
 * One SMPP session without a socket: octets, commands and the time go in; octets and events come out. Never reads a
 * clock, never sets a timer, never throws because of a peer's input, and never sends a request twice. Source: SMPP 3.4
 * issue 1.2 §2, §7; SMPP 5.0 §2.
 */
import {
  type AnsweredName,
  type BindName,
  type Command,
  commandById,
  commandByName,
  isResponseId,
  type NoticeName,
  OPEN,
  RESPONSE_BIT,
} from './commands.ts';
import { decodePdu } from './decode.ts';
import type { LooseFields } from './encode.ts';
import { Framer } from './framer.ts';
import { FIRST_VERSION_WITH_TLVS, InboundWindow, type OpenRequest, Outlet } from './outlet.ts';
import type { EncodeFailure, PduFields, PduOf, RequestPdu, ResponsePdu } from './pdu.ts';
import { type Answer, boundAs, type Ending, type Inbound, isBind, takesNothingNew } from './session-states.ts';
import { SessionTimers, SignsOfLife } from './session-timers.ts';
import {
  type BindPdu,
  type CloseCause,
  type InboundEvent,
  type Outcome,
  type ProtocolError,
  type Role,
  type Sent,
  type SessionEvent,
  type SessionLimits,
  type SessionState,
  sessionLimits,
} from './session-types.ts';
import { status } from './status.ts';
import { readTlv, tlv } from './tlvs.ts';

const never = Number.POSITIVE_INFINITY;
const noFields: LooseFields = {};
/** How long a peer's requests are still accepted before our unbind, hoping for a moment without open ones. */
const SETTLE_MS = 1_000;
const UNBIND_RESP = commandByName('unbind_resp').command_id;

export class Session {
  readonly #role: Role;
  readonly #limits: SessionLimits;
  readonly #version: number;
  readonly #framer: Framer;
  readonly #outlet: Outlet;
  readonly #timers = new SessionTimers();
  #hasMore = false;
  #events: SessionEvent[] = [];
  #state: SessionState = 'OPEN';
  /** OPEN, TX, RX or TRX: decides which commands are allowed. */
  #bit = OPEN;
  #ending: Ending = 'none';
  #settleAtMs = never;
  /** The bind that was sent or received and not answered yet. */
  #ownBind: BindName | undefined;
  #peerBind: BindPdu | undefined;
  readonly #inbound: InboundWindow;
  #peerUnbind: RequestPdu | undefined;
  /** The cause to report when our own unbind ends the session. */
  #endCause: CloseCause = 'unbound';
  readonly #life: SignsOfLife;
  #activityMs: number;
  /** False = enquire_link is read and not answered; for simulators. */
  answersEnquireLink = true;
  /** Called with PDUs between two offsets: one received PDU, or all sent together. Read only, during the call. */
  tap: ((direction: 'in' | 'out', bytes: Buffer, start: number, end: number) => void) | undefined;

  /** A session whose connection has just been opened. `interface_version` is ours. */
  constructor(role: Role, nowMs: number, limits: Partial<SessionLimits> = {}, interface_version = 0x34) {
    this.#role = role;
    this.#limits = sessionLimits(role, limits);
    this.#version = interface_version;
    this.#framer = new Framer(this.#limits.maxPduLength);
    this.#inbound = new InboundWindow(role, this.#limits);
    this.#outlet = new Outlet(this.#limits.firstSequenceNumber);
    this.#life = new SignsOfLife(nowMs);
    this.#activityMs = nowMs;
    if (role === 'mc') this.#timers.start = nowMs + this.#limits.sessionInitMs;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether TLVs are written. */
  get takesTlvs(): boolean {
    return this.#outlet.takesTlvs;
  }

  /** Our requests without an answer. */
  get outstanding(): number {
    return this.#outlet.window.count;
  }

  /** Requests that can be sent now. */
  get free(): number {
    return this.#mayRequest() ? Math.max(0, this.#limits.window - this.#outlet.window.count) : 0;
  }

  /** Signs of life of the peer. */
  get life(): Readonly<Pick<SignsOfLife, 'heardAtMs' | 'linkAtMs' | 'hasCarried'>> {
    return this.#life;
  }

  /** Octets waiting to be taken. */
  get bytesWaiting(): number {
    return this.#outlet.waiting;
  }

  /** Whether a request is among them. */
  get requestWaits(): boolean {
    return this.#outlet.requestWaits;
  }

  /** The peer has more open requests than we accept: stop reading until this is false again. */
  get pauseReading(): boolean {
    return this.#inbound.pausesReading;
  }

  /** When `tick` is due; Infinity = not before the next input. */
  get nextTimerAt(): number {
    return this.#timers.next();
  }

  /** The octets to write, owned by the caller from here on. Taken octets count as sent. */
  takeBytes(): Buffer {
    const bytes = this.#outlet.take();
    if (bytes.length > 0) this.tap?.('out', bytes, 0, bytes.length);
    return bytes;
  }

  /** The events since the last call, in order. */
  takeEvents(): SessionEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** PDUs of the last read wait for `goOn`. Feed no other read before that. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Feeds one read from the peer, and handles at most `pdusMax` of its PDUs, answers before requests. */
  bytes(chunk: Buffer, nowMs: number, pdusMax = never): number {
    if (this.#state === 'CLOSED') return 0;
    this.#life.received(nowMs);
    this.#framer.push(chunk);
    return this.goOn(nowMs, pdusMax);
  }

  /** Handles at most `pdusMax` more PDUs of the last read, and returns their number. */
  goOn(nowMs: number, pdusMax = never): number {
    if (this.#state === 'CLOSED') return 0;
    const requests: Inbound[] = [];
    let count = 0;
    let found = this.#framer.next();
    for (; found === 'framed'; found = this.#framer.next()) {
      count++;
      const { bytes, start, end } = this.#framer;
      this.tap?.('in', bytes, start, end);
      const command_id = bytes.readUInt32BE(start + 4);
      if (!isResponseId(command_id)) requests.push(decodePdu(bytes, start, end, this.#limits) as Inbound);
      else {
        // The answer to our unbind is the last PDU on this connection: earlier requests are answered first.
        if (command_id === UNBIND_RESP) for (const before of requests.splice(0)) this.#onRequest(before, nowMs);
        this.#onAnswer(command_id, bytes, start, end, nowMs);
      }
      if (count >= pdusMax) break;
    }
    this.#hasMore = found === 'framed';
    for (const pdu of requests) this.#onRequest(pdu, nowMs);
    if (found === 'unframable') this.#onUnframable();
    else if (this.#hasMore || !this.#framer.isInsideFrame) this.#timers.pdu = never;
    else if (count > 0 || this.#timers.pdu === never) this.#timers.pdu = nowMs + this.#limits.pduTimeoutMs;
    this.#proceed(nowMs);
    return count;
  }

  /** Handles due timers. Call it when `nextTimerAt` has come; earlier or more often is harmless. */
  tick(nowMs: number): void {
    if (nowMs >= this.#timers.start) this.close(this.#role === 'esme' ? 'bind_timeout' : 'session_init_timeout');
    // While reading is paused, the rest of the PDU may be unread.
    if (nowMs >= this.#timers.pdu && this.pauseReading) this.#timers.pdu = nowMs + this.#limits.pduTimeoutMs;
    if (nowMs >= this.#timers.pdu) this.close('pdu_timeout');
    if (nowMs >= this.#timers.response) this.#checkOldest(nowMs);
    if (nowMs >= this.#timers.link) this.#checkLink(nowMs);
    if (nowMs >= this.#timers.activity) this.#checkActivity(nowMs);
    if (nowMs >= this.#timers.ending) this.#endingDue(nowMs);
  }

  /** ESME: sends the bind. Its result is an event: bound, or bind_refused and closed. */
  bind(name: BindName, fields: PduFields<BindName>, nowMs: number): EncodeFailure | undefined {
    const interface_version = fields.interface_version ?? this.#version;
    const sent = this.#outlet.own(commandByName(name), { ...fields, interface_version }, nowMs);
    if ('kind' in sent) return sent;
    this.#state = 'BINDING';
    this.#ownBind = name;
    this.#timers.start = nowMs + this.#limits.bindTimeoutMs;
    return undefined;
  }

  /** MC: answers a bind_request event. Any status but 0 closes the session. */
  answerBind(command_status: number, system_id: string, nowMs: number): void {
    const bind = this.#peerBind;
    if (bind === undefined || this.#state !== 'BINDING') return;
    const tlvs = bind.interface_version >= FIRST_VERSION_WITH_TLVS ? [tlv('sc_interface_version', this.#version)] : [];
    this.#outlet.answer(bind, command_status, command_status === 0 ? { system_id, tlvs } : noFields);
    if (command_status === 0) this.#bound(bind.command, bind.system_id, bind.interface_version, nowMs);
    else this.close('bind_refused');
  }

  /** Sends a request. Its outcome comes in one settled event, unless nothing was sent. */
  request<C extends AnsweredName>(
    name: C,
    fields: PduFields<C>,
    settle: (outcome: Outcome) => void,
    nowMs: number,
  ): Sent {
    const command = commandByName(name);
    if (!this.#mayRequest() || !this.#mayPass(command, this.#role)) return 'not_bound';
    if (this.#outlet.window.count >= this.#limits.window) return 'window_full';
    const sent = this.#outlet.request(command, fields, settle, nowMs);
    if (typeof sent !== 'number') return sent;
    this.#activityMs = nowMs;
    if (this.#timers.response === never) this.#timers.response = nowMs + this.#limits.responseTimeoutMs;
    return sent;
  }

  /** Sends a request that takes no answer. */
  notify<C extends NoticeName>(name: C, fields: PduFields<C>, nowMs: number): 'sent' | 'not_bound' | EncodeFailure {
    const command = commandByName(name);
    if (this.#ending !== 'none' || !this.#mayPass(command, this.#role)) return 'not_bound';
    const sent = this.#outlet.request(command, fields, undefined, nowMs);
    if (typeof sent !== 'number') return sent;
    this.#activityMs = nowMs;
    return 'sent';
  }

  /**
   * Answers a request event. False when nothing was written: it is already answered or takes no answer, the fields
   * cannot be encoded, or the session has ended.
   */
  respond(request: InboundEvent, command_status: number, fields: LooseFields | undefined, nowMs: number): boolean {
    if (request.answered || this.#state === 'CLOSED') return false;
    const given = this.#outlet.takesTlvs ? fields : { ...fields, tlvs: [] };
    if (!this.#outlet.answer(request.pdu, command_status, given)) return false;
    request.answered = true;
    this.#inbound.count--;
    this.#activityMs = nowMs;
    this.#proceed(nowMs);
    return true;
  }

  /** Accepts no more requests, waits up to `drainMs` for open ones, then unbinds and closes. */
  unbind(nowMs: number, drainMs: number = this.#limits.drainMs): void {
    if (this.#ending !== 'none' || this.#state === 'CLOSED') return;
    if (this.#bit === OPEN) {
      this.close('unbound');
      return;
    }
    this.#ending = 'draining';
    this.#settleAtMs = nowMs + Math.min(SETTLE_MS, drainMs);
    this.#timers.ending = nowMs + drainMs;
    this.#proceed(nowMs);
  }

  #mayRequest(): boolean {
    return this.#bit !== OPEN && this.#ending === 'none' && this.#state !== 'CLOSED';
  }

  #mayPass(command: Command, sender: Role): boolean {
    return (command.states & this.#bit) !== 0 && (command.from === 'both' || command.from === sender);
  }

  #onUnframable(): void {
    if (this.#state === 'CLOSED') return;
    const { sequence_number, command_length } = this.#framer;
    this.#error('unframable', { sequence_number, command_id: 0 }, `command_length ${command_length}`);
    this.close('unframable', () => this.#outlet.nack(status.ESME_RINVCMDLEN, sequence_number));
  }

  #onRequest(pdu: Inbound, nowMs: number): void {
    if (this.#state === 'CLOSED') return;
    if (pdu.command === 'unknown') {
      this.#error('unknown_command', pdu, `command_id 0x${pdu.command_id.toString(16)}`);
      this.#outlet.nack(status.ESME_RINVCMDID, pdu.sequence_number);
    } else if (pdu.command === 'malformed') {
      this.#error('malformed_pdu', pdu, pdu.reason);
      this.#outlet.answer(pdu, pdu.answer);
      // A peer whose bind was refused starts over on a new connection.
      if (this.#state === 'OPEN' && isBind(pdu.command_id)) this.close('bind_refused');
    } else if (pdu.command === 'enquire_link') {
      if (!this.answersEnquireLink) return;
      this.#outlet.answer(pdu, status.ESME_ROK);
      this.#life.linkAtMs = nowMs;
    } else if (pdu.command in boundAs) {
      this.#onBind(pdu as BindPdu);
    } else if (!this.#mayPass(commandById(pdu.command_id)!, this.#role === 'esme' ? 'mc' : 'esme')) {
      this.#error('wrong_state', pdu, `${pdu.command} in ${this.#state}`);
      this.#outlet.answer(pdu, status.ESME_RINVBNDSTS);
    } else if (pdu.command === 'unbind') {
      this.#onUnbind(pdu, nowMs);
    } else {
      this.#onWork(pdu, nowMs);
    }
  }

  #onWork(pdu: RequestPdu, nowMs: number): void {
    this.#activityMs = nowMs;
    const isNotice = !commandById(pdu.command_id)!.answered;
    if (!isNotice) {
      const refusal = this.#inbound.refusal(takesNothingNew.has(this.#ending));
      if (refusal !== undefined) {
        this.#outlet.answer(pdu, refusal);
        return;
      }
      this.#inbound.count++;
    }
    this.#life.hasCarried = true;
    this.#events.push({ type: 'request', pdu, answered: isNotice });
  }

  #onBind(pdu: BindPdu): void {
    if (this.#role === 'mc' && this.#state === 'OPEN') {
      this.#state = 'BINDING';
      this.#peerBind = pdu;
      this.#timers.start = never;
      this.#events.push({ type: 'bind_request', pdu });
      return;
    }
    this.#error('wrong_state', pdu, `${pdu.command} in ${this.#state}`);
    this.#outlet.answer(pdu, this.#role === 'mc' ? status.ESME_RALYBND : status.ESME_RINVBNDSTS);
  }

  #onUnbind(pdu: RequestPdu, nowMs: number): void {
    if (this.#ending === 'unbind_sent') {
      this.#outlet.answer(pdu, status.ESME_ROK);
      return;
    }
    if (this.#ending === 'peer') return;
    this.#peerUnbind = pdu;
    this.#ending = 'peer';
    this.#timers.ending = nowMs + this.#limits.drainMs;
  }

  #onAnswer(command_id: number, bytes: Buffer, start: number, end: number, nowMs: number): void {
    if (this.#state === 'CLOSED') return;
    const sequence_number = bytes.readUInt32BE(start + 12);
    const request = this.#outlet.window.get(sequence_number);
    if (request === undefined) {
      // A peer may send any number of these, so the body is not read.
      this.#error('unexpected_response', { sequence_number, command_id }, 'no open request has this sequence_number');
      return;
    }
    const pdu = decodePdu(bytes, start, end, this.#limits) as Answer;
    this.#outlet.window.remove(request);
    const isRight = pdu.command_id === (request.command.command_id | RESPONSE_BIT) >>> 0;
    if (pdu.command === 'malformed') {
      this.#error('malformed_response', pdu, pdu.reason);
      this.#spoil(request, 'malformed_response');
    } else if (pdu.command === 'unknown' || (!isRight && pdu.command !== 'generic_nack')) {
      this.#error('wrong_response', pdu, `${pdu.command} for ${request.command.name}`);
      this.#spoil(request, 'wrong_response');
    } else if (request.settle !== undefined) {
      this.#activityMs = nowMs;
      this.#life.hasCarried ||= pdu.command_status === status.ESME_ROK;
      this.#events.push({ type: 'settled', settle: request.settle, outcome: { kind: 'response', pdu } });
    } else {
      this.#onOwnAnswer(request, pdu, nowMs);
    }
  }

  /** The request's answer cannot be used, so its outcome is unknown. */
  #spoil(request: OpenRequest, detail: 'malformed_response' | 'wrong_response'): void {
    if (request.settle !== undefined) {
      this.#events.push({ type: 'settled', settle: request.settle, outcome: { kind: 'uncertain', detail } });
    } else if (request.command.name in boundAs) {
      this.#refused(status.ESME_RBINDFAIL);
    }
  }

  #onOwnAnswer(request: OpenRequest, pdu: ResponsePdu, nowMs: number): void {
    const { name } = request.command;
    if (name === 'enquire_link') this.#life.linkAtMs = nowMs;
    // The peer may still wait for our earlier answers.
    if (name === 'unbind' && this.#inbound.count > 0) this.#ending = 'unbound';
    else if (name === 'unbind') this.close(this.#endCause);
    if (name !== this.#ownBind) return;
    if (pdu.command === 'generic_nack') this.#refused(pdu.command_status || status.ESME_RBINDFAIL);
    else if (pdu.command_status !== 0) this.#refused(pdu.command_status);
    else
      this.#bound(name, (pdu as PduOf<'bind_transceiver_resp'>).system_id, readTlv(pdu, 'sc_interface_version'), nowMs);
  }

  #refused(command_status: number): void {
    this.#events.push({ type: 'bind_refused', command_status });
    this.close('bind_refused');
  }

  #bound(name: BindName, system_id: string, interface_version: number | undefined, nowMs: number): void {
    const { tlvs, enquireLinkMs, inactivityMs } = this.#limits;
    this.#state = boundAs[name].state;
    this.#bit = boundAs[name].bit;
    this.#ownBind = undefined;
    this.#peerBind = undefined;
    const version = Math.min(this.#version, interface_version ?? 0);
    this.#outlet.takesTlvs = tlvs === 'always' || (tlvs === 'negotiated' && version >= FIRST_VERSION_WITH_TLVS);
    this.#timers.start = never;
    if (enquireLinkMs > 0) this.#timers.link = this.#life.heardAtMs + enquireLinkMs;
    if (inactivityMs > 0) this.#timers.activity = nowMs + inactivityMs;
    this.#activityMs = nowMs;
    this.#events.push({ type: 'bound', system_id, interface_version, takesTlvs: this.#outlet.takesTlvs });
  }

  /** Takes the next step of an ending once the requests it waits for are answered. */
  #proceed(nowMs: number): void {
    if (this.#ending === 'none' || this.#state === 'CLOSED' || this.#outlet.window.count > 0) return;
    if (this.#ending === 'overdue') this.close('response_timeout');
    if (this.#ending === 'draining' && nowMs >= this.#settleAtMs) this.#ending = 'settling';
    if (this.#ending !== 'unbind_sent' && this.#inbound.count === 0) this.#endingDue(nowMs);
  }

  #endingDue(nowMs: number): void {
    if (this.#ending === 'draining' || this.#ending === 'settling') {
      this.#outlet.own(commandByName('unbind'), noFields, nowMs);
      this.#state = 'UNBOUND';
      this.#ending = 'unbind_sent';
      this.#timers.ending = nowMs + this.#limits.unbindTimeoutMs;
    } else if (this.#ending === 'unbind_sent' || this.#ending === 'unbound') {
      this.close(this.#endCause);
    } else if (this.#ending === 'overdue') {
      this.close('response_timeout');
    } else if (this.#peerUnbind !== undefined) {
      const unbind = this.#peerUnbind;
      this.close('unbound_by_peer', () => this.#outlet.answer(unbind, status.ESME_ROK));
    }
  }

  #checkOldest(nowMs: number): void {
    const oldest = this.#outlet.window.oldest();
    // While reading is paused, the answer may be unread; but during an endless flood it counts as missing in the end.
    const patienceMs = this.#limits.responseTimeoutMs * (this.pauseReading ? 2 : 1);
    const dueMs = oldest === undefined ? never : oldest.sentMs + patienceMs;
    this.#timers.response = dueMs;
    if (oldest === undefined || nowMs < dueMs) return;
    this.#timers.response = never;
    const { sequence_number, command } = oldest;
    this.#events.push({ type: 'response_timeout', sequence_number, command_id: command.command_id });
    if (this.#ending !== 'none') return;
    // The request may have been accepted, so it is not sent again while this session could still answer.
    this.#ending = 'overdue';
    this.#timers.ending = nowMs + this.#limits.lateAnswerMs;
  }

  #checkLink(nowMs: number): void {
    const { enquireLinkMs, enquireLinkTimeoutMs } = this.#limits;
    // While reading is paused, nothing can be heard.
    if (this.pauseReading) this.#timers.link = nowMs + enquireLinkTimeoutMs;
    else if (this.#life.isSilent) this.close('enquire_link_timeout');
    if (this.pauseReading || this.#state === 'CLOSED') return;
    const answered = this.#life.takeEnquireLink();
    if (answered !== undefined) this.#outlet.window.remove(answered);
    this.#timers.link = this.#life.heardAtMs + enquireLinkMs;
    if (nowMs < this.#timers.link) return;
    this.#life.enquired(this.#outlet.own(commandByName('enquire_link'), noFields, nowMs) as OpenRequest);
    this.#timers.link = nowMs + enquireLinkTimeoutMs;
  }

  #checkActivity(nowMs: number): void {
    this.#timers.activity = this.#activityMs + this.#limits.inactivityMs;
    if (nowMs < this.#timers.activity) return;
    this.#timers.activity = never;
    this.#endCause = 'inactive';
    this.unbind(nowMs);
  }

  #error(what: ProtocolError['what'], at: { sequence_number: number; command_id: number }, detail: string): void {
    const { sequence_number, command_id } = at;
    this.#events.push({ type: 'protocol_error', error: { what, sequence_number, command_id, detail } });
  }

  /** Settles all open requests, then ends at once. `farewell` writes the last PDU. */
  close(cause: CloseCause, farewell?: () => void): void {
    if (this.#state === 'CLOSED') return;
    this.#state = 'CLOSED';
    this.#timers.stop();
    this.#events.push(...this.#outlet.settleAll(cause));
    farewell?.();
    this.#events.push({ type: 'closed', cause });
  }
}
