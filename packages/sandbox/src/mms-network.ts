/**
 * The mobile network of the sandbox, for MMS over MM7 and MM4. Answers a submission by the behaviour of the dialled
 * number, delivers the message to its handset, and sends the reports on the channel it came by.
 */
import { type MmsPart, textOf } from '@heliograph/mms';
import type { MmsRefusal, SandboxBehaviour } from './behaviour.ts';
import { expiredReceipt, type FaultInjection, type FaultyBehaviour } from './fault-injection.ts';
import type { HandsetStore } from './handset-store.ts';
import type { Clock, Ids } from './machine.ts';
import { mediumOf } from './media-shelf.ts';
import { bytesOf, type MmsChannel } from './mms-channel.ts';
import { createRefusals } from './refusals.ts';
import type { Replies } from './replies.ts';

/** The most entries that one submission adds to an outbox: its receipts and the RES of MM4. */
const outboxPerSubmission = 4;

export interface SubmittedMms {
  messageId: string;
  from: string;
  to: string;
  subject: string;
  parts: readonly MmsPart[];
  deliveryReport: boolean;
}

/** `afterMs`: delay of the answer. */
export type MmsVerdict = { kind: 'taken'; afterMs: number } | { kind: 'refused'; refusal: MmsRefusal };

export type MmsNetwork = (channel: MmsChannel, mms: SubmittedMms) => MmsVerdict;

export function createMmsNetwork(parts: {
  clock: Clock;
  ids: Ids;
  handsets: HandsetStore;
  replies: Replies;
  faultInjection: Pick<FaultInjection, 'behaviour' | 'hold'>;
  /** Whether this number can be a handset. */
  isHandset(number: string): boolean;
}): MmsNetwork {
  const { clock, ids, handsets, replies, faultInjection } = parts;
  const refuses = createRefusals();

  function arrived({ via }: MmsChannel, mms: SubmittedMms, behaviour: SandboxBehaviour): void {
    const { from, to, subject } = mms;
    const media = mms.parts.filter(({ contentType }) => contentType !== 'text/plain');
    handsets.add(
      {
        id: ids.next('txt_'),
        kind: 'MMS',
        via,
        from,
        to,
        subject,
        text: textOf(mms.parts),
        encoding: null,
        parts: 1,
        media: media.map((part) => mediumOf(part, ids)),
        receivedAt: clock.now(),
      },
      media.map(({ bytes }) => bytes),
    );
    if (behaviour.reply !== undefined) replies.answer(to, from, behaviour.reply);
  }

  function carry(channel: MmsChannel, mms: SubmittedMms, behaviour: FaultyBehaviour): void {
    if (behaviour.receipts.length === 0) arrived(channel, mms, behaviour);
    behaviour.receipts.forEach(({ mmStatus, afterMs, lost }, i) => {
      const arrives = i === 0 && mmStatus === 'Retrieved';
      channel.outbox.after(afterMs, arrives ? bytesOf(mms.parts) : 0, () => {
        if (arrives) arrived(channel, mms, behaviour);
        if (!mms.deliveryReport || lost === true) return null;
        const { messageId, to: recipient, from: sender } = mms;
        return channel.report({ messageId, recipient, sender, mmStatus, at: clock.now() });
      });
    });
  }

  /** Held while the handset is off; false when too many messages are held. */
  function take(channel: MmsChannel, mms: SubmittedMms, behaviour: FaultyBehaviour): boolean {
    if (!behaviour.off) {
      carry(channel, mms, behaviour);
      return true;
    }
    const { from, to } = mms;
    return faultInjection.hold(from, to, {
      arrive: () => carry(channel, mms, faultInjection.behaviour(from, to)),
      expire: () => carry(channel, mms, { ...behaviour, receipts: [expiredReceipt] }),
    });
  }

  return (channel, mms) => {
    const { from, to } = mms;
    if (!parts.isHandset(to)) return { kind: 'refused', refusal: 'no address' };
    if (!channel.outbox.hasRoom(outboxPerSubmission, bytesOf(mms.parts)))
      return { kind: 'refused', refusal: 'throttled' };
    const behaviour = faultInjection.behaviour(from, to);
    const { refusal } = behaviour;
    if (refusal !== undefined && refuses(`${from} ${to} ${textOf(mms.parts)}`, refusal.tries)) {
      return { kind: 'refused', refusal: refusal.mms };
    }
    if (!take(channel, mms, behaviour)) return { kind: 'refused', refusal: 'throttled' };
    return { kind: 'taken', afterMs: behaviour.responseAfterMs ?? 0 };
  };
}
