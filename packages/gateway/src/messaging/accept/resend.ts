/**
 * Sends an earlier message again as a new message, checked by today's rules, over the same carrier or over the one that
 * the routing rules choose now. Refuses a message that is still waiting.
 */
import type { Ids, MessageId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { MessageView } from '../../model/message-view.ts';
import type { RecipientStatus, RequestReason } from '../../model/reason.ts';
import type { AcceptedSend, Caller, RecipientResult } from '../../model/send.ts';
import type { Acceptor } from './accept.ts';

/** `same`: the same carrier and reference. `fresh`: as today's routing rules choose. */
export const resendWays = ['same', 'fresh'] as const;
export type ResendWay = (typeof resendWays)[number];

export type Resent =
  | { kind: 'sent'; messageId: MessageId }
  | { kind: 'refused'; code: RequestReason | RecipientStatus | NotAgain; detail: string };

/** Why a message cannot be sent again. */
export type NotAgain = 'RECEIVED' | 'STILL_UNDER_WAY' | 'TEXT_GONE' | 'NO_CARRIER';

export interface ResendRequest {
  message: MessageView;
  way: ResendWay;
  caller: Caller;
  /** A second call with this id sends nothing; null = every call sends. */
  onceAs: string | null;
}

export type Resend = (request: ResendRequest) => Promise<Resent>;

/** Outcome still unknown: sending again could duplicate the message. */
const underWay: ReadonlySet<DeliveryState> = new Set(['accepted', 'queued', 'sending', 'sent', 'uncertain', 'held']);

export interface ResendParts {
  ids: Pick<Ids, 'request'>;
  acceptor: Pick<Acceptor, 'accept'>;
  directory(): Directory;
}

/** Throws StoreUnavailable when nothing could be stored. */
export function createResend({ ids, acceptor, directory }: ResendParts): Resend {
  return async ({ message, way, caller, onceAs }) => {
    const refusal = notAgain(message, way);
    if (refusal !== null) return refusal;
    const { from, to, text, mediaUrls, referenceId, carrier } = message;
    // The number decides the environment, whichever one the page shows.
    const environment = directory().number(from)?.environment ?? caller.key.environment;
    const outcome = await acceptor.accept(
      {
        from,
        to: [to],
        text,
        mediaUrls,
        validityMinutes: null,
        ...(way === 'same' ? { referenceId, carrier: carrier! } : { referenceId: null }),
      },
      { ...caller, key: { ...caller.key, environment } },
      {
        requestId: ids.request(),
        dryRun: false,
        idempotency: onceAs === null ? null : { key: onceAs, bodyHash: `${way} ${message.messageId}` },
      },
      firstResult,
    );
    if (outcome.kind === 'rejected') return { kind: 'refused', code: outcome.reason, detail: outcome.detail };
    const { status, messageId, detail } = JSON.parse(outcome.body) as RecipientResult;
    if (messageId !== undefined) return { kind: 'sent', messageId };
    return { kind: 'refused', code: status, detail: detail ?? 'It was not sent.' };
  };
}

function firstResult({ results }: AcceptedSend): string {
  return JSON.stringify(results[0]);
}

/** Why a message cannot be sent again at all. */
export function notAgain(
  { direction, state, carrier, bodyDeletedAt }: Pick<MessageView, 'direction' | 'state' | 'carrier' | 'bodyDeletedAt'>,
  way: ResendWay,
): Extract<Resent, { kind: 'refused' }> | null {
  const refused = (code: NotAgain, detail: string) => ({ kind: 'refused', code, detail }) as const;
  if (direction === 'inbound') return refused('RECEIVED', 'It was received, not sent.');
  if (underWay.has(state))
    return refused('STILL_UNDER_WAY', 'It is still being sent: sent again, it may arrive twice.');
  if (bodyDeletedAt !== undefined) return refused('TEXT_GONE', 'Its text and media were deleted because of their age.');
  if (way === 'same' && carrier === null) {
    return refused('NO_CARRIER', 'It never went to a carrier, so it cannot take the same one again.');
  }
  return null;
}
