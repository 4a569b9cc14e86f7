/** Replies from handsets, and gathering messages into conversations. */
import { type StoreOf, storeModule } from '../../../store/module.ts';
import type { InboundItem, InboundMmsItem, InboundResult } from '../items.ts';
import { gather } from '../operations/gather.ts';
import { type InboundOutcome, inbound } from '../operations/inbound.ts';
import { inboundMms } from '../operations/inbound-mms.ts';

export const inboundStore = storeModule({
  name: 'inbound',
  writes: {
    gather: { run: gather, stage: 'gather', tool: true },
    inbound: { run: inbound, stage: 'receive', events: true, bytes: true },
    inboundMms: { run: inboundMms, stage: 'receive', events: true },
  },
  reads: {},
  verbs: (on) => ({
    /**
     * Stores replies; re-assembles parts in any order. No possible new text is dropped: a complete text that already
     * arrived within 24 h is stored again with `dupRisk`; only a part that still waits for its siblings is stored once.
     */
    inbound: async (items: InboundItem[]) => resultOf(await on.inbound(items)),
    /**
     * Stores messages in state `received` with their links, and executes keywords. A redelivery (same carrier, peer's
     * id and recipient) changes nothing and returns the `messageId` of the stored message.
     */
    inboundMms: async (items: InboundMmsItem[]) => resultOf(await on.inboundMms(items)),
  }),
});

/** Reads that need gathered conversations call `gather` themselves. */
export interface InboundStore extends Omit<StoreOf<typeof inboundStore>, 'gather'> {}

function resultOf(outcomes: readonly InboundOutcome[]): InboundResult {
  return {
    messageIds: outcomes.map(({ messageId }) => messageId),
    consent: outcomes.flatMap(({ change }) => change ?? []),
    lanes: [...new Set(outcomes.flatMap(({ lanes }) => lanes))],
  };
}
