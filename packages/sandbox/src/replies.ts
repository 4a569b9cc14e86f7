/**
 * Messages from handsets: typed by a person, or automatic replies of a test number. They are sent through the outboxes
 * like everything from the carrier, and kept for readers.
 */
import { partsMax, type SmParts, textToParts } from '@heliograph/smpp';
import type { SandboxBehaviour } from './behaviour.ts';
import { createBoundedMap } from './bounded-map.ts';
import { handsetText } from './deliver.ts';
import type { HandsetStore } from './handset-store.ts';
import type { HandsetContent, HandsetMessage, HandsetReply, Handsets, MmsVia, ReplyFromHandset } from './handsets.ts';
import type { Clock, Ids, Random } from './machine.ts';
import { mediumOf } from './media-shelf.ts';
import { bytesOf, type MmsChannel } from './mms-channel.ts';
import type { Outbox } from './outbox.ts';

/** Pairs of handset and sender whose last automatic reply is remembered. */
const rememberedMax = 10_000;
/** Total size of all media of one MMS: more would not fit a message in base64. */
const mediaBytesMax = 5 * 1024 * 1024;

export interface Replies {
  reply: Handsets['reply'];
  /** Sends the automatic reply to a message that has arrived. */
  answer(handset: string, to: string, answer: NonNullable<SandboxBehaviour['reply']>): void;
}

export function createReplies(parts: {
  clock: Clock;
  random: Random;
  handsets: Pick<HandsetStore, 'lastSender' | 'lastMmsVia'>;
  outbox: Outbox;
  /** Records what leaves a handset. */
  sent: SentFrom;
  channels: Readonly<Record<MmsVia, MmsChannel>>;
}): Replies {
  const { clock, handsets, outbox, sent, channels } = parts;
  const answeredAt = createBoundedMap<number>(rememberedMax);
  let concatReference = Math.floor(parts.random.fraction() * 256);

  function partsOf(text: string): SmParts | null {
    concatReference = (concatReference + 1) & 0xff;
    return textToParts(text, concatReference, { longMessage: 'udh8', defaultAlphabet: 'gsm' });
  }

  function text(from: string, to: string, text: string): HandsetReply {
    const made = partsOf(text);
    if (made === null) return { kind: 'too_long', partsMax };
    if (outbox.room() < made.parts.length) return { kind: 'full' };
    for (const part of made.parts) outbox.send(handsetText(from, to, part));
    const { encoding } = made;
    sent.text(from, to, text, { parts: made.parts.length, encoding });
    return { kind: 'queued', from, to, messageType: 'SMS', via: 'smpp', parts: made.parts.length, encoding, media: 0 };
  }

  function mms(from: string, to: string, { text, media = [], via }: ReplyFromHandset): HandsetReply {
    const bytes = bytesOf(media);
    if (bytes > mediaBytesMax) return { kind: 'too_large', bytesMax: mediaBytesMax };
    const channel = channels[via ?? handsets.lastMmsVia(from, to) ?? 'mm7'];
    if (!channel.outbox.hasRoom(1, bytes)) return { kind: 'full' };
    channel.outbox.post(channel.deliver({ from, to, text, media }), bytes);
    sent.mms(from, to, text, media, channel.via);
    const queued = { messageType: 'MMS', via: channel.via, parts: 1, encoding: null, media: media.length } as const;
    return { kind: 'queued', from, to, ...queued };
  }

  return {
    reply: (handset, reply) => {
      const sender = reply.to ?? handsets.lastSender(handset, reply.isOwn);
      if (sender === null) return { kind: 'no_sender' };
      return reply.media?.length ? mms(handset, sender, reply) : text(handset, sender, reply.text);
    },
    answer: (handset, to, { text, afterMs, pauseMs }) => {
      const pair = `${handset} ${to}`;
      const now = clock.now();
      if (now - (answeredAt.get(pair) ?? Number.NEGATIVE_INFINITY) < pauseMs) return;
      answeredAt.set(pair, now);
      outbox.after(afterMs, () => {
        const made = partsOf(text);
        if (made === null) return [];
        sent.text(handset, to, text, { parts: made.parts.length, encoding: made.encoding });
        return made.parts.map((part) => handsetText(handset, to, part));
      });
    },
  };
}

interface SentFrom {
  text(handset: string, own: string, text: string, shape: Pick<HandsetMessage, 'parts' | 'encoding'>): void;
  mms(handset: string, own: string, text: string, media: readonly HandsetContent[], via: MmsVia): void;
}

/**
 * Stores sent messages in a handset store with the directions swapped: the handset as `to`, the gateway's number as
 * `from`. So visibility and limits are decided in one place.
 */
export function createSentFrom(parts: { clock: Clock; ids: Ids; kept: Pick<HandsetStore, 'add'> }): SentFrom {
  const { clock, ids, kept } = parts;
  const common = () => ({ id: ids.next('txt_'), subject: '', receivedAt: clock.now() });
  return {
    text: (handset, own, text, shape) =>
      kept.add({ ...common(), kind: 'SMS', via: 'smpp', from: own, to: handset, text, ...shape, media: [] }),
    mms: (handset, own, text, media, via) =>
      kept.add(
        {
          ...common(),
          kind: 'MMS',
          via,
          from: own,
          to: handset,
          text,
          encoding: null,
          parts: 1,
          media: media.map((one) => mediumOf(one, ids)),
        },
        media.map(({ bytes }) => bytes),
      ),
  };
}

/** Swaps the directions back. */
export function sentMessages(kept: Pick<HandsetStore, 'messages'>): Handsets['sent'] {
  return async (number, query) => {
    const found = await kept.messages(number, query);
    return found === 'full' ? found : found.map((one) => ({ ...one, from: one.to, to: one.from }));
  };
}
