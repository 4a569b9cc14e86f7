/**
 * The mobile network of the sandbox: answers a submit_sm as the dialled number behaves, brings the text to its handset,
 * sends receipts and replies back. Everything it tells the gateway goes through the outbox, over the wire.
 */
import { type InboundRequest, type PduOf, status } from '@heliograph/smpp';
import type { Clock, EpochMs, Random } from '../../domain/clock.ts';
import { createIds } from '../../domain/ids.ts';
import { isE164Digits, isShortCode } from '../../domain/number.ts';
import { type Handsets, type SandboxBehaviour, sandboxBehaviour } from '../../domain/sandbox.ts';
import { digitsOf } from '../sm-address.ts';
import { readContent, type SmContent } from '../sm-content.ts';
import { partsMax, type SmParts, textToParts } from '../sm-parts.ts';
import { createBoundedMap } from './bounded-map.ts';
import { type DeliverSm, handsetText, receiptFor, type SubmittedPart, wantsReceipt } from './deliver.ts';
import type { HandsetStore } from './handset-store.ts';
import type { Outbox } from './outbox.ts';
import { createReassembly } from './reassembly.ts';

type SubmitSm = PduOf<'submit_sm'>;

/** What one submit_sm can put into the outbox at most: its receipts and the parts of a reply. */
const outboxPerSubmit = 8;
/** Texts whose refused tries are counted, and senders whose last automatic reply is remembered, at one time. */
const rememberedMax = 10_000;

export interface Network {
  submitted(request: InboundRequest<SubmitSm>): void;
  reply: Handsets['reply'];
}

export interface NetworkParts {
  clock: Clock;
  random: Random;
  handsets: HandsetStore;
  outbox: Outbox;
}

export function createNetwork({ clock, random, handsets, outbox }: NetworkParts): Network {
  const nextMessageId = growingHexIds(clock.now());
  const ids = createIds(clock, random);
  const reassembly = createReassembly();
  const triesRefused = createBoundedMap<number>(rememberedMax);
  const repliedAt = createBoundedMap<EpochMs>(rememberedMax);
  let concatReference = Math.floor(random.fraction() * 256);

  function submitted(request: InboundRequest<SubmitSm>): void {
    const { pdu } = request;
    const to = digitsOf(pdu.destination_addr);
    if (!isE164Digits(to) && !isShortCode(to)) {
      request.respond(status.ESME_RINVDSTADR);
      return;
    }
    const behaviour = sandboxBehaviour(to);
    const refusal = refusalOf(pdu, behaviour) ?? (outbox.room() < outboxPerSubmit ? status.ESME_RMSGQFUL : null);
    if (refusal !== null) {
      request.respond(refusal);
      return;
    }
    const message_id = nextMessageId();
    carry(pdu, to, message_id, behaviour);
    const answer = (): void => void request.respond(status.ESME_ROK, { message_id });
    if (behaviour.responseAfterMs === undefined) answer();
    else clock.after(behaviour.responseAfterMs, answer);
  }

  function refusalOf(pdu: SubmitSm, { refusal }: SandboxBehaviour): number | null {
    if (refusal === undefined) return null;
    if (refusal.tries === 'always') return refusal.command_status;
    const text = `${pdu.source_addr} ${pdu.destination_addr} ${pdu.short_message.toString('latin1')}`;
    const refused = triesRefused.get(text) ?? 0;
    if (refused >= refusal.tries) {
      triesRefused.delete(text);
      return null;
    }
    triesRefused.set(text, refused + 1);
    return refusal.command_status;
  }

  function carry(pdu: SubmitSm, to: string, message_id: string, behaviour: SandboxBehaviour): void {
    const content = readContent(pdu, 'gsm');
    const addresses = addressesOf(pdu);
    const part: SubmittedPart = { addresses, message_id, submittedAt: clock.now(), content };
    const { registered_delivery } = pdu;
    const arrive = (): void => arrived(digitsOf(addresses.source_addr), to, content, behaviour);
    if (behaviour.receipts.length === 0) arrive();
    behaviour.receipts.forEach((receipt, i) => {
      outbox.after(receipt.afterMs, () => {
        if (i === 0 && receipt.stat === 'DELIVRD') arrive();
        return wantsReceipt(registered_delivery, receipt.stat) ? [receiptFor(part, receipt, clock.now())] : [];
      });
    });
  }

  function arrived(from: string, to: string, content: SmContent, { reply: answer }: SandboxBehaviour): void {
    const now = clock.now();
    const whole = reassembly.add(from, to, content, now);
    if (whole === null) return;
    handsets.add({ id: ids.next('txt_'), from, to, ...whole, receivedAt: now });
    if (answer === undefined) return;
    const pair = `${to} ${from}`;
    if (now - (repliedAt.get(pair) ?? Number.NEGATIVE_INFINITY) < answer.pauseMs) return;
    repliedAt.set(pair, now);
    outbox.after(answer.afterMs, () => fromHandset(to, from, replyParts(answer.text)?.parts ?? []));
  }

  function replyParts(text: string): SmParts | null {
    concatReference = (concatReference + 1) & 0xff;
    return textToParts(text, concatReference, { longMessage: 'udh8', defaultAlphabet: 'gsm' });
  }

  return {
    submitted,
    reply: (number, { text, to, isOwn }) => {
      const sender = to ?? handsets.lastSender(number, isOwn);
      if (sender === null) return { kind: 'no_sender' };
      const made = replyParts(text);
      if (made === null) return { kind: 'too_long', partsMax };
      if (outbox.room() < made.parts.length) return { kind: 'full' };
      for (const fields of fromHandset(number, sender, made.parts)) outbox.send(fields);
      return { kind: 'queued', from: number, to: sender, parts: made.parts.length, encoding: made.encoding };
    },
  };
}

function fromHandset(number: string, to: string, parts: SmParts['parts']): DeliverSm[] {
  return parts.map((part) => handsetText(number, to, part));
}

/** Only these: the PDU itself would keep the whole read from the socket alive until its receipt is out. */
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

/** Ids like `0199AF3C11C00000002A`: they begin with the start time, so that no two runs give the same one, and grow. */
function growingHexIds(startedAt: EpochMs): () => string {
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  const run = hex(startedAt, 12);
  let count = 0;
  return () => run + hex(++count, 8);
}
