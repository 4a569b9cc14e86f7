/** SQL over prepared media and the links to fetch them. */
import type { Altered, MediumType } from '../../../model/medium.ts';
import { statement } from '../../../store/query.ts';

export interface MessageMediumRow {
  request_id: string;
  budget_bytes: number;
  position: number;
  hash: string;
  type: MediumType;
  size_bytes: number;
  width: number | null;
  height: number | null;
  frames: number | null;
  altered: Altered | null;
}

const list = { request_id: 'text', budget_bytes: 'int', position: 'int' } as const;

const mediumColumns = {
  ...list,
  hash: 'text',
  type: 'text',
  size_bytes: 'int',
  accepted_at: 'int',
  width: 'int',
  height: 'int',
  frames: 'int',
  altered: 'text',
} as const;
const insertMedium = `insert into message_media (request_id, budget_bytes, position, hash, type, size_bytes, accepted_at,
     width, height, frames, altered)
   select r.request_id, r.budget_bytes, r.position, r.hash, r.type, r.size_bytes, r.accepted_at,
     r.width, r.height, r.frames, r.altered from {rows} r`;

export const insertMessageMedia = statement()('insert_message_media', mediumColumns, insertMedium);

/** Existing rows stay: recipients of one request may reach the same carrier at once. */
export const insertFittedMedia = statement()(
  'insert_fitted_media',
  mediumColumns,
  `${insertMedium} where true on conflict (request_id, budget_bytes, position) do nothing`,
);

export const selectMessageMedia = statement<MessageMediumRow>()(
  'select_message_media',
  { request_id: 'text' },
  `select a.request_id, a.budget_bytes, a.position, a.hash, a.type, a.size_bytes,
     a.width, a.height, a.frames, a.altered from {rows} r, message_media a
   where a.request_id = r.request_id`,
);

export interface MediaLinkRow {
  media_id: string;
  account_id: string;
  hash: string;
  type: string;
  size_bytes: number;
  file_name: string;
  /** 1 = true; null in rows of an older schema. */
  download_only: number | null;
  created_at: number;
  expires_at: number;
}

/** A repeated link keeps the existing row. */
export const insertMediaLinks = statement()(
  'insert_media_links',
  {
    media_id: 'text',
    account_id: 'text',
    hash: 'text',
    type: 'text',
    size_bytes: 'int',
    file_name: 'text',
    download_only: 'int',
    created_at: 'int',
    expires_at: 'int',
  },
  `insert into media_links (media_id, account_id, hash, type, size_bytes, file_name, download_only, created_at,
     expires_at)
   select r.media_id, r.account_id, r.hash, r.type, r.size_bytes, r.file_name, r.download_only, r.created_at, r.expires_at
   from {rows} r where true on conflict (media_id) do nothing`,
);

export const selectMediaLink = statement<MediaLinkRow>()(
  'select_media_link',
  { media_id: 'text' },
  `select media_id, account_id, hash, type, size_bytes, file_name, download_only, created_at, expires_at from media_links
   where media_id = r.media_id`,
);

/** Deliveries that may still be handed to a carrier and need their media. No transition leads back to these states. */
const unsent = `d.state in (${['queued', 'sending', 'uncertain', 'held'].map((state) => `'${state}'`).join(', ')})`;

/** Only the newest message: the lists of very many messages may contain a campaign's picture. */
export const selectRecentMedia = statement<{ hash: string }>()(
  'select_recent_media',
  { hash: 'text', kept_since: 'int' },
  `select r.hash as hash from {rows} r
   where (select max(a.accepted_at) from message_media a where a.hash = (r.hash)) >= r.kept_since`,
);

export const selectLinkedMedia = statement<{ hash: string }>()(
  'select_linked_media',
  { hash: 'text', now: 'int' },
  `select l.hash from {rows} r, media_links l where l.hash = r.hash and l.expires_at > r.now`,
);

export const selectUnsentMedia = statement<{ hash: string }>()(
  'select_unsent_media',
  { hash: 'text' },
  `select a.hash from {rows} r, message_media a join mms_deliveries t on t.request_id = a.request_id
     join deliveries d on d.message_id = t.message_id where a.hash = r.hash and ${unsent}`,
);

export const selectMediaHashes = statement<{ hash: string }>()(
  'select_media_hashes',
  {},
  `select hash from message_media where hash <> '' union select hash from media_links`,
);

export const selectMediaLinksBefore = statement<{ media_id: string }>()(
  'select_media_links_before',
  { now: 'int', limit: 'int' },
  `select media_id from media_links where expires_at <= r.now order by expires_at limit r.limit`,
);

const aged = { before: 'int', limit: 'int' } as const;

/** The lists of requests without any delivery that may still be sent; each once per delivery of the request. */
export const selectSentMediaBefore = statement<{ request_id: string; budget_bytes: number; position: number }>()(
  'select_sent_media_before',
  aged,
  `select a.request_id, a.budget_bytes, a.position
   from mms_deliveries t join message_media a on a.request_id = t.request_id
   where t.accepted_at < r.before and not exists (select 1 from mms_deliveries o
     join deliveries d on d.message_id = o.message_id where o.request_id = t.request_id and ${unsent})
   order by t.accepted_at limit r.limit`,
);

/** Deliveries that are no longer needed to find a list. */
export const selectSentMmsBefore = statement<{ request_id: string; message_id: string }>()(
  'select_sent_mms_before',
  aged,
  `select t.request_id, t.message_id from mms_deliveries t join deliveries d on d.message_id = t.message_id
   where t.accepted_at < r.before and not ${unsent}
     and not exists (select 1 from message_media a where a.request_id = t.request_id)
   order by t.accepted_at limit r.limit`,
);

export const deleteMediaLinks = statement()(
  'delete_media_links',
  { media_id: 'text' },
  `delete from media_links using {rows} r where media_links.media_id = r.media_id`,
);

export const deleteMmsDeliveries = statement()(
  'delete_mms_deliveries',
  { request_id: 'text', message_id: 'text' },
  `delete from mms_deliveries using {rows} r
   where mms_deliveries.request_id = r.request_id and mms_deliveries.message_id = r.message_id`,
);

export const deleteMessageMedia = statement()(
  'delete_message_media',
  list,
  `delete from message_media using {rows} r
   where message_media.request_id = r.request_id and message_media.budget_bytes = r.budget_bytes
     and message_media.position = r.position`,
);
