/**
 * The receipts and replies the test SMSC owes: a due queue, a window of unanswered deliver_sm per session, and another
 * try for each one refused or lost with its session. One counts only after its deliver_sm_resp with ESME_ROK.
 */
import type { Socket } from 'node:net';
import { commandIds, commandStatuses, pduBytes, receiptBody, textBody } from './pdu-bytes.ts';

/** `from` is the handset, `to` the sending number. */
type Owed =
  | { from: string; to: string; messageId: string; stat: 'DELIVRD' | 'UNDELIV' }
  | { from: string; to: string; text: string };

/** On which of the open sessions: any, in the order they were bound; that of the submission; another one; each in turn. */
export type ReceiptsOn = 'any' | 'own' | 'foreign' | 'each in turn';

export interface ReceiptQueue {
  /** Queues it; with `receipts: 'before'` and no delay it is written to `socket` before the caller answers there. */
  add(owed: Owed, socket: Socket): void;
  sessionBound(socket: Socket): void;
  sessionClosed(socket: Socket): void;
  answered(socket: Socket, sequence_number: number, command_status: number): void;
  counts(): { receiptsAcknowledged: number; deliveriesRefused: number; lastReceiptAtMs: number };
  reset(): void;
  stop(): void;
}

const windowPerSession = 200;
const retryMs = 100;
const tickMs = 2;

/** `repliesTaken`: where it adds the texts of acknowledged replies. */
export function createReceiptQueue(
  behaviour: {
    receipts: 'off' | 'after' | 'before';
    receiptDelayMs: number;
    holdReceipts: boolean;
    receiptsOn: ReceiptsOn;
  },
  repliesTaken: Set<string>,
): ReceiptQueue {
  const open = new Map<Socket, Map<number, Owed>>();
  const due = createDueQueue<{ owed: Owed; origin: Socket | null }>(pump);
  let sequence = 1;
  let turn = 0;
  let acknowledged = 0;
  let refused = 0;
  let lastAtMs = 0;

  function pump(): void {
    if (behaviour.holdReceipts) return;
    if (behaviour.receiptsOn !== 'any') {
      pumpChosen();
      return;
    }
    for (const [socket, window] of open) {
      const taken = socket.writable ? due.take(windowPerSession - window.size) : [];
      if (taken.length > 0) write(socket, taken);
    }
  }

  /** As many as fit on the fullest session, since each may be for that one. */
  function pumpChosen(): void {
    const sockets = [...open.keys()].filter(({ writable }) => writable);
    if (sockets.length === 0) return;
    const room = Math.min(...sockets.map((socket) => windowPerSession - open.get(socket)!.size));
    const taken = Map.groupBy(due.take(room), ({ origin }) => chosen(sockets, origin));
    for (const [socket, owed] of taken) write(socket, owed);
  }

  function chosen(sockets: readonly Socket[], origin: Socket | null): Socket {
    const others = sockets.filter((socket) => (socket === origin) === (behaviour.receiptsOn === 'own'));
    const among = behaviour.receiptsOn === 'each in turn' || others.length === 0 ? sockets : others;
    turn += 1;
    return among[turn % among.length]!;
  }

  function write(socket: Socket, owed: { owed: Owed }[]): void {
    const window = open.get(socket)!;
    const pdus = owed.map(({ owed: word }) => {
      window.set(sequence, word);
      const body = 'text' in word ? textBody(word) : receiptBody({ ...word, at: new Date() });
      return pduBytes(commandIds.deliver_sm, commandStatuses.ESME_ROK, sequence++, body);
    });
    socket.write(Buffer.concat(pdus));
  }

  return {
    add: (owed, socket) => {
      const now = behaviour.receipts === 'before' && behaviour.receiptDelayMs === 0 && open.has(socket);
      if (now) write(socket, [{ owed }]);
      else due.add({ owed, origin: socket }, behaviour.receiptDelayMs);
    },
    sessionBound: (socket) => {
      open.set(socket, new Map());
    },
    sessionClosed: (socket) => {
      for (const owed of open.get(socket)?.values() ?? []) due.add({ owed, origin: null }, retryMs);
      open.delete(socket);
    },
    answered: (socket, sequence_number, command_status) => {
      const window = open.get(socket);
      const owed = window?.get(sequence_number);
      if (window === undefined || owed === undefined) return;
      window.delete(sequence_number);
      if (command_status !== commandStatuses.ESME_ROK) {
        refused++;
        due.add({ owed, origin: null }, retryMs);
        return;
      }
      if ('text' in owed) {
        repliesTaken.add(owed.text);
        return;
      }
      acknowledged++;
      lastAtMs = Number(process.hrtime.bigint()) / 1e6;
    },
    counts: () => ({ receiptsAcknowledged: acknowledged, deliveriesRefused: refused, lastReceiptAtMs: lastAtMs }),
    reset: () => {
      repliesTaken.clear();
      acknowledged = 0;
      refused = 0;
      lastAtMs = 0;
    },
    stop: () => {
      due.clear();
      open.clear();
    },
  };
}

/** Items in the order they were added, each with the earliest time to take it. Calls `tick` while there are any. */
function createDueQueue<T>(tick: () => void) {
  let items: { item: T; atMs: number }[] = [];
  /** Taken items stay in front and are removed in bulk: so a take costs the same however long the queue is. */
  let head = 0;
  let timer: NodeJS.Timeout | null = null;

  function schedule(): void {
    if (timer !== null || head === items.length) return;
    timer = setTimeout(
      () => {
        timer = null;
        tick();
        schedule();
      },
      Math.max(tickMs, items[head]!.atMs - performance.now()),
    );
    timer.unref();
  }

  return {
    add: (item: T, delayMs: number): void => {
      items.push({ item, atMs: performance.now() + delayMs });
      schedule();
    },
    take: (max: number): T[] => {
      const now = performance.now();
      const from = head;
      while (head < items.length && head - from < max && items[head]!.atMs <= now) head++;
      const taken = items.slice(from, head).map(({ item }) => item);
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return taken;
    },
    clear: (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      items = [];
      head = 0;
    },
  };
}
