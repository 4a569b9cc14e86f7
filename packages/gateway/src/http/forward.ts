/**
 * Requests whose credentials another cell has: forwarded to it as they came, once, and its answer handed back unchanged.
 * That cell checks everything itself; here only the size of the body counts.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Stranger } from './credentials.ts';
import { type Answer, clientHeader, type Exchange, notSent, rejection, retryAfter } from './exchange.ts';
import { type BodyResult, readBody } from './input.ts';

export interface CellRequest {
  method: string;
  /** Path and query; hold a secret. */
  target: string;
  /** Name, value, name, value. */
  headers: readonly string[];
  body: Buffer;
  /** Nobody waits for the answer any more. */
  signal: AbortSignal | null;
}

export interface CellAnswer {
  status: number;
  headers: readonly string[];
  body: Buffer;
}

/** A cell does not answer. */
export class CellAway extends Error {
  /** It may have got what it was sent. */
  readonly wasSent: boolean;
  constructor(cell: string, { wasSent }: { wasSent: boolean }, options?: ErrorOptions) {
    super(wasSent ? `the answer of cell ${cell} was lost` : `cell ${cell} cannot be reached`, options);
    this.name = 'CellAway';
    this.wasSent = wasSent;
  }
}

export interface OtherCells {
  /** The cell that has the pair; null = none has. Rejects with CellAway while one that may have it says nothing. */
  find(stranger: Stranger): Promise<string | null>;
  /** Sends it to that cell once. Rejects with CellAway. */
  forward(cell: string, request: CellRequest): Promise<CellAnswer>;
  /** That cell does not have the pair any more. */
  forget(stranger: Stranger): void;
}

export interface Forwarded {
  exchange: Exchange;
  stranger: Stranger;
  /** Of the client. */
  address: string;
  bytesMax: number;
  /** The answer where no cell has the pair. */
  refusal: Answer;
  /** The answer to a body that could not be read. */
  unread(result: BodyResult): Answer;
}

/** In an answer of a cell that does not have the pair either, so that the door forgets it had. */
export const unknownPair = ['Helio-Cell-Pair', 'unknown'] as const;

/** Requests under way to other cells, and the bytes of their bodies. */
const requestsMax = 1_000;
const bytesMaxAll = 128 * 1_024 * 1_024;
const retrySeconds = 2;

const away = (detail: string): Answer =>
  rejection('TEMPORARILY_UNAVAILABLE', detail, { headers: retryAfter(retrySeconds) });
const silent = away(
  `A part of this gateway does not answer at the moment, and these credentials may be known there. Send the same request again a little later. ${notSent}`,
);
const notReached = away(
  `The part of this gateway that has your account cannot be reached at the moment. Send the same request again a little later. ${notSent}`,
);
const busy = away(
  `Too many requests are under way to other parts of this gateway. Send this one again a little later. ${notSent}`,
);
const askAgain = away(
  'The part of this gateway that has your account got the request, and its answer was lost. Send the same request again.',
);
const inDoubt = away(
  'The part of this gateway that has your account was reached, and its answer was lost. It may have been accepted: send it again with the same Idempotency-Key, or without one look for its referenceId first.',
);

/** Returns what takes a request of a stranger; it always answers it. */
export function createForward(
  cells: OtherCells,
  { clock, failed }: { clock: Clock; failed(exchange: Exchange, error: unknown): void },
): (given: Forwarded) => void {
  let requests = 0;
  let bytes = 0;

  function take(given: Forwarded): void {
    const { exchange, stranger } = given;
    cells.find(stranger).then(
      (cell) => {
        if (cell !== null) return read(given, cell);
        stranger.failed();
        exchange.send(given.refusal);
      },
      (error: unknown) => answerFailure(exchange, error, silent),
    );
  }

  function read(given: Forwarded, cell: string): void {
    const { exchange, bytesMax } = given;
    const { request, connection } = exchange;
    exchange.cell = cell;
    const length = bodyLength(exchange, bytesMax);
    if (requests >= requestsMax || bytes + length > bytesMaxAll) {
      exchange.send(busy);
      return;
    }
    requests += 1;
    bytes += length;
    let isOver = false;
    exchange.whenOver(() => {
      if (isOver) return;
      isOver = true;
      requests -= 1;
      bytes -= length;
    });
    if (length === 0) return void send(given, cell, Buffer.alloc(0));
    exchange.askForBody(bytesMax);
    connection.reading = request;
    readBody(request, { clock, bytesMax }, (result) => {
      connection.reading = null;
      if (result.kind === 'read') void send(given, cell, result.bytes);
      else exchange.send(given.unread(result));
    });
  }

  async function send({ exchange, stranger, address }: Forwarded, cell: string, body: Buffer): Promise<void> {
    const { method = 'GET', rawHeaders } = exchange.request;
    const reads = method === 'GET' || method === 'HEAD';
    const gone = new AbortController();
    // What changes something is done, whether its caller waits for the answer or not.
    if (reads) exchange.whenOver(() => gone.abort());
    const headers = [...endToEnd(rawHeaders, ownHeaders), clientHeader, address];
    const signal = reads ? gone.signal : null;
    try {
      const answer = await cells.forward(cell, { method, target: exchange.target, headers, body, signal });
      if (hasHeader(answer.headers, unknownPair)) cells.forget(stranger);
      exchange.send(given(answer, method));
    } catch (error) {
      const isInDoubt = error instanceof CellAway && error.wasSent;
      answerFailure(exchange, error, isInDoubt ? (reads ? askAgain : inDoubt) : notReached);
    }
  }

  function answerFailure(exchange: Exchange, error: unknown, answer: Answer): void {
    if (error instanceof CellAway) exchange.send(answer);
    else failed(exchange, error);
  }

  return take;
}

/** RFC 9110 §7.6.1, and what the next connection has of its own. */
const perConnection = new Set(
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade content-length expect'.split(' '),
);
const ownHeaders = new Set([clientHeader]);
const cellHeaders = new Set([unknownPair[0].toLowerCase()]);

function endToEnd(raw: readonly string[], without: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    if (!perConnection.has(name) && !without.has(name)) kept.push(raw[i]!, raw[i + 1]!);
  }
  return kept;
}

function hasHeader(raw: readonly string[], [name, value]: readonly [string, string]): boolean {
  return raw.some((word, i) => i % 2 === 0 && word.toLowerCase() === name.toLowerCase() && raw[i + 1] === value);
}

function given({ status, headers, body }: CellAnswer, method: string): Answer {
  const length = status === 304 || method === 'HEAD' ? [] : ['Content-Length', String(body.length)];
  return { status, reason: 'FORWARDED', body, given: [...endToEnd(headers, cellHeaders), ...length] };
}

/** Of a body whose length is not stated, the most that is read. */
function bodyLength({ request: { headers } }: Exchange, bytesMax: number): number {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  return Math.min(Number(headers['content-length'] ?? 0), bytesMax + 1);
}
