/**
 * The states of a session, as data: the state after each bind, and the stages of ending. Source: SMPP 3.4 issue 1.2
 * §2.2.
 */
import { type BindName, commandById, RX, TRX, TX } from './commands.ts';
import type { MalformedPdu, RequestPdu, ResponsePdu, UnknownPdu } from './pdu.ts';
import type { SessionState } from './session-types.ts';

/**
 * The stages of an ending. draining: our unbind waits for open requests of either side. settling: the same, and new
 * requests are refused as temporary. unbind_sent: waiting for its answer. unbound: the answer has come, and we still
 * owe answers. peer: the peer's unbind waits for open requests of either side. overdue: an answer is overdue, and late
 * ones are still accepted.
 */
export type Ending = 'none' | 'draining' | 'settling' | 'unbind_sent' | 'unbound' | 'peer' | 'overdue';

/** From here on no new request is passed on, because it could no longer be answered. */
export const takesNothingNew: ReadonlySet<Ending> = new Set(['settling', 'unbind_sent', 'unbound']);

export const boundAs = {
  bind_transmitter: { state: 'BOUND_TX', bit: TX },
  bind_receiver: { state: 'BOUND_RX', bit: RX },
  bind_transceiver: { state: 'BOUND_TRX', bit: TRX },
} as const satisfies Record<BindName, { state: SessionState; bit: number }>;

export const isBind = (command_id: number): boolean => (commandById(command_id)?.name ?? '') in boundAs;

export type Inbound = RequestPdu | MalformedPdu | UnknownPdu;
export type Answer = ResponsePdu | MalformedPdu | UnknownPdu;
