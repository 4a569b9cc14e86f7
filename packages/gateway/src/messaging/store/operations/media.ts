/**
 * Prepared media of messages, and the links to fetch them. Media that an unsent message may still need must never be
 * released.
 */
import type { FittedSet, PreparedMedia } from '../../../model/delivery.ts';
import type { StoredMedium } from '../../../model/medium.ts';
import type { MediaOnRecord } from '../../../model/sent-media.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { ForgetMediaQuery, NeededMediaQuery } from '../items.ts';
import type { MediaLink } from '../media-items.ts';
import {
  deleteMediaLinks,
  deleteMessageMedia,
  deleteMmsDeliveries,
  insertMediaLinks,
  type MediaLinkRow,
  type MessageMediumRow,
  selectLinkedMedia,
  selectMediaLink,
  selectMediaLinksBefore,
  selectMessageMedia,
  selectRecentMedia,
  selectSentMediaBefore,
  selectSentMmsBefore,
  selectUnsentMedia,
} from '../statements/media.ts';

/** `budget_bytes` of the originals, and of the mark for a failed medium. */
export const originalBudget = 0;
export const failedBudget = -1;

/** The media of prepared messages, by request. */
export function* preparedMedia(requestIds: readonly string[]): Operation<Map<string, PreparedMedia>> {
  const known = yield* mediaOnRecord(requestIds);
  return new Map(
    requestIds.map((requestId) => {
      const { original, fitted } = known.get(requestId) ?? { original: [], fitted: [] };
      return [requestId, { original, fitted }];
    }),
  );
}

/** All known data about the media of requests, in any state; by request. */
export function* mediaOnRecord(requestIds: readonly string[]): Operation<Map<string, PreparedMedia & MediaOnRecord>> {
  const rows = yield* run(
    selectMessageMedia,
    [...new Set(requestIds)].map((request_id) => ({ request_id })),
  );
  rows.sort((a, b) => a.budget_bytes - b.budget_bytes || a.position - b.position);
  return new Map([...Map.groupBy(rows, (row) => row.request_id)].map(([id, own]) => [id, asOnRecord(own)]));
}

function asOnRecord(rows: readonly MessageMediumRow[]): PreparedMedia & MediaOnRecord {
  const sets = [...Map.groupBy(rows, (row) => row.budget_bytes)].map(
    ([budgetBytes, media]): FittedSet => ({ budgetBytes, media: media.map(asMedium) }),
  );
  return {
    original: sets.find(({ budgetBytes }) => budgetBytes === originalBudget)?.media ?? [],
    fitted: sets.filter(({ budgetBytes }) => budgetBytes > originalBudget),
    failed: rows.find((row) => row.budget_bytes === failedBudget)?.position ?? null,
  };
}

function asMedium(row: MessageMediumRow): StoredMedium {
  const { hash, type, size_bytes: sizeBytes, width, height, frames, altered } = row;
  return {
    hash,
    type,
    sizeBytes,
    ...(width !== null && height !== null && { width, height }),
    ...(frames !== null && { frames }),
    ...(altered !== null && { altered }),
  };
}

export function* addMediaLinks(links: readonly MediaLink[]): Operation<null[]> {
  yield* run(insertMediaLinks, links.map(linkRow));
  return links.map(() => null);
}

function linkRow(link: MediaLink): MediaLinkRow {
  return {
    media_id: link.mediaId,
    account_id: link.accountId,
    hash: link.medium.hash,
    type: link.medium.type,
    size_bytes: link.medium.sizeBytes,
    file_name: link.fileName,
    download_only: link.downloadOnly ? 1 : 0,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
  };
}

export function* mediaLink(mediaId: string): Operation<MediaLink | null> {
  const [row] = yield* run(selectMediaLink, [{ media_id: mediaId }]);
  if (!row) return null;
  return {
    mediaId: row.media_id,
    accountId: row.account_id,
    medium: { hash: row.hash, type: row.type, sizeBytes: row.size_bytes },
    fileName: row.file_name,
    ...(row.download_only === 1 && { downloadOnly: true }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Each once. Each reason is checked only for media that no earlier reason covers. */
export function* neededMedia({ hashes, now, keptSince }: NeededMediaQuery): Operation<string[]> {
  const needed = new Set<string>();
  const others = () => [...new Set(hashes)].flatMap((hash) => (needed.has(hash) ? [] : [{ hash }]));
  const recent = others().map((row) => ({ ...row, kept_since: keptSince }));
  for (const { hash } of yield* run(selectRecentMedia, recent)) needed.add(hash);
  const linked = others().map((row) => ({ ...row, now }));
  for (const { hash } of yield* run(selectLinkedMedia, linked)) needed.add(hash);
  for (const { hash } of yield* run(selectUnsentMedia, others())) needed.add(hash);
  return [...needed];
}

/** Media that may be deleted. They are never needed again, so the writer does not check again. */
export interface ForgettableMedia {
  links: { media_id: string }[];
  media: { request_id: string; budget_bytes: number; position: number }[];
  sent: { request_id: string; message_id: string }[];
  /** True if there may be more. */
  more: boolean;
}

/**
 * A read, because it may examine much and find little. The deliveries that lead to a list are deleted after the list.
 */
export function* forgettableMedia({ now, keptSince: before, limit }: ForgetMediaQuery): Operation<ForgettableMedia> {
  const links = yield* run(selectMediaLinksBefore, [{ now, limit }]);
  const found = yield* run(selectSentMediaBefore, [{ before, limit: limit - links.length }]);
  const media = [...new Map(found.map((row) => [JSON.stringify(row), row])).values()];
  const left = limit - links.length - media.length;
  const sent = yield* run(selectSentMmsBefore, [{ before, limit: left }]);
  return { links, media, sent, more: media.length > 0 || sent.length >= left };
}

export function* forgetMedia(items: readonly ForgettableMedia[]): Operation<null[]> {
  yield* run(
    deleteMediaLinks,
    items.flatMap(({ links }) => links),
  );
  yield* run(
    deleteMessageMedia,
    items.flatMap(({ media }) => media),
  );
  yield* run(
    deleteMmsDeliveries,
    items.flatMap(({ sent }) => sent),
  );
  return items.map(() => null);
}
