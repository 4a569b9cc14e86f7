/**
 * Turns a send request into stored messages, or refuses it with a reason: checks sender, campaign, text and media, then
 * gives each recipient a status. Answers only after the store has committed; carriers are never involved.
 *
 * While a send queue has free slots and no waiting messages, `accept` stores deliveries as `sending` and hands them
 * over after its commit. It never uses more slots than the queue has free.
 */
import type { Clock, EpochMs, Random } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { Ids, LaneId } from '../../kernel/ids.ts';
import type { Claim, NewDelivery, NewSmsDelivery, SmsClaim, SmsMessage } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { Limits } from '../../model/limits.ts';
import type { RecipientStatus } from '../../model/reason.ts';
import type { MessageKind, SendingNumber } from '../../model/records.ts';
import type { Caller, RecipientResult, RenderAnswer, SendContext, SendOutcome, SendRequest } from '../../model/send.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { Consent } from '../consent/consent.ts';
import { consentScope, isStopped } from '../consent/consent-rules.ts';
import type { MediaWork } from '../media/media-work.ts';
import type { Reservation } from '../send-queue/lane.ts';
import type { Lanes } from '../send-queue/lanes.ts';
import { quietHold } from '../send-queue/quiet-hours.ts';
import { type AcceptItem, isSmsItem, type SmsItem } from '../store/items.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { Memory } from '../time/memory.ts';
import { createAcceptQueue } from './accept-queue.ts';
import type { Backlog, TooLong } from './backlog.ts';
import { createIdempotency } from './idempotency.ts';
import { type CapTaken, createKeyCaps, noCap, overCap } from './key-caps.ts';
import { createRecipientRates, judgeRecipients, type RecipientVerdict } from './recipients.ts';
import { createSenderRates, judgeSender } from './sender.ts';
import { type Body, refuseText, type SmsBody, shapeFor } from './text.ts';

/**
 * When another process enters an opt-out after the recipients were checked, they are checked again, at most this often.
 */
const judgedTimesMax = 5;

export interface Acceptor {
  /**
   * Why a request of this caller would be refused whatever it holds; null = it may be accepted. Asked before it is read, so that
   * refusing costs little under overload. Does not hold for repeats of accepted requests, which get their answer.
   */
  refusesUnread(caller: Caller): 'busy' | TooLong | null;
  /** Throws StoreUnavailable when nothing could be stored (503). */
  accept(request: SendRequest, caller: Caller, context: SendContext, render: RenderAnswer): Promise<SendOutcome>;
}

export interface AcceptorParts {
  clock: Clock;
  random: Random;
  ids: Ids;
  limits: Limits;
  directory(): Directory;
  store: Pick<MessageStore, 'accept' | 'answerFor'> &
    Pick<SystemStore, 'takeOfDay'> &
    Pick<StoreBase, 'newest' | 'place' | 'isBusy'>;
  lanes: Pick<Lanes, 'up' | 'nudge' | 'reserve' | 'figures'>;
  backlog: Pick<Backlog, 'tooLong' | 'tooLongEverywhere'>;
  consent: Pick<Consent, 'isOptedOut' | 'version'>;
  memory: Pick<Memory, 'catchUp'>;
  /** Prepares the media of an accepted MMS; until then it is not due in its lane. */
  mediaWork: Pick<MediaWork, 'nudge'>;
  /** False while the disk has room only for what was accepted, replies and receipts. Absent = always true. */
  hasSpace?: (() => boolean) | undefined;
  /** False while the media store accepts nothing: then no MMS is accepted. Absent = always true. */
  hasMediaCapacity?(): Promise<boolean> | boolean;
  /** Concatenation references, shared with all senders to the same recipients. */
  nextReference(to: string): number;
  /** Counts a refused recipient of an accepted request; absent = not counted. */
  refused?(status: RecipientStatus): void;
}

/** What was found about a request that may be accepted. */
interface Judged {
  body: Body;
  verdicts: RecipientVerdict[];
  /** Of each recipient that gets a message. */
  lanes: LaneId[];
  /** Of the opt-outs that were looked at. */
  scope: string;
  /** Gives back what it took from the rates: nothing was stored. */
  giveBack(): void;
}

export function createAcceptor(parts: AcceptorParts): Acceptor {
  const { clock, ids, limits } = parts;
  const senderRates = createSenderRates(clock, parts.store.place.nodes);
  const recipientRates = createRecipientRates(limits, clock);
  const idempotency = createIdempotency(parts.store, clock);
  const caps = createKeyCaps(parts);
  const queue = createAcceptQueue(clock, () => ({ ...parts.lanes.figures(), busy: parts.store.isBusy() }));

  function judge(request: SendRequest, caller: Caller, at: EpochMs, trial: boolean): Judged | SendOutcome {
    const directory = parts.directory();
    const kind: MessageKind = request.mediaUrls.length > 0 ? 'MMS' : 'SMS';
    const { accountId, smartEncoding: smart } = caller.account;
    const sender = judgeSender(directory, request.from, accountId, caller.key.environment, kind);
    if (sender.kind === 'refused') return { kind: 'rejected', reason: sender.reason, detail: sender.detail };
    const { numbers } = caller.key;
    if (numbers !== undefined && numbers.length > 0 && !numbers.includes(request.from)) return notForKey(request.from);
    const refused = refuseText(request, kind, limits);
    if (refused !== null) return refused;
    const verdicts = judgeRecipients(request.to, {
      directory,
      caller,
      from: request.from,
      countries: sender.number.countries,
      kind,
      at,
      isOptedOut: (to) => isStopped(parts.consent, sender.number, to),
      fraction: () => parts.random.fraction(),
      carrierUp: parts.lanes.up,
      carrier: request.carrier,
      hasRate: (to) => recipientRates.has(accountId, to),
    });
    const lanes = lanesOf(verdicts);
    const body: Body | SendOutcome =
      kind === 'MMS' ? { messageType: kind } : shapeFor(request.text, lanes, { smart, directory, limits });
    if ('kind' in body) return body;
    const count = lanes.length;
    const waitMs = count === 0 ? 0 : senderRates.take(sender.number, count, trial);
    if (waitMs > 0) return tooFast(sender.number, waitMs);
    const perRecipient = (change: 'take' | 'giveBack'): void => {
      for (const { kind, to } of verdicts) if (kind === 'ready') recipientRates[change](accountId, to);
    };
    if (!trial) perRecipient('take');
    const giveBack = (): void => {
      if (trial || count === 0) return;
      senderRates.giveBack(sender.number, count);
      perRecipient('giveBack');
    };
    return { body, verdicts, lanes, scope: consentScope(sender.number), giveBack };
  }

  async function process(
    request: SendRequest,
    caller: Caller,
    context: SendContext,
    render: RenderAnswer,
    judgedTimes = 1,
  ): Promise<SendOutcome> {
    const { account, key } = caller;
    const early = context.dryRun ? null : parts.backlog.tooLongEverywhere(account, key.environment);
    if (early !== null) return waitsTooLong(early);
    const at = clock.now();
    const version = parts.consent.version();
    const judged = judge(request, caller, at, context.dryRun);
    if ('kind' in judged) return judged;
    let outcome: SendOutcome | 'opted out' | null = null;
    try {
      outcome = await decide(request, caller, context, render, { ...judged, at, version });
    } finally {
      if (!isStored(outcome)) judged.giveBack();
    }
    if (outcome !== 'opted out') return outcome;
    if (judgedTimes === judgedTimesMax) throw new StoreUnavailable('busy', 'its recipients opt out meanwhile');
    await parts.memory.catchUp();
    return process(request, caller, context, render, judgedTimes + 1);
  }

  /** Answers a dry run; stores everything else, or says why not. */
  async function decide(
    request: SendRequest,
    caller: Caller,
    context: SendContext,
    render: RenderAnswer,
    { body, verdicts, lanes, scope, at, version }: Judged & { at: EpochMs; version: number },
  ): Promise<SendOutcome | 'opted out'> {
    const { account, key } = caller;
    const { from, text } = request;
    const { dryRun } = context;
    const late = dryRun ? null : parts.backlog.tooLong(account, lanes);
    if (late !== null) return waitsTooLong(late);
    const referenceId = request.referenceId ?? ids.uuidv7();
    const quiet = quietHold(parts.directory(), caller.account, from, at);
    const { results, deliveries } = toDeliveries(verdicts, request, dryRun, quiet?.until ?? at);
    const taking = takeOfCap(caller, lanes.length, dryRun);
    const cap = taking instanceof Promise ? await taking : taking;
    if (!cap.ok) return overCap(caller, cap.left);
    const { messageType, encoding, segments } = body.messageType === 'SMS' ? body : answeredMms;
    const answer = render({ referenceId, from, text, messageType, encoding, segments, dryRun, results }, caller);
    if (dryRun || (deliveries.length === 0 && context.idempotency === null)) {
      if (!dryRun) countRefused(results);
      return { kind: 'accepted', body: answer, replayed: false };
    }
    const message = {
      requestId: context.requestId,
      accountId: account.accountId,
      keyId: key.keyId,
      direction: 'outbound',
      referenceId,
      from,
      text,
      acceptedAt: at,
    } as const;
    const row = stored(context, answer);
    let item: AcceptItem;
    if (body.messageType === 'SMS') {
      const texts = withReferences(deliveries, body);
      item = { message: { ...message, ...body, mediaUrls: [] }, deliveries: texts, idempotency: row };
      if (quiet !== null) item.held = quiet;
    } else {
      // An MMS becomes due when its media are ready; until then its lane holds it.
      item = { message: { ...message, ...body, mediaUrls: request.mediaUrls }, deliveries, idempotency: row };
    }
    if (context.traceparent !== undefined) item.message.traceparent = context.traceparent;
    if (deliveries.length > 0 && deliveries.length < results.length) item.refused = refusedOf(results);
    if (parts.store.newest() !== null) item.judged = { scope, version };
    let outcome: SendOutcome | 'opted out' | null = null;
    try {
      if (deliveries.length > 0 && parts.hasSpace?.() === false) {
        throw new StoreUnavailable('full', 'the disk has no room for new messages');
      }
      if (deliveries.length > 0 && body.messageType === 'MMS' && (await parts.hasMediaCapacity?.()) === false) {
        throw new StoreUnavailable('full', 'the media store has no room');
      }
      outcome = await commit(item, answer);
    } finally {
      if (isStored(outcome)) countRefused(results);
      else cap.giveBack();
    }
    return outcome;
  }

  function countRefused(results: readonly RecipientResult[]): void {
    if (parts.refused === undefined) return;
    for (const { status } of results) if (status !== 'SUCCESS') parts.refused(status);
  }

  /** A pair without a daily cap costs nothing here. */
  function takeOfCap({ key }: Caller, count: number, trial: boolean): CapTaken | Promise<CapTaken> {
    const { dailyCap: cap = 0, countsWith: keyId = key.keyId } = key;
    if (cap === 0) return noCap;
    return caps.take({ keyId, cap, count, trial });
  }

  function stored(context: SendContext, answer: string): AcceptItem['idempotency'] {
    if (context.idempotency === null) return null;
    return { ...context.idempotency, answer, expiresAt: clock.now() + limits.idempotencyKeptHours * 3_600_000 };
  }

  function toDeliveries(
    verdicts: RecipientVerdict[],
    request: SendRequest,
    dryRun: boolean,
    validFrom: EpochMs,
  ): { results: RecipientResult[]; deliveries: NewDelivery[] } {
    const expiresAt = validFrom + (request.validityMinutes ?? limits.validityMinutesDefault) * 60_000;
    const deliveries: NewDelivery[] = [];
    const results: RecipientResult[] = [];
    for (const verdict of verdicts) {
      const { to } = verdict;
      if (verdict.kind === 'refused') {
        results.push({ to, status: verdict.status, detail: verdict.detail });
      } else if (dryRun) {
        results.push({ to, status: 'SUCCESS' });
      } else {
        const messageId = ids.message();
        deliveries.push({ messageId, to, lane: verdict.lane, expiresAt });
        results.push({ to, status: 'SUCCESS', messageId });
      }
    }
    return { results, deliveries };
  }

  function withReferences(deliveries: readonly NewDelivery[], { segments }: SmsBody): NewSmsDelivery[] {
    return deliveries.map((delivery) => ({
      ...delivery,
      concatReference: segments > 1 ? parts.nextReference(delivery.to) : 0,
    }));
  }

  async function commit(item: AcceptItem, answer: string): Promise<SendOutcome | 'opted out'> {
    const now = isSmsItem(item) && item.held === undefined ? item : null;
    const shortCuts = now === null ? [] : reserveSlots(now.deliveries, parts.lanes);
    let stored = false;
    let waits = false;
    try {
      const [result] = await parts.store.accept([item]);
      if (result === undefined) throw new Error('The store has no result for a message it was given.');
      if (result.kind === 'replay') return { kind: 'accepted', body: result.answer, replayed: true };
      if (result.kind === 'opted out') return result.kind;
      if (result.kind === 'conflict') return idempotency.conflict(result.firstRequestId);
      stored = true;
      waits = result.waits === true;
    } finally {
      if (!stored || waits) for (const { reservation } of shortCuts) reservation.release();
    }
    if (waits) for (const delivery of now!.deliveries) delivery.sending = false;
    if (now !== null) handOver(now, waits ? [] : shortCuts);
    else if (!isSmsItem(item)) parts.mediaWork.nudge();
    return { kind: 'accepted', body: answer, replayed: false };
  }

  function handOver(item: SmsItem, shortCuts: readonly ShortCut[]): void {
    for (const { reservation, deliveries } of shortCuts) {
      const claims: Claim[] = [];
      for (const delivery of deliveries) claims.push(asClaim(item.message, delivery));
      reservation.take(claims);
    }
    if (item.deliveries.every(({ sending }) => sending)) return;
    const waiting = item.deliveries.filter(({ sending }) => !sending);
    for (const [lane, { length }] of byLane(waiting)) parts.lanes.nudge(lane, length);
  }

  return {
    refusesUnread: ({ account, key }) =>
      queue.isFull() ? 'busy' : parts.backlog.tooLongEverywhere(account, key.environment),
    accept: (request, caller, context, render) => {
      const inTurn = () => queue.inTurn(request.to.length, () => process(request, caller, context, render));
      return context.idempotency === null || context.dryRun
        ? inTurn()
        : idempotency.once(caller.account.accountId, context.idempotency, inTurn);
    },
  };
}

function isStored(outcome: SendOutcome | 'opted out' | null): boolean {
  return outcome !== null && outcome !== 'opted out' && outcome.kind === 'accepted' && !outcome.replayed;
}

function refusedOf(results: readonly RecipientResult[]): AcceptItem['refused'] {
  return results.flatMap(({ to, status, detail = '' }, place) =>
    status === 'SUCCESS' ? [] : [{ place, to, status, detail }],
  );
}

/** An MMS counts as one segment. */
const answeredMms = { messageType: 'MMS', encoding: null, segments: 1 } as const;

function tooFast({ number, messagesPerSecond }: SendingNumber, waitMs: number): SendOutcome {
  return {
    kind: 'rejected',
    reason: 'RATE_LIMITED',
    detail: `${number} may send ${counted(messagesPerSecond, 'text')} a second. Send again later. Nothing was sent or billed.`,
    retrySeconds: Math.ceil(waitMs / 1_000),
  };
}

function notForKey(from: string): SendOutcome {
  return {
    kind: 'rejected',
    reason: 'SENDER_NOT_ENABLED',
    detail: `${from} is on your account, but this key pair may not send from it. Use one of its numbers, or allow it under API keys. Nothing was sent or billed.`,
  };
}

function lanesOf(verdicts: readonly RecipientVerdict[]): LaneId[] {
  const lanes: LaneId[] = [];
  for (const verdict of verdicts) if (verdict.kind !== 'refused') lanes.push(verdict.lane);
  return lanes;
}

export function waitsTooLong({ limitSeconds, retrySeconds }: TooLong): SendOutcome & { kind: 'rejected' } {
  return {
    kind: 'rejected',
    reason: 'TEMPORARILY_UNAVAILABLE',
    detail: `Messages to these recipients would wait for their carrier longer than the ${counted(limitSeconds, 'second')} that your account allows. Send the same request again a little later. Nothing was sent or billed.`,
    retrySeconds,
  };
}

/** Reserved slots of one lane, and the deliveries that get them. */
interface ShortCut {
  reservation: Reservation;
  deliveries: readonly NewSmsDelivery[];
}

/** Marks those as `sending` that their lane can take as soon as they are on disk: they need not be claimed. */
function reserveSlots(deliveries: readonly NewSmsDelivery[], lanes: Pick<Lanes, 'reserve'>): ShortCut[] {
  const shortCuts: ShortCut[] = [];
  for (const [lane, own] of byLane(deliveries)) {
    const reservation = lanes.reserve(lane, own.length);
    if (reservation === null) continue;
    const first = reservation.count === own.length ? own : own.slice(0, reservation.count);
    for (const delivery of first) delivery.sending = true;
    shortCuts.push({ reservation, deliveries: first });
  }
  return shortCuts;
}

/** Grouped only when there are several lanes, which is rare. */
function byLane(deliveries: readonly NewSmsDelivery[]): Iterable<[string, readonly NewSmsDelivery[]]> {
  const [first] = deliveries;
  if (first === undefined) return [];
  const { lane } = first;
  if (deliveries.every((delivery) => delivery.lane === lane)) return [[lane, deliveries]];
  return Map.groupBy(deliveries, (delivery) => delivery.lane);
}

/** The claim that the store would return for it. */
function asClaim(message: SmsMessage, delivery: NewSmsDelivery): SmsClaim {
  return {
    messageId: delivery.messageId,
    accountId: message.accountId,
    keyId: message.keyId,
    lane: delivery.lane,
    attempt: 1,
    dupRisk: false,
    from: message.from,
    to: delivery.to,
    text: message.wireText ?? message.text,
    messageType: 'SMS',
    segments: message.segments,
    concatReference: delivery.concatReference,
    expiresAt: delivery.expiresAt,
    acceptedAt: message.acceptedAt,
    partsAccepted: [],
  };
}
