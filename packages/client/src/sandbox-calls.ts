/**
 * Calls about the sandbox: its handsets, fault injection, and demo traffic. Only for sandbox key pairs. See
 * `testing.ts` for waiting.
 */
import type { CallOptions } from './options.ts';
import { dataOf, jsonBody, type Transport, withQuery } from './transport.ts';
import type { Encoding } from './types.ts';

export interface Handset {
  number: string;
  /** Messages held now. */
  messages: number;
  /** ISO 8601; null before the first. */
  lastReceivedAt: string | null;
}

export interface HandsetMessage {
  /** Sorts by time of arrival. */
  id: string;
  kind: 'SMS' | 'MMS';
  via: 'smpp' | 'mm7' | 'mm4';
  from: string;
  to: string;
  subject: string;
  /** Null when the content is not text. */
  text: string | null;
  encoding: Encoding | null;
  parts: number;
  media: {
    mediaId: string;
    contentType: string;
    fileName: string;
    sizeBytes: number;
    sha256: string;
    url: string | null;
  }[];
  /** ISO 8601. */
  receivedAt: string;
}

export interface HandsetFilter {
  /** Only messages after the one with this id. */
  after?: string;
  /** How long the gateway waits for a message when there is none, 0–60 s. */
  waitSeconds?: number;
}

export interface HandsetReply {
  text?: string;
  /** One of your sandbox numbers; default: the last sender. */
  to?: string;
  mediaUrls?: string[];
  /** Files of any type, as a handset would send them; `data` in base64. */
  files?: { data: string; type?: string; name?: string }[];
  via?: 'mm7' | 'mm4';
}

export interface QueuedReply {
  from: string;
  to: string;
  messageType: 'SMS' | 'MMS';
  via: HandsetMessage['via'];
  parts: number;
  encoding: Encoding | null;
  media: number;
}

/** Missing fields mean ordinary behaviour. */
export interface HandsetBehaviour {
  power?: 'on' | 'off' | null;
  inbox?: 'space' | 'full' | null;
  receipt?: { outcome: 'DELIVRD' | 'UNDELIV' | 'EXPIRED' | 'none'; afterMs?: number } | null;
  autoReply?: { text: string; afterMs?: number } | null;
}

/** Missing fields are off. */
export interface SandboxFaults {
  refuseBind?: boolean | null;
  throttlePerSecond?: number | null;
  loseReceiptsPercent?: number | null;
  duplicateReceipts?: boolean | null;
  answerAfterMs?: number | null;
  receiptFirst?: boolean | null;
  errorPercent?: number | null;
  /** Happens once. */
  dropLink?: boolean | null;
}

export interface DemoTraffic {
  messages: number;
  /** ISO 8601. */
  from: string;
  until: string;
}

/** Each throws HeliographError, `NOT_FOUND` for a key pair that is not a sandbox pair. */
export interface SandboxCalls {
  handsets(options?: CallOptions): Promise<Handset[]>;
  /** One page of what a handset received, oldest first, at most 100. */
  messages(number: string, filter?: HandsetFilter, options?: CallOptions): Promise<HandsetMessage[]>;
  /** The same for messages it sent; `receivedAt` is when each was sent. */
  sent(number: string, filter?: HandsetFilter, options?: CallOptions): Promise<HandsetMessage[]>;
  reply(number: string, reply: HandsetReply, options?: CallOptions): Promise<QueuedReply>;
  behaviour(number: string, options?: CallOptions): Promise<HandsetBehaviour & { number: string }>;
  /** Replaces all settings: `{}` makes the handset ordinary again. */
  setBehaviour(
    number: string,
    behaviour: HandsetBehaviour,
    options?: CallOptions,
  ): Promise<HandsetBehaviour & { number: string }>;
  faults(options?: CallOptions): Promise<SandboxFaults>;
  /** Replaces all faults: `{}` ends them. */
  setFaults(faults: SandboxFaults, options?: CallOptions): Promise<SandboxFaults>;
  /** Empties all handsets, makes them ordinary and ends faults, as between two tests. */
  reset(options?: CallOptions): Promise<void>;
  /** Null when there is none. */
  demo(options?: CallOptions): Promise<DemoTraffic | null>;
  seedDemo(options?: CallOptions): Promise<DemoTraffic>;
  removeDemo(options?: CallOptions): Promise<{ removed: number }>;
}

const base = '/api/v1/sandbox';
/** Generating a month of traffic takes a while. */
const demoWaitMs = 60_000;

export function sandboxCalls(call: Transport): SandboxCalls {
  const handset = (number: string) => `${base}/handsets/${encodeURIComponent(number)}`;
  const get = <T>(path: string, options?: CallOptions, waitMs = 0): Promise<T> =>
    dataOf(call, { method: 'GET', path, repeatable: true, waitMs }, options);
  const set = <T>(path: string, value: unknown, options?: CallOptions): Promise<T> =>
    dataOf(call, { method: 'POST', path, ...jsonBody(value), repeatable: true }, options);
  const page =
    (what: 'messages' | 'sent'): SandboxCalls['messages'] =>
    (number, { after, waitSeconds = 0 } = {}, options = {}) => {
      const wait = waitSeconds > 0 ? waitSeconds : undefined;
      return get(withQuery(`${handset(number)}/${what}`, { after, wait }), options, waitSeconds * 1_000);
    };

  return {
    handsets: (options) => get(`${base}/handsets`, options),
    messages: page('messages'),
    sent: page('sent'),
    reply: (number, reply, options) =>
      dataOf(
        call,
        { method: 'POST', path: `${handset(number)}/reply`, ...jsonBody(reply), repeatable: false },
        options,
      ),
    behaviour: (number, options) => get(`${handset(number)}/behaviour`, options),
    setBehaviour: (number, behaviour, options) => set(`${handset(number)}/behaviour`, behaviour, options),
    faults: (options) => get(`${base}/faults`, options),
    // Dropping a link twice does no more harm than once.
    setFaults: (faults, options) => set(`${base}/faults`, faults, options),
    reset: async (options) => {
      await set(`${base}/reset`, {}, options);
    },
    demo: (options) => get(`${base}/demo`, options),
    seedDemo: (options) =>
      dataOf(
        call,
        { method: 'POST', path: `${base}/demo`, ...jsonBody({}), repeatable: false, waitMs: demoWaitMs },
        options,
      ),
    removeDemo: (options) =>
      dataOf(call, { method: 'DELETE', path: `${base}/demo`, repeatable: true, waitMs: demoWaitMs }, options),
  };
}
