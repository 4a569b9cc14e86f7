/**
 * The media of a sent message, as fetched and as fitted, for people who may read texts. Only pictures are shown
 * inline.
 */
import { rejection } from '../../http/exchange.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { answersFile } from '../../http/route.ts';
import { isMessageId } from '../../kernel/ids.ts';
import type { MediaStore } from '../../messaging/store/modules/media.ts';
import type { PreparedMedia } from '../../model/delivery.ts';
import type { Media } from '../../model/media.ts';
import { isImage, type StoredMedium } from '../../model/medium.ts';

export interface MessageMediaParts {
  store: Pick<MediaStore, 'sentMediaOf'>;
  media: Pick<Media, 'read'>;
}

/** The file of a page does not change while the page is open. */
const keptSeconds = 3_600;

export function messageMediaRoutes({ store, media }: MessageMediaParts): PortalModule {
  return (routes) => {
    // `form`: `original`, or the `limit` of one of `fitted`.
    routes.add({
      method: 'GET',
      path: '/messages/:messageId/media/:place/:form',
      access: 'readBody',
      answer: answersFile('The medium', { 'Content-Disposition': { schema: { type: 'string' } } }),
      work: async ({ account: { accountId }, params }) => {
        const { messageId = '', place = '', form = '' } = params;
        const known = isMessageId(messageId) ? await store.sentMediaOf({ accountId, messageId }) : null;
        const medium = known === null ? undefined : mediumAt(known, place, form);
        const bytes = medium === undefined ? null : await media.read(medium.hash);
        return medium === undefined || bytes === null ? noMedium : answerWith(medium, bytes);
      },
    });
  };
}

function mediumAt({ original, fitted }: PreparedMedia, place: string, form: string): StoredMedium | undefined {
  const media = form === 'original' ? original : fitted.find(({ budgetBytes }) => String(budgetBytes) === form)?.media;
  return /^\d{1,2}$/.test(place) ? media?.[Number(place)] : undefined;
}

const noMedium = rejection('NOT_FOUND', 'There is no such medium: it was not fetched, or it is no longer kept.');

function answerWith({ type }: StoredMedium, bytes: Buffer) {
  return {
    status: 200,
    reason: 'SUCCESS',
    body: bytes,
    contentType: type === 'text/vcard' ? `${type}; charset=utf-8` : type,
    cacheControl: `private, max-age=${keptSeconds}`,
    headers: ['Content-Disposition', isImage(type) ? 'inline' : 'attachment'],
  };
}
