/** Query parameters and rows of message lists. */

import { isoTime } from '../../http/envelope.ts';
import { rejection } from '../../http/exchange.ts';
import { pageLimit } from '../../http/list-query.ts';
import type { Owner } from '../../http/owner.ts';
import type { PortalCall } from '../../http/portal/portal-guard.ts';
import { afterQuery, type QueryOf, textQueries } from '../../http/query-fields.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { confirmationKeyId } from '../../messaging/consent/consent-rules.ts';
import type {
  ListedRefused,
  MessageSearch,
  OwnSide,
  RefusedPlace,
  RefusedSearch,
} from '../../messaging/store/message-log-items.ts';
import { demoKeyId } from '../../model/demo.ts';
import type { Directory } from '../../model/directory.ts';
import { answerName, demoName, keyNameOf, portalName } from '../../model/directory.ts';
import {
  type ListedMessage,
  type MessageFilter,
  parseMessageSearch,
  type SearchProblem,
} from '../../model/message-search.ts';
import { flatMessage, type MessageFields } from '../../model/message-view.ts';
import { portalKeyMark } from '../../model/people.ts';
import type { Environment, SendingNumber } from '../../model/records.ts';
import { ownNumber } from '../webhooks/webhook-routing.ts';

export const noMessage = rejection('NOT_FOUND', 'Your company has no message with this id. Check the id.');

/** A whole id, or its first characters, which hold the time. */
const cursorForm = /^msg_[0-9A-HJKMNP-TV-Z]{10,26}$/;

const search = { q: 'In the search language of the message log.' };
const page = { before: '`next` of the previous page.', limit: 'Entries of one page.' };
export const messagesQuery = {
  ...textQueries({ ...search, ...page }),
  after: afterQuery('Messages after this one, oldest first.'),
  ...textQueries({ by: '`request`: a row for each request.' }),
};
export const refusedQuery = textQueries({ ...search, ...page });

export interface ListParams {
  search: MessageSearch;
  /** One row for each request. */
  byRequest: boolean;
  problems: SearchProblem[];
}

/** The sentence about the fault, or the parsed query. */
export function readListParams(
  call: PortalCall & { query: QueryOf<typeof messagesQuery> },
  directory: Directory,
): ListParams | string {
  const { q, before, after, by, limit: sent } = call.query;
  if (by !== null && by !== 'request') return 'The query parameter by may be request.';
  for (const [name, cursor] of [
    ['before', before],
    ['after', after],
  ] as const) {
    if (cursor !== null && !cursorForm.test(cursor)) return `The query parameter ${name} must be the next of a page.`;
  }
  const limit = pageLimit(sent);
  if (typeof limit === 'string') return limit;
  const { search, problems } = searchOf(call, directory, q ?? '');
  return { search: { ...search, before, after, limit }, byRequest: by === 'request', problems };
}

const refusedCursorForm = /^(req_[0-9A-HJKMNP-TV-Z]{26})~(\d{1,9})$/;

interface RefusedParams {
  search: RefusedSearch;
  /** Which parts of the search can match refused recipients. */
  asks: { status: boolean; reason: boolean; number: boolean };
  problems: SearchProblem[];
}

/** The cursor of the next page of refused recipients. */
export function refusedCursor({ requestId, place }: RefusedPlace): string {
  return `${requestId}~${place}`;
}

/** The same search for refused recipients; the sentence about the fault, or the parsed query. */
export function readRefusedParams(
  call: PortalCall & { query: QueryOf<typeof refusedQuery> },
  directory: Directory,
): RefusedParams | string {
  const values = call.query;
  const [, requestId, place] = refusedCursorForm.exec(values.before ?? '') ?? [];
  if (values.before !== null && requestId === undefined) {
    return 'The query parameter before must be the next of a page.';
  }
  const limit = pageLimit(values.limit);
  if (typeof limit === 'string') return limit;
  const { search, problems } = searchOf(call, directory, values.q ?? '');
  const before = requestId === undefined ? null : { requestId, place: Number(place) };
  const { refused: status, codes, to, numbers } = search.filter;
  const asks = { status, reason: codes.length > 0, number: to.length + numbers.length > 0 };
  return { search: { ...search, before, limit }, asks, problems };
}

/** The search, limited to the chosen environment. */
export function searchOf(
  { account: { accountId }, environment, may }: PortalCall,
  directory: Directory,
  q: string,
): { search: Omit<MessageSearch, 'before' | 'after' | 'limit'>; problems: SearchProblem[] } {
  const { filter, problems } = readSearch(q, { directory, accountId, readsTexts: may('readBody') });
  const own = directory.records.numbers.filter((one) => one.accountId === accountId);
  // An id identifies one message or request, in either environment.
  const isNamed = filter.messageIds.length > 0 || filter.requestId !== null;
  const search = { accountId, filter, ownNumbers: own.map((one) => one.number) };
  return { search: { ...search, ...(isNamed ? {} : ofEnvironment(own, environment)) }, problems };
}

/**
 * Names the environment's messages by the shorter of two lists of numbers. Messages of deleted numbers belong to both
 * environments.
 */
export function ofEnvironment(own: readonly SendingNumber[], environment: Environment): OwnSide {
  const [mine, others] = [true, false].map((wanted) =>
    own.filter((one) => (one.environment === environment) === wanted).map((one) => one.number),
  ) as [string[], string[]];
  if (others.length === 0) return {};
  return others.length <= listedMax || others.length <= mine.length ? { without: others } : { only: mine };
}

/** The same of one message. */
export function isOfEnvironment(message: MessageFields, owner: Owner, directory: Directory): boolean {
  const known = directory.number(ownNumber(message));
  return known?.accountId !== owner.accountId || known.environment === owner.environment;
}

/** Numbers that a search can exclude one by one without becoming slower. */
const listedMax = 50;

const notReader = 'Your role may not read texts, so it cannot search them.';

const noKey = 'No key pair of your company has this name, so the search finds nothing.';

function readSearch(
  text: string,
  { directory, accountId, readsTexts }: { directory: Directory; accountId: AccountId; readsTexts: boolean },
): { filter: MessageFilter; problems: SearchProblem[] } {
  const { filter, problems } = parseMessageSearch(text);
  // The results would reveal what the texts say.
  if (filter.text !== null && !readsTexts) {
    problems.push({ token: `text:"${filter.text}"`, sentence: notReader });
    filter.text = null;
  }
  const named = filter.keys;
  filter.keys = [];
  for (const name of named) {
    const keyIds = keyIdsOf(directory, accountId, name);
    if (keyIds.length === 0) problems.push({ token: `key:${name}`, sentence: noKey });
    // Without this, the unknown name would match everything, and a bulk action would apply to it.
    filter.keys.push(...(keyIds.length === 0 ? [`none:${name}`] : keyIds));
  }
  return { filter, problems };
}

const answerKeyIds = (['out', 'in', 'help'] as const).map(confirmationKeyId);

/** By id or name; portal senders by their id, or all of them by their name. Usage names all of them by their id. */
function keyIdsOf({ records }: Directory, accountId: AccountId, name: string): string[] {
  if (/^portal:usr_[0-9A-Z]{26}$/.test(name) || name === demoKeyId || answerKeyIds.includes(name)) return [name];
  const wanted = name.toLowerCase();
  const ofGateway = new Map([
    [portalName.toLowerCase(), [portalKeyMark]],
    [demoName, [demoKeyId]],
    [answerName.toLowerCase(), answerKeyIds],
  ]);
  return records.apiKeys
    .filter((key) => key.accountId === accountId && (key.keyId === name || key.name.toLowerCase() === wanted))
    .map((key) => key.keyId)
    .concat(ofGateway.get(wanted) ?? []);
}

/** The display name of a message's carrier; null when it has none, or the carrier was deleted. */
export function carrierNameOf(directory: Directory, carrierId: string | null): string | null {
  return carrierId === null ? null : (directory.carrier(carrierId)?.name ?? null);
}

export function shownListed(directory: Directory, listed: ListedMessage) {
  const { acceptedAt, updatedAt, ...message } = flatMessage(listed);
  return {
    ...message,
    keyName: message.direction === 'outbound' ? keyNameOf(directory, message.keyId) : null,
    carrierName: carrierNameOf(directory, message.carrier),
    acceptedAt: isoTime(acceptedAt),
    updatedAt: isoTime(updatedAt),
  };
}

export function shownRefused(directory: Directory, { acceptedAt, ...refused }: ListedRefused) {
  return { ...refused, keyName: keyNameOf(directory, refused.keyId), acceptedAt: isoTime(acceptedAt) };
}
