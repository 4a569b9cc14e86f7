/** What the door remembers of an authenticated call, and hands on with its answer. */
import type { IncomingMessage } from 'node:http';
import type { RequestId } from '../kernel/ids.ts';
import type { ApiKey } from '../model/records.ts';

/** What is remembered of such a call while it is worked. */
export interface CallRecord {
  key: ApiKey;
  client: { readonly ip: string };
  /** What its JSON came to; undefined when there was none. */
  body: unknown;
  bodyBytes: number;
  dryRun: boolean;
}

/** Of the exchange and of its answer what a record may be made of. */
export interface NotedCall {
  requestId: RequestId;
  path: string;
  request: Pick<IncomingMessage, 'method' | 'headers'>;
  secrets(): string[];
  tookMs(): number;
}
export interface GivenAnswer {
  status: number;
  reason: string;
  body: string | Buffer;
}

/** Keeps the call for its company to look at. Must not throw. */
export type NoteCall = (exchange: NotedCall, record: CallRecord, answer: GivenAnswer) => void;

/** Counts an answer. `tookMs` from the request to its answer; null for a stream. Must not throw. */
export type CountAnswer = (path: string, status: number, reason: string, tookMs: number | null) => void;
