/** A scripted media service, and media jobs in memory that behave like the store's. */
import type { FetchedMedia, FitOptions, FittedMedia, KeptFile, Media } from '../../model/media.ts';
import { hostGroup } from '../../model/media-hosts.ts';
import type { MediaFailed, MediaFailureCode, StoredMedium } from '../../model/medium.ts';
import { type MediumProblem, mediumFailed } from '../../model/medium-problem.ts';
import { onlyNode } from '../../store/engine.ts';
import type { MediaJob, MediaPreparation } from '../store/media-items.ts';
import type { MediaStore } from '../store/modules/media.ts';

/** The medium with a name: the same name gives the same medium. */
export function medium(name: string, more: Partial<StoredMedium> = {}): StoredMedium {
  return {
    hash: Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64),
    type: 'image/jpeg',
    sizeBytes: 900,
    ...more,
  };
}

/** The outcome of a message whose medium at this index failed with this code. */
export function mediaFailed(code: MediaFailureCode, index: number): MediaFailed {
  return mediumFailed(problems[code], { index, count: index + 1 });
}

const problems: Readonly<Record<MediaFailureCode, MediumProblem>> = {
  MEDIA_UNREACHABLE: { code: 'MEDIA_UNREACHABLE', why: 'connect' },
  MEDIA_BLOCKED: { code: 'MEDIA_BLOCKED', why: 'address' },
  MEDIA_TOO_LARGE: { code: 'MEDIA_TOO_LARGE', why: 'pixels' },
  MEDIA_TYPE_NOT_SUPPORTED: { code: 'MEDIA_TYPE_NOT_SUPPORTED', why: 'damaged' },
  GATEWAY_ERROR: { code: 'GATEWAY_ERROR' },
};

type Answer<T> = T | Promise<T> | Error | null;

/** Everything succeeds unless scripted; a function's non-null result replaces the ordinary answer. */
export function scriptedMedia() {
  const fetches: { urls: readonly string[]; accountId: string }[] = [];
  const fits: { media: readonly StoredMedium[]; budgetBytes: number; options?: FitOptions }[] = [];
  const taken: Buffer[] = [];
  const script = {
    fetch: (_urls: readonly string[]): Answer<FetchedMedia> => null,
    fit: (_budgetBytes: number): Answer<FittedMedia> => null,
    keep: (_bytes: Buffer): Answer<KeptFile> => null,
  };
  const answer = async <T>(scripted: Answer<T>, usual: T): Promise<T> => {
    const got = await scripted;
    if (got instanceof Error) throw got;
    return got ?? usual;
  };
  const media: Pick<Media, 'fetch' | 'fit' | 'read' | 'keep'> = {
    fetch: (urls, accountId) => {
      fetches.push({ urls, accountId });
      return answer(script.fetch(urls), { kind: 'fetched', media: urls.map((url) => medium(url)) });
    },
    fit: (originals, budgetBytes, options) => {
      fits.push({ media: originals, budgetBytes, ...(options && { options }) });
      const fitted = originals.map((one) => medium(`${one.hash.slice(0, 20)} ${budgetBytes}`, { sizeBytes: 100 }));
      return answer(script.fit(budgetBytes), { kind: 'fitted', media: fitted });
    },
    keep: (bytes, declared) => {
      taken.push(bytes);
      const isJpeg = declared === 'image/jpeg';
      return answer(script.keep(bytes), {
        kind: 'kept',
        medium: { ...medium(bytes.toString()), type: declared, sizeBytes: bytes.length },
        known: isJpeg,
        downloadOnly: !isJpeg,
      });
    },
    read: async (hash) => Buffer.from(`bytes of ${hash}`),
  };
  return { ...media, fetches, fits, taken, script };
}

/** Requests that wait for media; `prepareMedia` ends or postpones them. */
export function mediaJobs(now: () => number) {
  const jobs = new Map<string, { job: MediaJob; dueAt: number }>();
  const written: MediaPreparation[] = [];
  const looks: number[] = [];
  const fails: { read: Error | null; write: Error | null } = { read: null, write: null };
  const store: Pick<MediaStore, 'mediaJobs' | 'nextMediaJobAt' | 'prepareMedia'> = {
    mediaJobs: async (request) => {
      looks.push(now());
      await Promise.resolve();
      if (fails.read !== null) throw fails.read;
      const hostTurns = new Map<string, number>();
      const hostTurn = ({ accountId, mediaUrls }: MediaJob): number => {
        const key = `${accountId} ${hostGroup(mediaUrls)}`;
        hostTurns.set(key, (hostTurns.get(key) ?? 0) + 1);
        return hostTurns.get(key)!;
      };
      const turns = new Map<string, number>();
      const turn = (accountId: string): number => {
        turns.set(accountId, (turns.get(accountId) ?? 0) + 1);
        return turns.get(accountId)!;
      };
      const rank = (accountId: string): number => request.served?.indexOf(accountId) ?? -1;
      return [...jobs.values()]
        .filter(({ dueAt }) => dueAt <= request.now)
        .sort((a, b) => a.dueAt - b.dueAt)
        .map(({ job }) => ({ job, hostTurn: hostTurn(job) }))
        .sort((a, b) => a.hostTurn - b.hostTurn)
        .map(({ job }) => ({ job, turn: turn(job.accountId) }))
        .sort((a, b) => a.turn - b.turn || rank(a.job.accountId) - rank(b.job.accountId))
        .slice(0, request.limit)
        .map(({ job }) => ({ ...job }));
    },
    nextMediaJobAt: async () => {
      if (fails.read !== null) throw fails.read;
      return jobs.size === 0 ? null : Math.min(...[...jobs.values()].map(({ dueAt }) => dueAt));
    },
    prepareMedia: async (items) => {
      await Promise.resolve();
      if (fails.write !== null) throw fails.write;
      return items.map((item) => {
        const waiting = jobs.get(item.requestId);
        if (waiting === undefined) return [];
        written.push(item);
        if (item.outcome.to === 'later') {
          waiting.dueAt = item.outcome.dueAt;
          waiting.job.tries += 1;
          return [];
        }
        jobs.delete(item.requestId);
        return item.outcome.to === 'queued' ? waiting.job.lanes : [];
      });
    },
  };
  const add = (n: number, more: Partial<MediaJob> = {}): void => {
    const requestId = `req_${n}`;
    const usual = { accountId: 'acc1', mediaUrls: [`https://a.example/${n}.jpg`], lanes: ['m'], tries: 0 };
    jobs.set(requestId, { job: { requestId, ...usual, expiresAt: now() + 3_600_000, ...more }, dueAt: now() });
  };
  const outcomes = () => written.map(({ requestId, outcome }) => ({ requestId, ...outcome }));
  return { ...store, place: onlyNode, jobs, written, outcomes, looks, fails, add };
}
