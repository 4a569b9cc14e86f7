/**
 * What the sandbox carrier has to tell the gateway: deliver_sm PDUs, due now or later, over any bound session that can
 * receive. What is not answered with 0 is sent again, more and more slowly. Bounded; never loses what it has taken, save
 * what the gateway refuses for good.
 */
import { type ServerSession, statusClass } from '@heliograph/smpp';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import { createFifo } from '../fifo.ts';
import type { DeliverSm } from './deliver.ts';

const repeatFirstMs = 1_000;
const repeatMaxMs = 60_000;
/** Scheduled, queued, under way and waiting to be repeated, all together. */
export const outboxMax = 100_000;

export interface Outbox {
  /** How many more would be taken. */
  room(): number;
  /** Runs `make` after `delayMs` and sends what it returns. The caller has looked at `room` before. */
  after(delayMs: number, make: () => readonly DeliverSm[]): void;
  send(fields: DeliverSm): void;
  /** A session was bound, or can take more. */
  pump(): void;
  /** Forgets everything. */
  stop(): void;
}

interface Entry {
  fields: DeliverSm;
  tries: number;
}

export function createOutbox(parts: { clock: Clock; logger: Logger; sessions(): Iterable<ServerSession> }): Outbox {
  const { clock, logger } = parts;
  const queue = createFifo<Entry>();
  const timers = new Set<() => void>();
  let held = 0;
  let stopped = false;

  function afterMs(delayMs: number, run: () => void): void {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  }

  function enqueue(entry: Entry): void {
    queue.push(entry);
    pump();
  }

  function again(entry: Entry): void {
    if (stopped) return;
    afterMs(Math.min(repeatMaxMs, repeatFirstMs * 2 ** entry.tries), () => {
      enqueue({ fields: entry.fields, tries: entry.tries + 1 });
    });
  }

  /** False when this session takes nothing now. */
  function hand(session: ServerSession, entry: Entry): boolean {
    const sent = session.request('deliver_sm', entry.fields, (outcome) => {
      const answer = outcome.kind === 'response' ? outcome.pdu.command_status : null;
      if (answer === null || (answer !== 0 && statusClass(answer) !== 'permanent')) again(entry);
      else {
        held--;
        if (answer !== 0) logger.warn({ command_status: answer }, 'the gateway refused a deliver_sm for good');
      }
      pump();
    });
    if (typeof sent === 'object') {
      held--;
      logger.error({ field: sent.field, reason: sent.reason }, 'the sandbox cannot write this deliver_sm');
    }
    return typeof sent !== 'string';
  }

  function pump(): void {
    if (stopped || queue.size === 0) return;
    for (const session of parts.sessions()) {
      if (session.bind === 'bind_transmitter') continue;
      while (session.free > 0) {
        const entry = queue.shift();
        if (entry === undefined) return;
        if (hand(session, entry)) continue;
        queue.putBack(entry);
        break;
      }
    }
  }

  function send(fields: DeliverSm): void {
    held++;
    enqueue({ fields, tries: 0 });
  }

  return {
    room: () => outboxMax - held,
    after: (delayMs, make) => {
      held++;
      afterMs(delayMs, () => {
        held--;
        for (const fields of make()) send(fields);
      });
    },
    send,
    pump,
    stop: () => {
      stopped = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
