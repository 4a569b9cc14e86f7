/** A gateway that a run can set up, start and call: this version, or one that a peer file describes. */
import type { JudgedMessage } from './judge.ts';

export interface Program {
  command: readonly string[];
  /** Starts only after something listens on this port. */
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
  /** Each runs once, to its end. */
  setup: readonly Program[];
  /** Started in this order at every start. */
  start: readonly Program[];
  env: Readonly<Record<string, string>>;
  readyPort: number;
  /** Ready when a GET of this path returns 2xx; null: ready when the port accepts connections. */
  readyPath: string | null;
  /** Additional wait before it counts as ready. */
  settleMs: number;
  /** How long the final quiet period must last before missing messages count as lost. */
  quietMs: number;
  /** The port that requests are sent to. */
  port: number;
  request(to: string, mid: string): HttpRequest;
  /** The id of the message, '' when it has none; null when this answer acknowledges nothing. */
  acknowledged(status: number, body: string): string | null;
  /** Reads the gateway's records of its messages; null for a gateway without such an API. */
  records: Records | null;
}

export interface Records {
  /** Whether the gateway is still processing messages by itself. */
  isMoving(): Promise<boolean>;
  all(): Promise<JudgedMessage[]>;
}
