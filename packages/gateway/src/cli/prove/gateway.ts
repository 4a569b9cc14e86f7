/** A gateway that a run can set up, start and call: this version, or one that a peer file describes. */
import type { JudgedMessage } from './judge.ts';

export interface Program {
  command: readonly string[];
  /** Started only when something listens on this port. */
  afterPort: number | null;
}

export interface HttpRequest {
  method: string;
  path: string;
  headers: readonly (readonly [string, string])[];
  body: string | null;
}

export interface Gateway {
  name: string;
  /** Written before `setup` runs. */
  files: readonly { path: string; text: string }[];
  /** Run to their end, once. */
  setup: readonly Program[];
  /** Run at every start, in this order. */
  start: readonly Program[];
  env: Readonly<Record<string, string>>;
  readyPort: number;
  /** Ready = a GET of this path is answered with 2xx; null: ready = the port takes connections. */
  readyPath: string | null;
  /** More time after that, before it counts as ready. */
  settleMs: number;
  /** How long nothing must arrive at the end before missing messages count as lost. */
  quietMs: number;
  /** Where requests go. */
  port: number;
  request(to: string, mid: string): HttpRequest;
  /** The id of the message, '' when it has none; null when this answer acknowledges nothing. */
  acknowledged(status: number, body: string): string | null;
  /** What the gateway says about its messages; null for one that cannot be asked. */
  records: Records | null;
}

export interface Records {
  /** Whether the gateway still moves messages on by itself. */
  isMoving(): Promise<boolean>;
  all(): Promise<JudgedMessage[]>;
}
