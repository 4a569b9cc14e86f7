/**
 * The stages a session goes through, as data: what each bind leads to, and how far an ending has come. Decides nothing.
 * Source: SMPP 3.4 issue 1.2 §2.2.
 */
import { type BindName, commandById, RX, TRX, TX } from './commands.ts';
import type { MalformedPdu, RequestPdu, ResponsePdu, UnknownPdu } from './pdu.ts';
import type { SessionState } from './session-types.ts';

/**
 * How far an ending has come. draining: our unbind waits for what is open on either side. settling: the same, and what comes new
 * is refused for now. unbind_sent: its answer is awaited. unbound: that has come, and answers of ours are still owed. peer: the
 * peer's unbind waits for what is open on either side. overdue: an answer is, and late ones are still taken.
 */
export type Ending = 'none' | 'draining' | 'settling' | 'unbind_sent' | 'unbound' | 'peer' | 'overdue';

/** From here on nothing new is handed out: it could not be answered any more. */
export const takesNothingNew: ReadonlySet<Ending> = new Set(['settling', 'unbind_sent', 'unbound']);

export const boundAs = {
  bind_transmitter: { state: 'BOUND_TX', bit: TX },
  bind_receiver: { state: 'BOUND_RX', bit: RX },
  bind_transceiver: { state: 'BOUND_TRX', bit: TRX },
} as const satisfies Record<BindName, { state: SessionState; bit: number }>;

export const isBind = (command_id: number): boolean => (commandById(command_id)?.name ?? '') in boundAs;

export type Inbound = RequestPdu | MalformedPdu | UnknownPdu;
export type Answer = ResponsePdu | MalformedPdu | UnknownPdu;
