/**
 * What left the handsets, for whoever looks at them. It is kept in a store of handsets the other way round, under the handset
 * as `to` and the gateway's number as `from`, so that whose it is and what must make room are decided in one place.
 */

import { mediumOf } from './handset-medium.ts';
import type { HandsetStore } from './handset-store.ts';
import type { HandsetContent, HandsetMessage, Handsets, MmsVia } from './handsets.ts';
import type { Clock, Ids } from './machine.ts';

export interface SentFrom {
  text(handset: string, own: string, text: string, shape: Pick<HandsetMessage, 'parts' | 'encoding'>): void;
  mms(handset: string, own: string, text: string, media: readonly HandsetContent[], via: MmsVia): void;
}

export function createSentFrom(parts: { clock: Clock; ids: Ids; kept: Pick<HandsetStore, 'add'> }): SentFrom {
  const { clock, ids, kept } = parts;
  const common = () => ({ id: ids.next('txt_'), subject: '', receivedAt: clock.now() });
  return {
    text: (handset, own, text, shape) =>
      kept.add({ ...common(), kind: 'SMS', via: 'smpp', from: own, to: handset, text, ...shape, media: [] }),
    mms: (handset, own, text, media, via) =>
      kept.add(
        {
          ...{ ...common(), kind: 'MMS', via, from: own, to: handset, text, encoding: null, parts: 1 },
          media: media.map((one) => mediumOf(one, ids)),
        },
        media.map(({ bytes }) => bytes),
      ),
  };
}

/** The right way round again. */
export function sentMessages(kept: Pick<HandsetStore, 'messages'>): Handsets['sent'] {
  return async (number, query) => {
    const found = await kept.messages(number, query);
    return found === 'full' ? found : found.map((one) => ({ ...one, from: one.to, to: one.from }));
  };
}
