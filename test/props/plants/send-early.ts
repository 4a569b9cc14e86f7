/**
 * Planted bug: due messages go to the carrier before their `sending` mark is committed. The crash suites must find
 * copies without dupRisk. Without a crash nothing is lost or sent twice, which makes the bug a likely one.
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
 * A lane that believes more messages wait grants no slot at acceptance, so every message goes through the queue, where
 * this bug is. The list reports the requested length and iterates over what is there.
 */
function asIfFull(claims: Claim[], limit: number): Claim[] {
  const full = new Array<Claim>(limit);
  full[Symbol.iterator] = () => claims[Symbol.iterator]();
  return full;
}

/** The claims that `store.claim` would return, read without marking them. */
async function peek(store: Store, request: ClaimRequest): Promise<Claim[]> {
  const rows = await store.queued(request.lane, request.limit);
  // Together: each look-up may have to move what is in memory to the database.
  const messages = await Promise.all(rows.map((row) => store.message(row.accountId, row.messageId)));
  const claims: Claim[] = [];
  for (const [place, row] of rows.entries()) {
    const message = messages[place];
    if (!message) continue;
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
