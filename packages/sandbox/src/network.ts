/**
 * The mobile network of the sandbox, for SMS: answers a submit_sm by the behaviour of the dialled number, delivers the
 * text to its handset, and sends receipts and replies back. Everything to the gateway goes through the outbox, over the
 * wire.
 */
import { digitsOf, type InboundRequest, type PduOf, readContent, type SmContent, status } from '@heliograph/smpp';
import type { SandboxBehaviour } from './behaviour.ts';
import { receiptFor, type SubmittedPart, wantsReceipt } from './deliver.ts';
import { expiredReceipt, type FaultInjection, type FaultyBehaviour } from './fault-injection.ts';
import type { HandsetStore } from './handset-store.ts';
import type { Clock, Ids } from './machine.ts';
import type { Outbox } from './outbox.ts';
import { createReassembly } from './reassembly.ts';
import { createRefusals, type Refuses } from './refusals.ts';
import type { Replies } from './replies.ts';

type SubmitSm = PduOf<'submit_sm'>;

/** The most entries that one submit_sm adds to the outbox: its receipts and the parts of an automatic reply. */
const outboxPerSubmit = 8;

export interface NetworkParts {
  clock: Clock;
  /** Shared by all protocols, because ids of messages must grow. */
  ids: Ids;
  handsets: HandsetStore;
  outbox: Outbox;
  replies: Replies;
  faultInjection: Pick<FaultInjection, 'behaviour' | 'hold'>;
  /** Whether this number can be a handset. */
  isHandset(number: string): boolean;
}

/** An accepted text on its way to its handset. */
interface Underway {
  part: SubmittedPart;
  from: string;
  to: string;
  registered_delivery: number;
}

/** Returns the function that answers a submit_sm. */
export function createNetwork(parts: NetworkParts): (request: InboundRequest<SubmitSm>) => void {
  const { clock, ids, handsets, outbox, replies, faultInjection } = parts;
  const nextMessageId = growingHexIds(clock.now());
  const reassembly = createReassembly();
  const refuses = createRefusals();

  function arrived(from: string, to: string, content: SmContent, behaviour: SandboxBehaviour): void {
    const receivedAt = clock.now();
    const whole = reassembly.add(from, to, content, receivedAt);
    if (whole === null) return;
    const id = ids.next('txt_');
    handsets.add({ id, kind: 'SMS', via: 'smpp', from, to, subject: '', ...whole, media: [], receivedAt });
    if (behaviour.reply !== undefined) replies.answer(to, from, behaviour.reply);
  }

  /** Delivers it to the handset and reports it. */
  function carry({ part, from, to, registered_delivery }: Underway, behaviour: FaultyBehaviour): void {
    const arrive = (): void => arrived(from, to, part.content, behaviour);
    if (behaviour.receipts.length === 0) arrive();
    behaviour.receipts.forEach((receipt, i) => {
      outbox.after(receipt.afterMs, () => {
        if (i === 0 && receipt.stat === 'DELIVRD') arrive();
        const isReported = receipt.lost !== true && wantsReceipt(registered_delivery, receipt.stat);
        return isReported ? [receiptFor(part, receipt, clock.now())] : [];
      });
    });
  }

  /** Held while the handset is off; false when too many messages are held. */
  function take(underway: Underway, behaviour: FaultyBehaviour): boolean {
    const { from, to } = underway;
    if (!behaviour.off) {
      carry(underway, behaviour);
      return true;
    }
    return faultInjection.hold(from, to, {
      arrive: () => carry(underway, faultInjection.behaviour(from, to)),
      expire: () => carry(underway, { ...behaviour, receipts: [expiredReceipt] }),
    });
  }

  return (request) => {
    const { pdu } = request;
    const to = digitsOf(pdu.destination_addr);
    if (!parts.isHandset(to)) {
      request.respond(status.ESME_RINVDSTADR);
      return;
    }
    const from = digitsOf(pdu.source_addr);
    const behaviour = faultInjection.behaviour(from, to);
    const refusal = outbox.room() < outboxPerSubmit ? status.ESME_RMSGQFUL : refusalOf(pdu, behaviour, refuses);
    if (refusal !== null) {
      request.respond(refusal);
      return;
    }
    const message_id = nextMessageId();
    const part = {
      addresses: addressesOf(pdu),
      message_id,
      submittedAt: clock.now(),
      content: readContent(pdu, 'gsm'),
    };
    const { registered_delivery } = pdu;
    if (!take({ part, from, to, registered_delivery }, behaviour)) {
      request.respond(status.ESME_RMSGQFUL);
      return;
    }
    const answer = (): void => void request.respond(status.ESME_ROK, { message_id });
    if (behaviour.responseAfterMs === undefined) answer();
    else clock.after(behaviour.responseAfterMs, answer);
  };
}

/** The command_status of a refusal, or null when this attempt is accepted. */
function refusalOf(pdu: SubmitSm, { refusal }: SandboxBehaviour, refuses: Refuses): number | null {
  if (refusal === undefined || refusal.command_status === null) return null;
  const text = `${pdu.source_addr} ${pdu.destination_addr} ${pdu.short_message.toString('latin1')}`;
  return refuses(text, refusal.tries) ? refusal.command_status : null;
}

/** Copies only the addresses: the PDU would keep the whole read from the socket alive until its receipt is sent. */
function addressesOf(pdu: SubmitSm): Required<SubmittedPart['addresses']> {
  const { service_type, source_addr_ton, source_addr_npi, source_addr } = pdu;
  const { dest_addr_ton, dest_addr_npi, destination_addr } = pdu;
  return {
    service_type,
    source_addr_ton,
    source_addr_npi,
    source_addr,
    dest_addr_ton,
    dest_addr_npi,
    destination_addr,
  };
}

/** Ids like `0199AF3C11C00000002A`: they begin with the start time, so that no two runs repeat one, and grow. */
function growingHexIds(startedAt: number): () => string {
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  const run = hex(startedAt, 12);
  let count = 0;
  return () => run + hex(++count, 8);
}
