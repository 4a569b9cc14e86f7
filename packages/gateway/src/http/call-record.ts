/** What the guard records about an authenticated call and hands on with its answer. */
import type { IncomingMessage } from 'node:http';
import type { RequestId } from '../kernel/ids.ts';
import type { ApiKey } from '../model/records.ts';

/** The record of a call while it is worked on. */
export interface CallRecord {
  key: ApiKey;
  client: { readonly ip: string };
  /** The parsed JSON body; undefined when there was none. */
  body: unknown;
  bodyBytes: number;
  dryRun: boolean;
}

/** The parts of the exchange and its answer that a log entry may hold. */
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

/** Records the call for the company's request log. Must not throw. */
export type NoteCall = (exchange: NotedCall, record: CallRecord, answer: GivenAnswer) => void;

/** Counts an answer. `tookMs` is the time from request to answer; null for a stream. Must not throw. */
export type CountAnswer = (path: string, status: number, reason: string, tookMs: number | null) => void;
