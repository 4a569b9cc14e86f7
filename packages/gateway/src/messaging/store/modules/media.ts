/** Media of messages: jobs to prepare them, prepared media, and links to fetch them. */
import { ownedDuty } from '../../../model/duty.ts';
import { allDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { addMediaLinks, forgetMedia, forgettableMedia, mediaLink, neededMedia } from '../operations/media.ts';
import { addFittedMedia, mediaJobs, nextMediaJobAt, prepareMedia } from '../operations/media-jobs.ts';
import { sentMediaOf } from '../operations/view.ts';

export const mediaStore = storeModule({
  name: 'media',
  writes: {
    addFittedMedia: { run: addFittedMedia },
    addMediaLinks: { run: addMediaLinks },
    forgetMedia: { run: forgetMedia, owned: ownedDuty('media') },
    // After writes that move or end deliveries, before due messages are claimed.
    prepareMedia: { run: prepareMedia, stage: 'prepare', events: true, owned: ownedDuty('media') },
  },
  // Memory holds no MMS.
  reads: {
    mediaLink: { run: mediaLink, needs: 'nothing' },
    sentMediaOf: { run: sentMediaOf, needs: 'nothing' },
    mediaJobs: { run: mediaJobs, needs: 'nothing' },
    nextMediaJobAt: { run: nextMediaJobAt, needs: 'nothing' },
    neededMedia: { run: neededMedia, needs: 'nothing' },
    forgettableMedia: { run: forgettableMedia, needs: 'nothing' },
  },
  verbs: (on) => ({
    /**
     * Media that were fitted when their message moved to a carrier with another size limit, stored for its request;
     * existing ones stay.
     */
    addFittedMedia: allDone(on.addFittedMedia),
    addMediaLinks: allDone(on.addMediaLinks),
    /**
     * Deletes expired links, and the media lists of final messages accepted before `keptSince`; true while there are
     * more.
     */
    async forgetMedia(request: Parameters<typeof on.forgettableMedia>[0]) {
      const found = await on.forgettableMedia(request);
      if (found.links.length + found.media.length + found.sent.length > 0) await on.forgetMedia([found]);
      return found.more;
    },
  }),
});

export interface MediaStore extends StoreOf<typeof mediaStore> {}
