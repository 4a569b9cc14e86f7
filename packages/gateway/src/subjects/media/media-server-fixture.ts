/** Shared by the tests of uploading and serving media: the server, real media files, a store of links in memory. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { movedClock } from '../../../../../test/props/clock.ts';
import {
  type Answered,
  openTestServer,
  parsed,
  type TestServer,
  type TestServerOptions,
} from '../../http/server-fixture.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { takeMedium } from '../../media/fetch.ts';
import { keepFile } from '../../media/file-type.ts';
import { openMediaFiles } from '../../media/files.ts';
import { temporaryFolder } from '../../media/media-fixture.ts';
import type { MediaLink } from '../../messaging/store/media-items.ts';
import type { Media } from '../../model/media.ts';
import { createMediaUrls, type MediaUrls } from '../../model/media-url.ts';
import { mediaRoutes } from './media-routes.ts';

export interface MediaTestServer {
  testServer: TestServer;
  clock: ReturnType<typeof movedClock>;
  links: Map<string, MediaLink>;
  urls: MediaUrls;
  /** Whether the disk has room for uploads. */
  disk: { hasCapacity: boolean };
  /** Each may be replaced. */
  media: Pick<Media, 'take' | 'read'>;
  store: {
    addMediaLinks(links: MediaLink[]): Promise<void>;
    mediaLink(mediaId: string): Promise<MediaLink | null>;
  };
  /** POSTs `bytes` and returns the answer. */
  upload(bytes: Buffer, how?: { query?: string; headers?: Record<string, string> }): Promise<Answered>;
  /** Stores a file as from a handset; returns its URL. */
  received(bytes: Buffer, declared: string, fileName: string): Promise<string>;
  /** Requests one of our URLs without credentials. */
  get(url: string, how?: { method?: string; headers?: Record<string, string> }): Promise<Fetched>;
}

export interface Fetched extends Answered {
  bytes: Buffer;
}

/** Call it inside a test, which deletes the folder at its end. */
export async function openMediaServer(options: TestServerOptions = {}): Promise<MediaTestServer> {
  const clock = movedClock();
  const files = await openMediaFiles({ dataDir: temporaryFolder(), random: machineRandom, now: clock.now });
  const links = new Map<string, MediaLink>();
  const media: MediaTestServer['media'] = { take: (bytes) => takeMedium(files, bytes), read: files.read };
  const store: MediaTestServer['store'] = {
    addMediaLinks: async (added) => {
      for (const link of added) links.set(link.mediaId, link);
    },
    mediaLink: async (mediaId) => links.get(mediaId) ?? null,
  };
  const urls = createMediaUrls({ key: randomBytes(32), baseUrl: () => 'https://sms.example.com' });
  const disk = { hasCapacity: true };
  const routes = [mediaRoutes({ store, media, urls, hasCapacity: async () => disk.hasCapacity })];
  const testServer = await openTestServer({ clock, routes, ...options });

  return {
    testServer,
    clock,
    links,
    urls,
    disk,
    media,
    store,
    upload: (bytes, { query = '', headers = {} } = {}) =>
      ask(testServer, {
        method: 'POST',
        path: `/api/v1/media?apikey=${testServer.pair.authToken}&${query}`,
        headers: { authorization: `Bearer ${testServer.pair.bearerToken}`, ...headers },
        body: bytes,
      }),
    received: async (bytes, declared, fileName) => {
      const kept = await keepFile(files, bytes, declared);
      if (kept.kind === 'later') throw new Error(kept.why);
      const { medium, downloadOnly } = kept;
      const times = { createdAt: clock.now(), expiresAt: clock.now() + 3_600_000 };
      const mediaId = `med_01JD8Z6QF2X5T9V3B7N1KMH${String(links.size).padStart(3, '0')}`;
      links.set(mediaId, { mediaId, accountId: 'acc1', medium, downloadOnly, fileName, ...times });
      return urls.urlFor(mediaId, fileName, times.expiresAt);
    },
    get: (url, { method = 'GET', headers = {} } = {}) =>
      ask(testServer, { method, path: url.replace('https://sms.example.com', ''), headers }),
  };
}

interface Ask {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

function ask({ port }: TestServer, { body, ...how }: Ask): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent: false, ...how }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes, text, json: parsed(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
