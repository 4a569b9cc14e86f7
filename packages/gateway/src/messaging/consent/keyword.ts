/**
 * Turns a keyword reply into a command for the store, with its confirmation text. The transaction that stores the
 * reply decides whether anything changes.
 */
import type { Logger } from '../../kernel/logger.ts';
import type { InboundPart } from '../../model/delivery.ts';
import { isE164Digits, maskNumber } from '../../model/number.ts';
import type { SendingNumber } from '../../model/records.ts';
import { type OwnTextParts, ownText, wayTo } from '../accept/own-text.ts';
import type { ConsentCommand, SmsItem } from '../store/items.ts';
import {
  confirmationKeyId,
  confirmationText,
  type Keyword,
  keywordOf,
  networkConfirms,
  stoppingScopes,
} from './consent-rules.ts';

export interface KeywordParts extends OwnTextParts {
  logger: Logger;
}

/** The parts of a reply that decide whether it is a keyword; `concat` is null for a complete text. */
export type KeywordReply = Pick<InboundPart, 'from' | 'text' | 'concat'>;

/** The command in a reply to `owner`, or null for an ordinary reply. */
export type CommandFor = (reply: KeywordReply, owner: SendingNumber) => ConsentCommand | null;

export function createCommandFor(parts: KeywordParts): CommandFor {
  return ({ from, text, concat }, owner) => {
    const whole = concat === null || concat.total <= 1;
    if (!whole || text === null || !isE164Digits(from)) return null;
    const keyword = keywordOf(text);
    if (keyword === null) return null;
    const [scope, earlier] = stoppingScopes(owner);
    const more = keyword === 'in' && earlier !== undefined ? { earlier } : {};
    return { keyword, scope, ...more, confirmation: confirmation(keyword, from, owner, parts) };
  };
}

function confirmation(keyword: Keyword, contact: string, owner: SendingNumber, parts: KeywordParts): SmsItem | null {
  if (networkConfirms(owner.number)) return null;
  const way = wayTo(contact, owner, parts);
  if ('closed' in way) {
    parts.logger.warn({ keyword, contact: maskNumber(contact), why: way.closed }, 'a keyword is not confirmed');
    return null;
  }
  const campaign = owner.campaignId === null ? undefined : parts.directory().campaign(owner.campaignId);
  return ownText(
    {
      ...way,
      keyId: confirmationKeyId(keyword),
      referenceId: parts.ids.uuidv7(),
      from: owner.number,
      to: contact,
      text: confirmationText(keyword, campaign, way.account),
      idempotency: null,
    },
    parts,
  );
}
