/** Calls about the gateway itself: its limits and its codes. They need no account. */
import type { CallOptions } from './options.ts';
import { dataOf, type Transport } from './transport.ts';

/** The limits of a gateway by name. A newer gateway may have more of them. */
export interface Limits {
  recipientsMax: number;
  smsSegmentsMax: number;
  mmsTextCharactersMax: number;
  mediaMax: number;
  mediaBytesMax: number;
  mediaUrlCharactersMax: number;
  bodyBytesMax: number;
  jsonDepthMax: number;
  referenceIdCharactersMax: number;
  idempotencyKeyCharactersMax: number;
  idempotencyKeptHours: number;
  validityMinutesMin: number;
  validityMinutesMax: number;
  validityMinutesDefault: number;
  /** Default of a key pair; a pair may have its own. */
  requestsPerSecond: number;
  burst: number;
  /** Per recipient; 0 = no limit. */
  recipientMessagesPerSecond: number;
  recipientBurst: number;
  [name: string]: number;
}

/** One entry of the gateway's catalogue of codes. */
export interface Reason {
  code: string;
  scope: 'request' | 'recipient' | 'outcome';
  /** Null for outcomes, which follow the answer. */
  httpStatus: number | null;
  /** The same request, unchanged, may succeed later. */
  retryable: boolean;
  billed: 'no' | 'yes' | 'if_sent';
  /** False: reserved, not issued yet. */
  issued: boolean;
  title: string;
  /** Most likely first. */
  cause: string[];
  /** In the same order. */
  fix: string[];
}

/** Facts about the gateway. */
export function catalogueCalls(call: Transport) {
  const read = <T>(path: string, options?: CallOptions) =>
    dataOf<T>(call, { method: 'GET', path, repeatable: true }, options);
  return {
    limits: (options?: CallOptions) => read<Limits>('/limits', options),
    reasons: (options?: CallOptions) => read<Reason[]>('/reasons', options),
  };
}
