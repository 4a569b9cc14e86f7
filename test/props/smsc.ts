/**
 * An SMSC for tests and benchmarks: takes binds and submit_sm, records what it accepts, sends receipts, and misbehaves
 * on request. Independent of the product's SMPP code on purpose. It never judges: `checker.ts` does.
 */
import { appendFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSenderWatch } from './cluster-rules.ts';
import {
  commandIds,
  commandStatuses,
  contentText,
  cString,
  cStringAt,
  headerOctets,
  pduBytes,
  pduOctetsAt,
  readSubmitSm,
  responseBit,
  type SubmitSm,
} from './pdu-bytes.ts';
import { createReceiptQueue, type ReceiptQueue, type ReceiptsOn } from './receipt-queue.ts';

/** How it behaves; every field may be changed while it runs. */
export interface SmscBehaviour {
  /** Refuses every bind with ESME_RBINDFAIL. */
  refuseBinds: boolean;
  /** Wait before each submit_sm_resp. */
  responseDelayMs: number;
  /** Closes the connection on every Nth submit_sm without answering it; 0 = never. */
  dropEvery: number;
  /** Reads submit_sm and answers none of them. */
  mute: boolean;
  /** Whether an unanswered submit_sm (`dropEvery`, `mute`) counts as accepted, as the carrier has read it. */
  unansweredAccepted: boolean;
  /** Answers every Nth submit_sm with ESME_RTHROTTLED; 0 = never. */
  throttleEvery: number;
  /** Receipts for submissions that ask for one: none, after the submit_sm_resp, or before it. */
  receipts: 'off' | 'after' | 'before';
  receiptDelayMs: number;
  receiptsOn: ReceiptsOn;
  /** Keeps receipts and replies that are due until this is false again. */
  holdReceipts: boolean;
  /** Every Nth receipt says that the text did not arrive; 0 = all arrive. */
  undeliveredEvery: number;
  /** With every Nth receipt the handset also sends a reply; 0 = never. */
  replyEvery: number;
}

export const goodBehaviour: SmscBehaviour = {
  refuseBinds: false,
  responseDelayMs: 0,
  dropEvery: 0,
  mute: false,
  unansweredAccepted: true,
  throttleEvery: 0,
  receipts: 'off',
  receiptDelayMs: 0,
  receiptsOn: 'any',
  holdReceipts: false,
  undeliveredEvery: 0,
  replyEvery: 0,
};

/** One accepted submit_sm. */
export interface AcceptedSubmit {
  destination: string;
  text: string;
  /** `process.hrtime` in ms, the same clock in all processes of a machine. */
  atMs: number;
}

export interface SmscOptions {
  port?: number;
  behaviour?: Partial<SmscBehaviour>;
  /** Appends `destination TAB text LF` of each accepted submit_sm to this file. */
  logFile?: string;
  /** False keeps only counts, no list: for benchmarks. */
  keepList?: boolean;
  /** Called with the running number (from 1) of each submit_sm read, before anything is answered. */
  onSubmit?: (count: number) => void;
}

export interface Smsc {
  readonly port: number;
  readonly behaviour: SmscBehaviour;
  /** Everything accepted, in order; empty when `keepList` is false. */
  readonly accepted: readonly AcceptedSubmit[];
  /** Copies accepted by destination. */
  readonly copies: ReadonlyMap<string, number>;
  /** Texts of the replies that were answered with ESME_ROK. */
  readonly repliesTaken: ReadonlySet<string>;
  counts(): SmscCounts;
  /** Forgets list and counts; sessions stay. */
  reset(): void;
  /** Counts the submit_sm read from now on over the sessions that are open now; of these system ids, or of all. */
  watchOpenSessions(systemIds?: readonly string[]): () => number;
  /** Closes every session now, without unbinding. */
  dropSessions(): void;
  stop(): Promise<void>;
}

export interface SmscCounts {
  submits: number;
  accepted: number;
  distinct: number;
  throttled: number;
  malformed: number;
  binds: number;
  sessions: number;
  /** Submissions without an answer on an open session, and the most there ever were on one session. */
  unansweredMax: number;
  receiptsAcknowledged: number;
  /** deliver_sm that were answered with an error, tries of the same one counted each. */
  deliveriesRefused: number;
  lastSubmitAtMs: number;
  lastReceiptAtMs: number;
  /** submit_sm from a session after a later session of the same system id had begun to submit: it has two senders. */
  staleSubmits: number;
}

/** One connection and its state. */
interface Session {
  socket: Socket;
  rest: Buffer | null;
  bound: boolean;
  systemId: string;
  /** Which bind of all it was. */
  bindNumber: number;
  /** submit_sm read. */
  submits: number;
  unanswered: number;
  out: Buffer[];
}

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
  const behaviour: SmscBehaviour = { ...goodBehaviour, ...options.behaviour };
  const state = createState(options, behaviour);
  const server = createServer({ noDelay: true }, (socket) => serve(socket, state));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    behaviour,
    accepted: state.accepted,
    copies: state.copies,
    repliesTaken: state.repliesTaken,
    counts: () => ({
      ...state.counts,
      distinct: state.copies.size,
      sessions: state.sessions.size,
      ...receiptCounts(state),
    }),
    reset: () => {
      state.accepted.length = 0;
      state.copies.clear();
      Object.assign(state.counts, zeroCounts());
      for (const queue of state.receipts.values()) queue.reset();
    },
    watchOpenSessions: (systemIds) => {
      const open = [...state.sessions]
        .filter(({ systemId }) => systemIds?.includes(systemId) ?? true)
        .map((session) => ({ session, before: session.submits }));
      return () => open.reduce((sum, { session, before }) => sum + session.submits - before, 0);
    },
    dropSessions: () => {
      for (const session of state.sessions) session.socket.destroy();
    },
    stop: async () => {
      for (const queue of state.receipts.values()) queue.stop();
      for (const session of state.sessions) session.socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function zeroCounts() {
  return {
    submits: 0,
    accepted: 0,
    throttled: 0,
    malformed: 0,
    binds: 0,
    receipts: 0,
    unansweredMax: 0,
    lastSubmitAtMs: 0,
    staleSubmits: 0,
  };
}

function createState(options: SmscOptions, behaviour: SmscBehaviour) {
  return {
    options,
    behaviour,
    sessions: new Set<Session>(),
    accepted: [] as AcceptedSubmit[],
    copies: new Map<string, number>(),
    counts: zeroCounts(),
    /** By system id: a receipt comes on a session of the one that submitted. */
    receipts: new Map<string, ReceiptQueue>(),
    repliesTaken: new Set<string>(),
    nextMessageId: 1,
    nextBind: 1,
    senders: createSenderWatch(),
  };
}

type State = ReturnType<typeof createState>;

function receiptsOf({ systemId }: Session, { receipts, behaviour, repliesTaken }: State): ReceiptQueue {
  const queue = receipts.get(systemId) ?? createReceiptQueue(behaviour, repliesTaken);
  receipts.set(systemId, queue);
  return queue;
}

function receiptCounts({ receipts }: State): ReturnType<ReceiptQueue['counts']> {
  const all = [...receipts.values()].map((queue) => queue.counts());
  return {
    receiptsAcknowledged: all.reduce((sum, { receiptsAcknowledged }) => sum + receiptsAcknowledged, 0),
    deliveriesRefused: all.reduce((sum, { deliveriesRefused }) => sum + deliveriesRefused, 0),
    lastReceiptAtMs: Math.max(0, ...all.map(({ lastReceiptAtMs }) => lastReceiptAtMs)),
  };
}

function serve(socket: Socket, state: State): void {
  const session: Session = {
    socket,
    rest: null,
    bound: false,
    systemId: '',
    bindNumber: 0,
    submits: 0,
    unanswered: 0,
    out: [],
  };
  state.sessions.add(session);
  socket.on('data', (chunk: Buffer) => {
    const bytes = session.rest === null ? chunk : Buffer.concat([session.rest, chunk]);
    const read = readAll(bytes, session, state);
    session.rest = read < bytes.length ? bytes.subarray(read) : null;
    flush(session);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    state.sessions.delete(session);
    receiptsOf(session, state).sessionClosed(socket);
  });
}

function flush(session: Session): void {
  if (session.out.length === 0) return;
  const bytes = session.out.length === 1 ? session.out[0]! : Buffer.concat(session.out);
  session.out = [];
  if (session.socket.writable) session.socket.write(bytes);
}

/** Handles every whole PDU in `bytes`; returns how far it read. */
function readAll(bytes: Buffer, session: Session, state: State): number {
  let at = 0;
  while (!session.socket.destroyed) {
    const length = pduOctetsAt(bytes, at);
    if (length === 0) break;
    if (length < 0) {
      session.out.push(pduBytes(commandIds.generic_nack, commandStatuses.ESME_RINVCMDLEN, 0, Buffer.alloc(0)));
      flush(session);
      session.socket.end();
      return bytes.length;
    }
    handle(bytes, at, at + length, session, state);
    at += length;
  }
  return at;
}

function handle(bytes: Buffer, start: number, end: number, session: Session, state: State): void {
  const command_id = bytes.readUInt32BE(start + 4);
  const sequence_number = bytes.readUInt32BE(start + 12);
  const answer = (command_status: number, body: Buffer = Buffer.alloc(0)): void => {
    session.out.push(pduBytes((command_id | responseBit) >>> 0, command_status, sequence_number, body));
  };
  switch (command_id) {
    case commandIds.submit_sm:
      if (!session.bound) answer(commandStatuses.ESME_RINVBNDSTS);
      else takeSubmit(bytes, start, end, session, state);
      return;
    case commandIds.bind_receiver:
    case commandIds.bind_transmitter:
    case commandIds.bind_transceiver:
      session.systemId = cStringAt(bytes, start + headerOctets);
      bind(command_id, answer, session, state);
      return;
    case commandIds.enquire_link:
      answer(commandStatuses.ESME_ROK);
      return;
    case commandIds.unbind:
      answer(commandStatuses.ESME_ROK);
      flush(session);
      session.socket.end();
      return;
    case commandIds.deliver_sm_resp:
      receiptsOf(session, state).answered(session.socket, sequence_number, bytes.readUInt32BE(start + 8));
      return;
    case commandIds.enquire_link_resp:
    case commandIds.unbind_resp:
    case commandIds.generic_nack:
      return;
    default:
      session.out.push(
        pduBytes(commandIds.generic_nack, commandStatuses.ESME_RINVCMDID, sequence_number, Buffer.alloc(0)),
      );
  }
}

function bind(
  command_id: number,
  answer: (command_status: number, body?: Buffer) => void,
  session: Session,
  state: State,
): void {
  if (state.behaviour.refuseBinds) {
    answer(commandStatuses.ESME_RBINDFAIL);
    return;
  }
  session.bound = true;
  state.counts.binds++;
  session.bindNumber = state.nextBind++;
  answer(commandStatuses.ESME_ROK, cString('smsc'));
  if (command_id !== commandIds.bind_transmitter) receiptsOf(session, state).sessionBound(session.socket);
}

function takeSubmit(bytes: Buffer, start: number, end: number, session: Session, state: State): void {
  const { behaviour, counts, options } = state;
  const sequence_number = bytes.readUInt32BE(start + 12);
  const respond = (command_status: number, messageId: string): void => {
    const resp = pduBytes(commandIds.submit_sm + responseBit, command_status, sequence_number, cString(messageId));
    session.out.push(resp);
    session.unanswered--;
  };
  counts.submits++;
  session.submits++;
  if (state.senders.submitted(session.systemId, session.bindNumber)) counts.staleSubmits++;
  counts.lastSubmitAtMs = monotonicMs();
  session.unanswered++;
  counts.unansweredMax = Math.max(counts.unansweredMax, session.unanswered);
  options.onSubmit?.(counts.submits);
  const submit = readSubmitSm(bytes, start, end);
  if (submit === null) {
    counts.malformed++;
    respond(commandStatuses.ESME_RSYSERR, '');
    return;
  }
  if (behaviour.throttleEvery > 0 && counts.submits % behaviour.throttleEvery === 0) {
    counts.throttled++;
    respond(commandStatuses.ESME_RTHROTTLED, '');
    return;
  }
  const drop = behaviour.dropEvery > 0 && counts.submits % behaviour.dropEvery === 0;
  if (!(drop || behaviour.mute) || behaviour.unansweredAccepted) accept(submit, state);
  if (drop) session.socket.destroy();
  if (drop || behaviour.mute) return;
  const messageId = (state.nextMessageId++).toString(16).padStart(8, '0');
  const receipt = (): void => {
    if (behaviour.receipts !== 'off' && (submit.registered_delivery & 1) === 1)
      oweReceipt(submit, messageId, session, state);
  };
  if (behaviour.receipts === 'before') receipt();
  const finish = (): void => {
    respond(commandStatuses.ESME_ROK, messageId);
    if (behaviour.receipts === 'after') receipt();
  };
  if (behaviour.responseDelayMs === 0) finish();
  else
    setTimeout(() => {
      finish();
      flush(session);
    }, behaviour.responseDelayMs);
}

function oweReceipt(submit: SubmitSm, messageId: string, session: Session, state: State): void {
  const { behaviour, counts } = state;
  const { socket } = session;
  const receipts = receiptsOf(session, state);
  const isNth = (every: number): boolean => every > 0 && counts.receipts % every === 0;
  const way = { from: submit.destination_addr, to: submit.source_addr };
  counts.receipts++;
  receipts.add({ ...way, messageId, stat: isNth(behaviour.undeliveredEvery) ? 'UNDELIV' : 'DELIVRD' }, socket);
  if (isNth(behaviour.replyEvery)) receipts.add({ ...way, text: `reply to ${messageId}` }, socket);
}

function accept(submit: SubmitSm, state: State): void {
  const { destination_addr } = submit;
  state.counts.accepted++;
  state.copies.set(destination_addr, (state.copies.get(destination_addr) ?? 0) + 1);
  const { logFile, keepList } = state.options;
  if (keepList === false && logFile === undefined) return;
  const text = contentText(submit);
  if (keepList !== false) state.accepted.push({ destination: destination_addr, text, atMs: monotonicMs() });
  if (logFile !== undefined) appendFileSync(logFile, `${destination_addr}\t${text.replaceAll('\n', ' ')}\n`);
}
