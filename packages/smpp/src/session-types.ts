/** The events and settings of a session: types and defaults, shared by session, client and server. */
import type { AnsweredName } from './commands.ts';
import {
  type EncodeFailure,
  PDU_LENGTH_MAX,
  type PduFields,
  type PduOf,
  type RequestPdu,
  type ResponsePdu,
} from './pdu.ts';
import { status } from './status.ts';

/** SMPP 3.4 §2.2 and 5.0 §2.3. BINDING is OPEN with a bind sent or received and not yet answered. */
export type SessionState = 'OPEN' | 'BINDING' | 'BOUND_TX' | 'BOUND_RX' | 'BOUND_TRX' | 'UNBOUND' | 'CLOSED';

/** Why a session ended, as seen by the end that noticed. */
export type CloseCause =
  | 'peer_closed'
  | 'socket_error'
  | 'unframable'
  | 'pdu_timeout'
  | 'enquire_link_timeout'
  | 'response_timeout'
  | 'bind_timeout'
  | 'bind_refused'
  | 'session_init_timeout'
  | 'inactive'
  | 'unbound'
  | 'unbound_by_peer'
  | 'withheld'
  | 'destroyed';

/**
 * How one request ended; each request gets exactly one. response: the peer answered (read pdu.command_status; a
 * generic_nack is an answer too). uncertain: octets may have been sent, but no usable answer came; the peer may or may
 * not have the request. not_sent: provably no octet of it was sent.
 */
export type Outcome =
  | { kind: 'response'; pdu: ResponsePdu }
  | { kind: 'uncertain'; detail: CloseCause | 'wrong_response' | 'malformed_response' }
  | { kind: 'not_sent'; detail: CloseCause };

/** What sending a request returns at once: its sequence_number, or why nothing was sent and `settle` will not be called. */
export type Sent = number | 'window_full' | 'not_bound' | EncodeFailure;

/** A request of the peer that waits for our answer. */
export type InboundRequest<P extends RequestPdu = RequestPdu> = {
  readonly pdu: P;
  /**
   * Answers it: `fields` are those of the command's response. False when nothing was written: the request is already
   * answered, takes no answer (outbind, alert_notification), the fields cannot be encoded, or the session has ended.
   */
  respond(
    command_status: number,
    fields?: PduFields<'submit_sm_resp' | 'query_sm_resp' | 'submit_multi_resp'>,
  ): boolean;
};

/** Sends requests; `settle` is called exactly once for each accepted request. */
export type SendRequest = <C extends AnsweredName>(
  command: C,
  fields: PduFields<C>,
  settle: (outcome: Outcome) => void,
) => Sent;

/**
 * The events of a session; the caller takes them in order and acts on them. request: answer with
 * `session.respond(event, ...)`. settled: call `settle(outcome)`. bind_request: answer with `session.answerBind`.
 * closed: write what `takeBytes` still returns, then close the connection; it is the last event.
 */
export type SessionEvent =
  | { type: 'bind_request'; pdu: BindPdu }
  | { type: 'bound'; system_id: string; interface_version: number | undefined; takesTlvs: boolean }
  | { type: 'bind_refused'; command_status: number }
  | InboundEvent
  | { type: 'settled'; settle: (outcome: Outcome) => void; outcome: Outcome }
  | { type: 'response_timeout'; sequence_number: number; command_id: number }
  | { type: 'protocol_error'; error: ProtocolError }
  | { type: 'closed'; cause: CloseCause };

/** A request of the peer. The session sets `answered`. */
export type InboundEvent = { type: 'request'; pdu: RequestPdu; answered: boolean };

/** A violation of the standard by the peer. The session goes on unless `onClose` follows. */
export type ProtocolError = {
  what:
    | 'unframable'
    | 'malformed_pdu'
    | 'unknown_command'
    | 'unexpected_response'
    | 'wrong_response'
    | 'malformed_response'
    | 'wrong_state';
  sequence_number: number;
  command_id: number;
  detail: string;
};

/** When TLVs are written: only when the peer's interface_version is known to be 0x34 or more, always, or never. */
export type TlvPolicy = 'negotiated' | 'always' | 'never';

/** The limits and timers of one session; all times in milliseconds. */
export type SessionLimits = {
  /** our requests without an answer at one time; default 10 */
  window: number;
  /** an answer to a request must come within this, or the session closes; default 30,000 */
  responseTimeoutMs: number;
  /** after a response time-out, how long late answers are still accepted before the close; default 1,000 */
  lateAnswerMs: number;
  /** silence after which enquire_link is sent; 0 = never; default 30,000 */
  enquireLinkMs: number;
  /** further silence after which the session closes; default 10,000 */
  enquireLinkTimeoutMs: number;
  /** an answer to our bind must come within this; default 10,000 */
  bindTimeoutMs: number;
  /** an accepted connection must bind within this; default 10,000 */
  sessionInitMs: number;
  /** no request but enquire_link in either direction for this long: unbind; 0 = never; default 0 */
  inactivityMs: number;
  /** a PDU that has begun must be complete within this; default 10,000 */
  pduTimeoutMs: number;
  /** at an unbind, how long open requests may still be answered; default 5,000 */
  drainMs: number;
  /** how long to wait for the answer to our unbind; default 5,000 */
  unbindTimeoutMs: number;
  /** the peer's requests without our answer at one time; default 1,000 */
  inboundWindow: number;
  /** the command_status for requests over inboundWindow, or 'pause' to stop reading instead; default 0x58 (mc), 0x14 (esme) */
  inboundOverflow: number | 'pause';
  /** the largest accepted command_length; default 65,536 */
  maxPduLength: number;
  /** refuse requests with over-long fields and known TLVs of a wrong length; default true (mc), false (esme) */
  strict: boolean;
  /** default 'negotiated' */
  tlvs: TlvPolicy;
  /** the first sequence_number; default 1 */
  firstSequenceNumber: number;
};

/** Our end of the session: the ESME binds, the MC accepts binds. */
export type Role = 'esme' | 'mc';

/** The command_status that makes a peer send the request again later. */
export const overflowOf = (role: Role): number => (role === 'mc' ? status.ESME_RTHROTTLED : status.ESME_RMSGQFUL);

/** The limits in use: the defaults of a role, overridden by the caller's. */
export const sessionLimits = (role: Role, set: Partial<SessionLimits> = {}): SessionLimits => {
  const defaults: SessionLimits = {
    window: 10,
    responseTimeoutMs: 30_000,
    lateAnswerMs: 1_000,
    enquireLinkMs: 30_000,
    enquireLinkTimeoutMs: 10_000,
    bindTimeoutMs: 10_000,
    sessionInitMs: 10_000,
    inactivityMs: 0,
    pduTimeoutMs: 10_000,
    drainMs: 5_000,
    unbindTimeoutMs: 5_000,
    inboundWindow: 1_000,
    inboundOverflow: overflowOf(role),
    maxPduLength: PDU_LENGTH_MAX,
    strict: role === 'mc',
    tlvs: 'negotiated',
    firstSequenceNumber: 1,
  };
  const given = Object.entries(set).filter(([name, value]) => name in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
};

export type BindPdu = PduOf<'bind_receiver' | 'bind_transmitter' | 'bind_transceiver'>;
