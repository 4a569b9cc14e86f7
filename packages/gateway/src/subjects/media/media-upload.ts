/**
 * `POST /api/v1/media`: stores a file and returns a URL for `mediaUrls`. The file's content alone determines its type.
 * Answers once file and link are on disk.
 */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, rejection, retryAfter, success } from '../../http/exchange.ts';
import type { QueryField } from '../../http/query-fields.ts';
import { answers, fileBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { named, object, plain, time, whole } from '../../http/shape.ts';
import type { MediaLink } from '../../messaging/store/media-items.ts';
import type { MediaStore } from '../../messaging/store/modules/media.ts';
import type { Media } from '../../model/media.ts';
import { mediumFileName } from '../../model/media-name.ts';
import { type MediaUrls, mediaKeptMs } from '../../model/media-url.ts';
import type { MediaFailureCode } from '../../model/medium.ts';

export interface MediaUploadParts {
  store: Pick<MediaStore, 'addMediaLinks'>;
  media: Pick<Media, 'take'>;
  urls: Pick<MediaUrls, 'urlFor'>;
  /** False while the remaining disk space is reserved for accepted messages. Absent = there is room. */
  hasCapacity?(): Promise<boolean>;
}

/** Uploads in memory at one time. */
const uploadsAtOnce = 24;
const uploadsAtOncePerAccount = 6;
const laterSeconds = 30;
const fileNameCharactersMax = 255;
const notStored = 'Nothing was stored.';

export function mediaUploadRoute(parts: MediaUploadParts, { guarded, clock, ids, limits }: RouteDeps) {
  const { store, media, urls } = parts;

  const fileSlots = {
    bytesMax: limits.mediaBytesMax,
    atOnce: uploadsAtOnce,
    atOncePerAccount: uploadsAtOncePerAccount,
  };
  guarded.add({
    method: 'POST',
    path: '/api/v1/media',
    scope: 'send',
    operationId: 'uploadMedia',
    summary: 'Upload a picture or another medium to send',
    description:
      'The body is the file itself, at most `mediaBytesMax` of `GET /limits`; the gateway judges its type by content alone: JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3. Put the `url` of the answer into `mediaUrls`: it holds for 30 days and only for your account.',
    query: { fileName: fileNameQuery },
    body: fileBody(fileSlots),
    answer: answers(uploadedMedium, 'The file is stored'),
    work: async ({ bytes, caller, query }) => {
      if (bytes.length === 0) {
        return rejection('UNSUPPORTED_CONTENT_TYPE', `The body is empty. Send the bytes of one file. ${notStored}`);
      }
      if ((await parts.hasCapacity?.()) === false) return later;
      const taken = await media.take(bytes);
      if (taken.kind === 'later') return later;
      if (taken.kind === 'refused') return refusals[taken.code];
      const createdAt = clock.now();
      const link: MediaLink = {
        mediaId: ids.next('med_'),
        accountId: caller.account.accountId,
        medium: taken.medium,
        fileName: mediumFileName(query.fileName ?? '', taken.medium.type),
        createdAt,
        // The URL has whole seconds.
        expiresAt: Math.floor((createdAt + mediaKeptMs) / 1_000) * 1_000,
      };
      await store.addMediaLinks([link]);
      return success('The file is stored. Use its url in mediaUrls.', {
        mediaId: link.mediaId,
        url: urls.urlFor(link.mediaId, link.fileName, link.expiresAt),
        contentType: link.medium.type,
        sizeBytes: link.medium.sizeBytes,
        expiresAt: isoTime(link.expiresAt),
      });
    },
  });
}

const fileNameQuery: QueryField<string | null> = {
  schema: { type: 'string', maxLength: fileNameCharactersMax },
  description: 'Name of the file; the URL ends with it.',
  read: (_name, value) =>
    (value ?? '').length > fileNameCharactersMax
      ? { fault: `fileName may have at most ${fileNameCharactersMax} characters. ${notStored}` }
      : { value },
};

const uploadedMedium = named(
  'UploadedMedium',
  object({
    mediaId: plain(),
    url: plain('For `mediaUrls`. Anybody who has it can read the file until it expires.'),
    contentType: plain('Detected from the content of the file.'),
    sizeBytes: whole(),
    expiresAt: time,
  }),
);

const later = rejection(
  'TEMPORARILY_UNAVAILABLE',
  `The gateway cannot store media right now. Send the same file again a little later. ${notStored}`,
  { headers: retryAfter(laterSeconds) },
);

const notSupported = rejection(
  'UNSUPPORTED_CONTENT_TYPE',
  `The body is, by its content, no whole JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3 file. Send one of these types. ${notStored}`,
);
const unreadable = rejection('INTERNAL_ERROR', `The gateway failed with the file. ${notStored}`);

const refusals: Readonly<Record<MediaFailureCode, Answer<never>>> = {
  MEDIA_TOO_LARGE: rejection(
    'BODY_TOO_LARGE',
    `The image has too many pixels to be opened: 25 megapixels at most, fewer for some kinds, and 65,535 along an edge. Send a smaller one. ${notStored}`,
  ),
  MEDIA_TYPE_NOT_SUPPORTED: notSupported,
  // Occurs only when fetching.
  MEDIA_UNREACHABLE: unreadable,
  MEDIA_BLOCKED: unreadable,
  GATEWAY_ERROR: unreadable,
};
