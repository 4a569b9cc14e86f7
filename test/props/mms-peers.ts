/**
 * The peers of a gateway whose load includes MMS: an MMS carrier, the server of its media, and the choice of which
 * requests are MMS. Both servers outlive the gateway.
 */

import type { ClientOptions } from './client.ts';
import { type MmsOrigin, startMmsOrigin } from './mms-origin.ts';
import { type MmsSink, type MmsSinkBehaviour, startMmsSink } from './mms-sink.ts';

export interface MmsLoad {
  protocol?: MmsSink['protocol'];
  /** MMS among ten requests; 4 by default. */
  ofTen?: number;
  /** Answers take 5 ms by default. */
  behaviour?: Partial<MmsSinkBehaviour>;
}

export interface MmsPeers {
  readonly sink: MmsSink;
  readonly origin: MmsOrigin;
  /** The carrier's entry in a records file, without its id. */
  readonly carrierEntry: object;
  /** The settings with which a gateway reaches the origin. */
  readonly env: Record<string, string>;
  /** The options of the client. */
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
 * Different media for each request: pictures that change with each fetch, so that a crash leaves files that no message
 * needs; now and then two of them, and one that must be fitted.
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
