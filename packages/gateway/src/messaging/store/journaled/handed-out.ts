/** Collects deliveries that a transaction made `sending`, and returns them to the queue when no caller received them. Pure. */
import type { Claim, Settlement } from '../../../model/delivery.ts';
import type { WriteCall } from '../../../store/catalogue.ts';
import type { HandOutHook } from '../../../store/hook.ts';
import { type AcceptItem, type AcceptResult, isSmsItem } from '../items.ts';
import type { Claimed } from '../operations/claim.ts';

type HandedOut = Pick<Claim, 'messageId' | 'attempt' | 'lane'>;

/** Deliveries that a transaction made `sending`: claimed, or accepted for a lane with free slots. */
function handedOut(calls: readonly WriteCall[], results: readonly unknown[][]): HandedOut[] {
  return calls.flatMap(({ kind, items }, index) => {
    if (kind === 'claim') return (results[index] as Claimed[]).flatMap(({ deliveries }) => deliveries);
    if (kind !== 'accept') return [];
    return (items as readonly AcceptItem[])
      .filter((_, place) => isHandedOut((results[index] as AcceptResult[])[place]!))
      .flatMap((item) => (isSmsItem(item) ? item.deliveries.filter(({ sending }) => sending) : []))
      .map(({ messageId, lane }) => ({ messageId, lane, attempt: 1 }));
  });
}

const isHandedOut = (result: AcceptResult): boolean => result.kind === 'stored' && result.waits !== true;

/** Restores the state before the claim. No effect if the claim was not committed. */
function givenBack(claim: HandedOut, now: number): Settlement {
  return {
    messageId: claim.messageId,
    attempt: claim.attempt,
    to: 'queued',
    code: null,
    carrierCode: null,
    detail: 'the connection to the database was lost before it could be sent',
    carrier: claim.lane,
    parts: [],
    dueAt: now,
    lane: claim.lane,
    countsAttempt: false,
  };
}

export const messagesHandedOut: HandOutHook<HandedOut> = {
  handedOut,
  giveBack: (handed, now) => ({ kind: 'settle', items: handed.map((claim) => givenBack(claim, now)) }),
};
