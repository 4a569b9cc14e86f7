/**
 * The receipts the test SMSC owes: a due queue, a window of unanswered deliver_sm per session, and another try for what
 * was refused or lost with its session. A receipt counts only when its deliver_sm_resp came with ESME_ROK.
 */
import type { Socket } from 'node:net';
import { commandIds, commandStatuses, pduBytes, receiptBody } from './pdu-bytes.ts';

interface Owed {
  messageId: string;
  /** The handset. */
  from: string;
  /** The sending number. */
  to: string;
}

export interface ReceiptQueue {
  /** Owes a receipt; with `receipts: 'before'` and no delay it is written to `socket` before the caller answers there. */
  add(receipt: Owed, socket: Socket): void;
  sessionBound(socket: Socket): void;
  sessionClosed(socket: Socket): void;
  answered(socket: Socket, sequence_number: number, command_status: number): void;
  counts(): { receiptsAcknowledged: number; lastReceiptAtMs: number };
  reset(): void;
  stop(): void;
}

const windowPerSession = 200;
const retryMs = 100;
const tickMs = 2;

export function createReceiptQueue(behaviour: {
  receipts: 'off' | 'after' | 'before';
  receiptDelayMs: number;
}): ReceiptQueue {
  const due = createFifo<{ receipt: Owed; atMs: number }>();
  const open = new Map<Socket, Map<number, Owed>>();
  let sequence = 1;
  let acknowledged = 0;
  let lastAtMs = 0;
  let timer: NodeJS.Timeout | null = null;

  function write(socket: Socket, receipts: Owed[]): void {
    const window = open.get(socket)!;
    const pdus = receipts.map((receipt) => {
      window.set(sequence, receipt);
      const body = receiptBody({ ...receipt, stat: 'DELIVRD', at: new Date() });
      return pduBytes(commandIds.deliver_sm, commandStatuses.ESME_ROK, sequence++, body);
    });
    socket.write(Buffer.concat(pdus));
  }

  function pump(): void {
    stopTimer();
    for (const [socket, window] of open) {
      const batch: Owed[] = [];
      const now = performance.now();
      while (socket.writable && window.size + batch.length < windowPerSession && (due.peek()?.atMs ?? Infinity) <= now)
        batch.push(due.shift()!.receipt);
      if (batch.length > 0) write(socket, batch);
    }
    schedule();
  }

  function stopTimer(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function schedule(): void {
    const first = due.peek();
    if (timer !== null || first === undefined || open.size === 0) return;
    timer = setTimeout(pump, Math.max(tickMs, first.atMs - performance.now()));
    timer.unref();
  }

  function again(receipt: Owed): void {
    due.push({ receipt, atMs: performance.now() + retryMs });
    schedule();
  }

  return {
    add: (receipt, socket) => {
      if (behaviour.receipts === 'before' && behaviour.receiptDelayMs === 0 && open.has(socket))
        write(socket, [receipt]);
      else {
        due.push({ receipt, atMs: performance.now() + behaviour.receiptDelayMs });
        schedule();
      }
    },
    sessionBound: (socket) => {
      open.set(socket, new Map());
      schedule();
    },
    sessionClosed: (socket) => {
      for (const receipt of open.get(socket)?.values() ?? []) again(receipt);
      open.delete(socket);
    },
    answered: (socket, sequence_number, command_status) => {
      const window = open.get(socket);
      const receipt = window?.get(sequence_number);
      if (window === undefined || receipt === undefined) return;
      window.delete(sequence_number);
      if (command_status === commandStatuses.ESME_ROK) {
        acknowledged++;
        lastAtMs = Number(process.hrtime.bigint()) / 1e6;
      } else again(receipt);
      // A full window reopens here, not at the next tick: throughput must not hang on a timer.
      if (window.size === windowPerSession - 1) pump();
    },
    counts: () => ({ receiptsAcknowledged: acknowledged, lastReceiptAtMs: lastAtMs }),
    reset: () => {
      acknowledged = 0;
      lastAtMs = 0;
    },
    stop: () => {
      stopTimer();
      due.clear();
      open.clear();
    },
  };
}

/** First in, first out; taking from the front costs the same however long it is. */
function createFifo<T>() {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item: T) => void items.push(item),
    peek: (): T | undefined => items[head],
    shift: (): T | undefined => {
      const item = items[head];
      if (head < items.length) head++;
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    clear: () => {
      items = [];
      head = 0;
    },
  };
}
