/** The request log. */
import { oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import {
  addRequests,
  forgetRequests,
  forgettableRequests,
  maskableRequests,
  maskRequests,
  request,
  requests,
  unkeptRequests,
} from './operations.ts';

export const requestLogStore = storeModule({
  name: 'request log',
  writes: {
    addRequests: { run: addRequests, journal: 'apart' },
    forgetRequests: { run: forgetRequests, journal: 'apart' },
    maskRequests: { run: maskRequests, journal: 'apart' },
  },
  reads: {
    requests: { run: requests, needs: 'nothing' },
    request: { run: request, needs: 'nothing' },
    unkeptRequests: { run: unkeptRequests, needs: 'nothing' },
    forgettableRequests: { run: forgettableRequests, needs: 'nothing' },
    maskableRequests: { run: maskableRequests, needs: 'nothing' },
  },
  verbs: (on) => ({
    addRequests: oneDone(on.addRequests),
    /** Deletes an account's calls before `before`, and of the others all but the newest `keep`; true while there is more. */
    async forgetRequests(search: Parameters<typeof on.forgettableRequests>[0]) {
      const found = await on.forgettableRequests(search);
      if (found.requestIds.length > 0 || found.unkeptBefore !== null) await on.forgetRequests([found]);
      return found.more;
    },
    /** Masks a number in an account's calls; looks at no more than `limit` of them. Null comes back after the last. */
    async eraseFromRequests(search: Parameters<typeof on.maskableRequests>[0]) {
      const found = await on.maskableRequests(search);
      if (found.rows.length > 0) await on.maskRequests([found]);
      return found.cursor;
    },
  }),
});

export interface RequestLogStore extends StoreOf<typeof requestLogStore> {}
