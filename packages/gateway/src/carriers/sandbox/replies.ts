/**
 * Texts from handsets: typed by someone, or answered by a test number itself. They leave through the outbox like anything
 * the carrier brings. It never decides who may see which handset.
 */
import type { Clock, EpochMs, Random } from '../../domain/clock.ts';
import type { Handsets, SandboxBehaviour } from '../../domain/sandbox.ts';
import { partsMax, type SmParts, textToParts } from '../sm-parts.ts';
import { createBoundedMap } from './bounded-map.ts';
import { handsetText } from './deliver.ts';
import type { HandsetStore } from './handset-store.ts';
import type { Outbox } from './outbox.ts';

/** Pairs of handset and sender whose last automatic answer is remembered. */
const rememberedMax = 10_000;

export interface Replies {
  reply: Handsets['reply'];
  /** The automatic answer to a text that has arrived. */
  answer(handset: string, to: string, answer: NonNullable<SandboxBehaviour['reply']>): void;
}

export function createReplies(parts: {
  clock: Clock;
  random: Random;
  handsets: Pick<HandsetStore, 'lastSender'>;
  outbox: Outbox;
}): Replies {
  const { clock, handsets, outbox } = parts;
  const answeredAt = createBoundedMap<EpochMs>(rememberedMax);
  let concatReference = Math.floor(parts.random.fraction() * 256);

  function partsOf(text: string): SmParts | null {
    concatReference = (concatReference + 1) & 0xff;
    return textToParts(text, concatReference, { longMessage: 'udh8', defaultAlphabet: 'gsm' });
  }

  return {
    reply: (handset, { text, to, isOwn }) => {
      const sender = to ?? handsets.lastSender(handset, isOwn);
      if (sender === null) return { kind: 'no_sender' };
      const made = partsOf(text);
      if (made === null) return { kind: 'too_long', partsMax };
      if (outbox.room() < made.parts.length) return { kind: 'full' };
      for (const part of made.parts) outbox.send(handsetText(handset, sender, part));
      return { kind: 'queued', from: handset, to: sender, parts: made.parts.length, encoding: made.encoding };
    },
    answer: (handset, to, { text, afterMs, pauseMs }) => {
      const pair = `${handset} ${to}`;
      const now = clock.now();
      if (now - (answeredAt.get(pair) ?? Number.NEGATIVE_INFINITY) < pauseMs) return;
      answeredAt.set(pair, now);
      outbox.after(afterMs, () => (partsOf(text)?.parts ?? []).map((part) => handsetText(handset, to, part)));
    },
  };
}
