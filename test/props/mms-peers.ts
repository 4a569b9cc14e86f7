/**
 * What a gateway with MMS in its load has around it: a carrier of MMS, the server the media come from, and which requests
 * are MMS. Both outlive the gateway. Decides nothing about right and wrong.
 */

import type { ClientOptions } from './client.ts';
import { type MmsOrigin, startMmsOrigin } from './mms-origin.ts';
import { type MmsSink, type MmsSinkBehaviour, startMmsSink } from './mms-sink.ts';

export interface MmsLoad {
  protocol?: MmsSink['protocol'];
  /** Of ten requests so many are MMS; 4 when left out. */
  ofTen?: number;
  /** Answers take 5 ms unless told otherwise. */
  behaviour?: Partial<MmsSinkBehaviour>;
}

export interface MmsPeers {
  readonly sink: MmsSink;
  readonly origin: MmsOrigin;
  /** Of a records file, its id left out. */
  readonly carrierEntry: object;
  /** What a gateway needs to reach the origin. */
  readonly env: Record<string, string>;
  /** What the client sends. */
  readonly requests: Pick<ClientOptions, 'recipientsPerRequest' | 'mediaUrlsOf'>;
  stop(): Promise<void>;
}

export async function startMmsPeers(load: MmsLoad, window: number): Promise<MmsPeers> {
  const sink = await startMmsSink({
    protocol: load.protocol ?? 'mm7',
    behaviour: { responseDelayMs: 5, ...load.behaviour },
  });
  const origin = await startMmsOrigin();
  const ofTen = load.ofTen ?? 4;
  const isMms = (request: number): boolean => (request * 7) % 10 < ofTen;
  return {
    sink,
    origin,
    carrierEntry: carrierEntry(sink, window),
    env: { HELIO_ALLOW_PRIVATE_URLS: '1' },
    requests: {
      recipientsPerRequest: (request) => (isMms(request) && request % 8 === 0 ? 3 : 1),
      mediaUrlsOf: (request) => (isMms(request) ? mediaUrls(origin, request) : []),
    },
    stop: async () => {
      await sink.stop();
      await origin.stop();
    },
  };
}

/**
 * Media of their own for each request: pictures that are others when they are fetched again, so that what a crash leaves is
 * nobody's; now and then two of them, and one that must be made smaller.
 */
function mediaUrls(origin: MmsOrigin, request: number): string[] {
  if (request % 50 === 0) return [origin.url('large', request)];
  if (request % 5 === 0) return [origin.url('changing', request), origin.url('card', request)];
  return [origin.url(request % 4 === 0 ? 'picture' : 'changing', request)];
}

function carrierEntry({ protocol, port }: MmsSink, window: number): object {
  const common = { kind: protocol, window, deliveryReport: false, responseTimeoutMs: 10_000 };
  if (protocol === 'mm7') return { ...common, url: `http://127.0.0.1:${port}/mm7` };
  return {
    ...common,
    host: '127.0.0.1',
    port,
    tls: 'none',
    domain: 'peer.example',
    ownDomain: 'ours.example',
    acknowledgement: false,
  };
}
