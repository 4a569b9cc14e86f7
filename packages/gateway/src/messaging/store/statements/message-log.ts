/**
 * SQL of message searches. Every statement is limited to one account and to a bounded number of rows: by an id range
 * that `selectEdge` measured, by named candidates, or by a limit before the filter.
 */
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { portalKeyMark } from '../../../model/people.ts';
import { statement } from '../../../store/query.ts';
import { ofOwnSide, ownOfMessage, ownSideColumns } from './own-side.ts';
import type { ViewRow } from './views.ts';

export interface ListedRow extends ViewRow {
  key_id: string;
}

const columns = `d.message_id, d.request_id, m.reference_id, m.key_id, m.direction, m.sender, d.recipient, m.text,
  m.media_urls, m.octets, m.extras, m.message_type, m.encoding, m.segments, d.state, d.code, d.carrier, d.carrier_code, d.dup_risk, d.sequence,
  m.accepted_at, d.updated_at`;

/** Lists have commas before, between and after their values; null = no filter. */
export const filterColumns = {
  sender: 'text',
  recipient: 'text',
  number: 'text',
  states: 'text',
  codes: 'text',
  reference: 'text',
  /** A `like` pattern, in lower case. */
  text: 'text',
  type: 'text',
  keys: 'text',
  carriers: 'text',
  request_id: 'text',
  ...ownSideColumns,
} as const;

/** The values of a list contain no comma. The most selective filter first. */
const listed = (list: string, value: string) => `(r.${list} is null or r.${list} like '%,' || ${value} || ',%')`;
const matches = [
  listed('states', 'd.state'),
  listed('recipient', 'd.recipient'),
  listed('codes', "coalesce(d.code, '')"),
  '(r.request_id is null or d.request_id = r.request_id)',
  listed('sender', 'm.sender'),
  `(r.number is null or r.number like '%,' || m.sender || ',%' or r.number like '%,' || d.recipient || ',%')`,
  '(r.reference is null or m.reference_id = r.reference)',
  '(r.type is null or m.message_type = r.type)',
  `(r.keys is null or r.keys like '%,' || m.key_id || ',%'
    or (m.key_id like '${portalKeyMark}%' and r.keys like '%,${portalKeyMark},%'))`,
  // Ids may contain `_`, which matches any character in a pattern.
  `(r.carriers is null or r.carriers like '%,' || replace(coalesce(d.carrier, ''), '_', '\\_') || ',%' escape '\\')`,
  ofOwnSide(ownOfMessage),
  `(r.text is null or lower(m.text) like r.text escape '\\')`,
];
const matching = matches.join(' and ');

const range = { account_id: 'text', direction: 'text', before: 'text', after: 'text' } as const;
const inRange = `a.account_id = r.account_id and a.direction = r.direction and a.message_id < r.before
  and a.message_id >= r.after`;

/** The oldest of the newest `look` messages of a range, and their number. */
export const selectEdge = statement<{ edge: string | null; found: number }>()(
  'select_edge',
  { ...range, look: 'int' },
  `select min(looked.message_id) as edge, count(*) as found from (
     select a.message_id from account_messages a where ${inRange} order by a.message_id desc limit r.look) looked`,
);

/** The newest of the oldest `look` messages of a range, and their number. */
export const selectEdgeAfter = statement<{ edge: string | null; found: number }>()(
  'select_edge_after',
  { ...range, look: 'int' },
  `select max(looked.message_id) as edge, count(*) as found from (
     select a.message_id from account_messages a where ${inRange} order by a.message_id limit r.look) looked`,
);

export const selectMatching = statement<ListedRow>()(
  'select_matching',
  { ...range, ...filterColumns, limit: 'int' },
  `select ${columns} from account_messages a
     join deliveries d on d.message_id = a.message_id join messages m on m.request_id = d.request_id
   where ${inRange} and ${matching} order by a.message_id desc limit r.limit`,
);

/** Candidates that match the search. */
export const selectListed = statement<ListedRow>()(
  'select_listed',
  { account_id: 'text', message_id: 'text', direction: 'text', ...filterColumns },
  `select ${columns} from {rows} r, deliveries d join messages m on m.request_id = d.request_id
   where d.message_id = r.message_id and d.account_id = r.account_id
     and (r.direction is null or m.direction = r.direction) and ${matching}`,
);

/** Acceptance time of a request. */
export const selectRequest = statement<{ accepted_at: number }>()(
  'select_request',
  { account_id: 'text', request_id: 'text' },
  'select accepted_at from messages where request_id = r.request_id and account_id = r.account_id',
);

/** The newest requests with a reference: a reference is a label that several requests may share. */
export const selectReferenced = statement<{ request_id: string; accepted_at: number }>()(
  'select_referenced',
  { account_id: 'text', reference: 'text', limit: 'int' },
  `select request_id, accepted_at from messages where account_id = r.account_id and reference_id = r.reference
   order by request_id desc limit r.limit`,
);

const runs = `with recursive runs (hop, run) as (
     select 1, (select max(c.run) from conversations c where c.run < r.before_run)
     union all
     select runs.hop + 1, (select max(c.run) from conversations c where c.run < runs.run)
     from runs where runs.run is not null and runs.hop < r.hops)`;

/** The last of the next runs of conversations, going back; `runs` is their number. */
export const selectRuns = statement<{ run: number | null; runs: number }>()(
  'select_runs',
  { before_run: 'int', hops: 'int' },
  `${runs} select min(runs.run) as run, count(runs.run) as runs from runs`,
);

/** Messages between an own number and a handset in these runs. */
export const selectTalk = statement<{ message_id: string }>()(
  'select_talk',
  { before_run: 'int', hops: 'int', own: 'text', peer: 'text', before: 'text', after: 'text', limit: 'int' },
  `${runs} select c.message_id from runs join conversations c
     on c.run = runs.run and c.own = r.own and c.peer = r.peer
   where c.message_id < r.before and c.message_id >= r.after order by c.message_id desc limit r.limit`,
);

/** States that few messages are in at a time; each a literal so that the partial index applies. */
export const scarceStates = ['held', 'uncertain', 'sending', 'queued'] as const satisfies readonly DeliveryState[];
export type ScarceState = (typeof scarceStates)[number];

const inState = (state: ScarceState) =>
  statement<{ message_id: string; account_id: string }>()(
    `select_in_${state}`,
    { limit: 'int' },
    `select d.message_id, d.account_id from deliveries d where d.state = '${state}' limit r.limit`,
  );

/** Over all accounts: the row contains its account. */
export const selectInState = Object.fromEntries(scarceStates.map((state) => [state, inState(state)])) as Record<
  ScarceState,
  ReturnType<typeof inState>
>;

/** Matches of a search in a range, by the time contained in the ids. */
export const selectCounted = statement<{ time: string; state: DeliveryState; found: number }>()(
  'select_counted',
  { ...range, ...filterColumns },
  `select substr(a.message_id, 5, 10) as time, d.state, count(*) as found
   from account_messages a join deliveries d on d.message_id = a.message_id join messages m on m.request_id = d.request_id
   where ${inRange} and ${matching} group by substr(a.message_id, 5, 10), d.state`,
);

/**
 * Parts with a receipt from this carrier, of an account's newest messages. Written to avoid the index over carriers,
 * which would read every part the carrier ever had.
 */
export const selectReceiptTimes = statement<{ took: number; at: number }>()(
  'select_receipt_times',
  { account_id: 'text', carrier: 'text', look: 'int' },
  `select p.updated_at - p.accepted_at as took, p.updated_at as at from (
     select a.message_id from account_messages a where a.account_id = r.account_id and a.direction = 'outbound'
     order by a.message_id desc limit r.look) newest
   join parts p on p.message_id = newest.message_id where p.carrier || '' = r.carrier and p.state <> 'accepted'`,
);

export const selectNotificationsOf = statement<{ endpoint_id: string; position: number }>()(
  'select_told_of',
  { account_id: 'text', endpoint_id: 'text', message_id: 'text' },
  `select w.endpoint_id, w.position from {rows} r, events e
     join webhook_deliveries w on w.position = e.position
   where e.message_id = r.message_id and w.endpoint_id = r.endpoint_id and w.account_id = r.account_id`,
);

export interface SentRow {
  request_id: string;
  accepted_at: number;
  valid_for: number;
}

export const selectSent = statement<SentRow>()(
  'select_sent',
  { account_id: 'text', message_id: 'text' },
  `select m.request_id, m.accepted_at, d.expires_at - m.accepted_at as valid_for
   from deliveries d join messages m on m.request_id = d.request_id
   where d.message_id = r.message_id and d.account_id = r.account_id and m.direction = 'outbound'`,
);

/** By deletion time, which is the request's time plus a constant: there is no index over requests. */
export const selectAnswer = statement<{ answer: string; expires_at: number }>()(
  'select_answer',
  { account_id: 'text', request_id: 'text', after: 'int', before: 'int' },
  `select i.answer, i.expires_at from idempotency i
   where i.expires_at >= r.after and i.expires_at <= r.before and i.account_id || '' = r.account_id
     and i.request_id = r.request_id limit 1`,
);
