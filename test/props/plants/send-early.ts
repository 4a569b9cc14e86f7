/**
 * Planted bug: what is due goes to the carrier before its `sending` mark is committed. The crash suites must find copies
 * without dupRisk with it. Without a crash nothing is lost or doubled, which is what makes the bug a likely one.
 */
import type { Claim } from '../../../packages/gateway/src/domain/delivery.ts';
import type { ClaimRequest, Store } from '../../../packages/gateway/src/store/store.ts';
import { plantStore, withMethods } from './plant.ts';

const markLaterMs = 30;

plantStore((store) => {
  /** Handed to the carrier, and `queued` on disk until the mark comes. */
  const handed = new Set<string>();
  /** What the mark took besides; the next claim hands it out. */
  const marked: Claim[] = [];
  let marking: Promise<unknown> = Promise.resolve();

  function markLater(lane: string): void {
    marking = new Promise((resolve) => setTimeout(resolve, markLaterMs)).then(async () => {
      const request = { lane, limit: 1_000, now: Date.now(), token: store.token };
      for (const claim of await store.claim(request)) {
        if (!handed.delete(claim.messageId)) marked.push(claim);
      }
    });
  }

  return withMethods(store, {
    accept: async (items) => {
      await marking;
      const direct = items.flatMap((item) => item.deliveries.filter((delivery) => delivery.sending));
      for (const delivery of direct) delivery.sending = false;
      const results = await store.accept(items);
      for (const delivery of direct) {
        handed.add(delivery.messageId);
        delivery.sending = true;
      }
      if (direct.length > 0) markLater(direct[0].lane);
      return results;
    },
    claim: async (request) => {
      await marking;
      if (marked.length > 0) return marked.splice(0, request.limit);
      const claims = (await peek(store, request)).filter((claim) => !handed.has(claim.messageId));
      for (const claim of claims) handed.add(claim.messageId);
      if (claims.length > 0) markLater(request.lane);
      return claims;
    },
    settle: async (settlements) => {
      await marking;
      return await store.settle(settlements);
    },
  });
});

/** What a claim would return, read without marking it. */
async function peek(store: Store, request: ClaimRequest): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const row of await store.queued(request.lane, request.limit)) {
    const message = await store.message(row.accountId, row.messageId);
    if (message === null) continue;
    claims.push({
      ...row,
      keyId: '',
      lane: request.lane,
      attempt: 1,
      dupRisk: false,
      text: message.text,
      mediaUrls: [],
      segments: 1,
      concatReference: 0,
      expiresAt: Number.MAX_SAFE_INTEGER,
      acceptedAt: request.now,
      partsAccepted: [],
    });
  }
  return claims;
}
