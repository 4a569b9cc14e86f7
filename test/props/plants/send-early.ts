/**
 * Planted bug: what is due goes to the carrier before its `sending` mark is committed. The crash suites must find copies
 * without dupRisk with it. Without a crash nothing is lost or doubled, which is what makes the bug a likely one.
 */

import type { Store } from '../../../packages/gateway/src/app/store.ts';
import type { ClaimRequest } from '../../../packages/gateway/src/messaging/store/items.ts';
import type { Claim } from '../../../packages/gateway/src/model/delivery.ts';
import { plantStore, withMethods } from './plant.ts';

const markLaterMs = 30;

plantStore((store) => {
  let marking: Promise<unknown> = Promise.resolve();
  return withMethods(store, {
    claim: async (request) => {
      await marking;
      const claims = await peek(store, request);
      if (claims.length > 0)
        marking = new Promise((resolve) => setTimeout(resolve, markLaterMs)).then(() =>
          store.claim({ ...request, limit: claims.length }),
        );
      return asIfFull(claims, request.limit);
    },
    settle: async (settlements) => {
      await marking;
      return await store.settle(settlements);
    },
  });
});

/**
 * A lane that thinks that more waits gives no room away: everything goes through the queue, where this bug is. The list
 * says that it is as long as was asked for, and holds what there is.
 */
function asIfFull(claims: Claim[], limit: number): Claim[] {
  const full = new Array<Claim>(limit);
  full[Symbol.iterator] = () => claims[Symbol.iterator]();
  return full;
}

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
      media: null,
      segments: 1,
      concatReference: 0,
      expiresAt: Number.MAX_SAFE_INTEGER,
      acceptedAt: request.now,
      partsAccepted: [],
    });
  }
  return claims;
}
