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
     * Stores replies; re-assembles parts in any order. Nothing that could be a new text is dropped: a whole text that came
     * before within 24 h is stored again with `dupRisk`; only a part that still waits for its siblings is taken once.
     */
    inbound: async (items: InboundItem[]) => resultOf(await on.inbound(items)),
    /**
     * Stores messages in state `received` with their links, and does what keywords ask. One that came before (same carrier,
     * peer's id and recipient) changes nothing and gives the `messageId` it was stored under.
     */
    inboundMms: async (items: InboundMmsItem[]) => resultOf(await on.inboundMms(items)),
  }),
});

/** What gathers is asked for by the reads that need it. */
export interface InboundStore extends Omit<StoreOf<typeof inboundStore>, 'gather'> {}

function resultOf(outcomes: readonly InboundOutcome[]): InboundResult {
  return {
    messageIds: outcomes.map(({ messageId }) => messageId),
    consent: outcomes.flatMap(({ change }) => change ?? []),
    lanes: [...new Set(outcomes.flatMap(({ lanes }) => lanes))],
  };
}
