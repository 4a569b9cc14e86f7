/**
 * `POST /SendSMS`, the contract's one operation: parses, calls accept, answers. A 200 is sent only after the commit.
 */
import { hash } from 'node:crypto';
import { cut } from '../../http/envelope.ts';
import { type Answer, type Exchange, notSent, rejection, retryAfter } from '../../http/exchange.ts';
import { busyAnswer } from '../../http/failure.ts';
import type { Call, GuardedRoutes } from '../../http/guard.ts';
import { valuesOf } from '../../http/input.ts';
import type { RouteModule } from '../../http/server.ts';
import { type Acceptor, waitsTooLong } from '../../messaging/accept/accept.ts';
import type { Limits } from '../../model/limits.ts';
import type { RequestReason } from '../../model/reason.ts';
import type { AcceptedSend, RecipientResult, RenderAnswer, SendContext, SendOutcome } from '../../model/send.ts';
import { readTraceparent } from '../../model/traceparent.ts';
import { sendDocument } from './send-document.ts';
import { createSendRequestReader, plainName } from './send-request.ts';

const unknownFieldsMax = 10;
const unknownFieldCharactersMax = 40;
/** Retry-After when acceptance refuses because of its own rate. */
const flowRetrySeconds = 1;

export function sendSmsRoute(acceptor: Acceptor): RouteModule {
  return (_app, { guarded, limits }) => addRoute(guarded, acceptor, limits);
}

function addRoute(guarded: GuardedRoutes, acceptor: Acceptor, limits: Limits): void {
  const readSendRequest = createSendRequestReader(limits);

  guarded.add({
    method: 'POST',
    path: '/SendSMS',
    scope: 'send',
    people: { permission: 'send' },
    ...sendDocument(limits),
    refusesUnread: createUnreadRefusal(acceptor),
    work: ({ caller, exchange, body, bytes }) => {
      const read = readSendRequest(body);
      if (!read.ok) return rejection(read.reason, read.detail);
      const context = contextOf(exchange, bytes, limits);
      if ('status' in context) return context;
      const { unknownFields } = read;
      exchange.unknownFields = unknownFields.length;
      return acceptor
        .accept(read.request, caller, context, renderAnswer)
        .then((outcome) => answerTo(outcome, context.dryRun, unknownFields));
    },
  });
}

/**
 * Reads requests with an Idempotency-Key, whose answer may be stored already, and dry runs, which are never stored. The
 * answers are made once.
 */
function createUnreadRefusal(acceptor: Acceptor): (call: Call) => Answer<never> | null {
  let last = { limitSeconds: 0, retrySeconds: 0, answer: busyAnswer };
  return ({ caller, exchange }) => {
    const refusal = acceptor.refusesUnread(caller);
    if (refusal === null || exchange.request.headers['idempotency-key'] !== undefined) return null;
    if (valuesOf(exchange.query, 'dryRun').length > 0) return null;
    if (refusal === 'busy') return busyAnswer;
    const { limitSeconds, retrySeconds } = refusal;
    if (last.limitSeconds !== limitSeconds || last.retrySeconds !== retrySeconds) {
      last = { limitSeconds, retrySeconds, answer: answerTo(waitsTooLong(refusal), false, []) };
    }
    return last.answer;
  };
}

/** `dryRun[]` is how some clients send a list. */
function isLikeDryRun(name: string): boolean {
  return plainName(name.replace(/\[\w*\]$/, '')) === 'dryrun';
}

/** The parameters beside the body: dry run and Idempotency-Key. */
function contextOf(exchange: Exchange, bytes: Buffer, limits: Limits): SendContext | Answer<never> {
  const { query } = exchange;
  if (query.some(([name]) => name !== 'dryRun' && isLikeDryRun(name))) {
    return rejection('INVALID_FIELD', `A query parameter is nearly named dryRun. Write it exactly so. ${notSent}`);
  }
  const values = valuesOf(query, 'dryRun');
  if (values.length > 1 || (values.length === 1 && values[0] !== 'true' && values[0] !== 'false')) {
    return rejection('INVALID_FIELD', `The query parameter dryRun may be true or false, once. ${notSent}`);
  }
  const dryRun = values[0] === 'true';
  if (exchange.record !== null) exchange.record.dryRun = dryRun;
  const { 'idempotency-key': key, traceparent: header } = exchange.request.headers;
  const traceparent = header === undefined ? null : readTraceparent(header);
  const context: SendContext = { requestId: exchange.requestId, dryRun, idempotency: null };
  if (traceparent !== null) context.traceparent = traceparent;
  if (key === undefined) return context;
  if (!isIdempotencyKey(key, exchange.request.rawHeaders, limits)) {
    return rejection(
      'INVALID_FIELD',
      `The header Idempotency-Key must be 1–${limits.idempotencyKeyCharactersMax} printable ASCII characters, sent once. ${notSent}`,
    );
  }
  context.idempotency = { key, bodyHash: hash('sha256', bytes, 'hex') };
  return context;
}

function isIdempotencyKey(key: string | string[], rawHeaders: readonly string[], limits: Limits): key is string {
  // Two such headers arrive joined by a comma, which a single key may contain too, so the raw headers are counted.
  const sent = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'idempotency-key').length;
  return (
    sent === 1 && typeof key === 'string' && key.length <= limits.idempotencyKeyCharactersMax && /^[ -~]+$/.test(key)
  );
}

function answerTo(outcome: SendOutcome, dryRun: boolean, unknownFields: readonly string[]): Answer<never> {
  if (outcome.kind === 'accepted') {
    const headers = marks(outcome.replayed, dryRun, unknownFields);
    return { status: 200, reason: 'SUCCESS', body: outcome.body, headers };
  }
  const answer = rejection(outcome.reason as RequestReason, outcome.detail);
  const comeBack = answer.status === 429 || answer.status === 503;
  return comeBack ? { ...answer, headers: retryAfter(outcome.retrySeconds ?? flowRetrySeconds) } : answer;
}

function marks(replayed: boolean, dryRun: boolean, unknownFields: readonly string[]): string[] | undefined {
  if (!replayed && !dryRun && unknownFields.length === 0) return undefined;
  const headers: string[] = [];
  if (replayed) headers.push('Idempotent-Replayed', 'true');
  if (dryRun) headers.push('X-Dry-Run', '1');
  if (unknownFields.length > 0) {
    headers.push('X-Unknown-Fields', unknownFields.slice(0, unknownFieldsMax).map(named).join(', '));
  }
  return headers;
}

/** A field name in the form that a header can carry. */
function named(field: string): string {
  return field.slice(0, unknownFieldCharactersMax).replace(/[^\w.$-]/g, '?') || '?';
}

/**
 * The envelope of an accepted request. The contract's keys come first, in its order; a key pair set to *exact shape*
 * gets no others. Written by hand: this is the hot path.
 */
export const renderAnswer: RenderAnswer = (accepted, caller) => {
  const exact = caller.key.exactShape;
  let results = '';
  for (const result of accepted.results) {
    results += `${results === '' ? '' : ','}${exact ? exactResult(result) : fullResult(result)}`;
  }
  return `{"success":true,"reason":"SUCCESS","detail":"${successDetail(accepted)}","schema":{"referenceId":${JSON.stringify(
    accepted.referenceId,
  )},"from":${JSON.stringify(accepted.from)},"text":${JSON.stringify(accepted.text)},"resultResponses":[${results}]${
    exact ? '' : addedFields(accepted)
  }}}`;
};

function exactResult(result: RecipientResult): string {
  return `{"to":${JSON.stringify(result.to)},"status":"${result.status}"}`;
}

function fullResult(result: RecipientResult): string {
  const messageId = result.messageId === undefined ? '' : `,"messageId":"${result.messageId}"`;
  const detail = result.detail === undefined ? '' : `,"detail":${JSON.stringify(cut(result.detail))}`;
  return `{"to":${JSON.stringify(result.to)},"status":"${result.status}"${messageId}${detail}}`;
}

function addedFields({ messageType, encoding, segments, dryRun }: AcceptedSend): string {
  const sms = encoding === null ? '' : `,"encoding":"${encoding}","segments":${segments}`;
  return `,"messageType":"${messageType}"${sms}${dryRun ? ',"dryRun":true' : ''}`;
}

/** Needs no escapes in JSON. */
function successDetail({ results, dryRun }: AcceptedSend): string {
  let accepted = 0;
  for (const result of results) if (result.status === 'SUCCESS') accepted++;
  const counted = `for ${accepted} of ${results.length} recipients.`;
  if (dryRun) return `Dry run: would be accepted ${counted} Nothing was sent or billed.`;
  return accepted === 0 ? `Accepted ${counted} Nothing was sent or billed.` : `Accepted ${counted}`;
}
