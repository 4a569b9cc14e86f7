/**
 * The outbox of the sandbox carrier: deliver_sm PDUs, due now or later, over any bound session that can receive. Those
 * not answered with 0 are sent again with growing waits. Bounded; loses nothing that it accepted, except what the
 * gateway refuses permanently.
 */
import { type ServerSession, statusClass } from '@heliograph/smpp';
import type { DeliverSm } from './deliver.ts';
import { createFifo } from './fifo.ts';
import type { Clock, Logger } from './machine.ts';
import type { SmppWire } from './smpp-wire.ts';
import { createTimers } from './timers.ts';

const repeatFirstMs = 1_000;
const repeatMaxMs = 60_000;
/** Entries scheduled, queued, under way and waiting for a retry together. */
const heldMax = 100_000;

export interface Outbox {
  /** How many more entries fit. */
  room(): number;
  /** Calls `make` after `delayMs` and sends the result. The caller must have checked `room`. */
  after(delayMs: number, make: () => readonly DeliverSm[]): void;
  send(fields: DeliverSm): void;
  /** Called when a session was bound, or has free slots again. */
  pump(): void;
  /** Drops everything. */
  stop(): void;
}

interface Entry {
  fields: DeliverSm;
  tries: number;
}

export function createOutbox(parts: {
  clock: Clock;
  logger: Logger;
  wire: Pick<SmppWire, 'delivered' | 'deliverAnswered'>;
  sessions(): Iterable<ServerSession>;
}): Outbox {
  const queue = createFifo<Entry>();
  const timers = createTimers(parts.clock);
  let held = 0;
  let stopped = false;

  function settle({ fields, tries }: Entry, answer: number | null): void {
    if (stopped) return;
    if (answer === null || (answer !== 0 && statusClass(answer) !== 'permanent')) {
      const delayMs = Math.min(repeatMaxMs, repeatFirstMs * 2 ** tries);
      timers.after(delayMs, () => enqueue({ fields, tries: tries + 1 }));
    } else {
      held--;
      if (answer !== 0) parts.logger.warn({ command_status: answer }, 'the gateway refused a deliver_sm for good');
    }
    pump();
  }

  /** False when this session accepts nothing now. */
  function hand(session: ServerSession, entry: Entry): boolean {
    const sent = session.request('deliver_sm', entry.fields, (outcome) => {
      if (typeof sent === 'number') parts.wire.deliverAnswered(sent, entry.fields, outcome);
      settle(entry, outcome.kind === 'response' ? outcome.pdu.command_status : null);
    });
    if (typeof sent === 'number') parts.wire.delivered(sent, entry.fields);
    else if (typeof sent === 'object') {
      held--;
      parts.logger.error({ field: sent.field, reason: sent.reason }, 'the sandbox cannot write this deliver_sm');
    }
    return typeof sent !== 'string';
  }

  function pump(): void {
    for (const session of parts.sessions()) {
      while (queue.size > 0 && session.free > 0) {
        const entry = queue.shift()!;
        if (hand(session, entry)) continue;
        queue.putBack(entry);
        break;
      }
    }
  }

  function enqueue(entry: Entry): void {
    queue.push(entry);
    pump();
  }

  function send(fields: DeliverSm): void {
    held++;
    enqueue({ fields, tries: 0 });
  }

  return {
    room: () => heldMax - held,
    after: (delayMs, make) => {
      held++;
      timers.after(delayMs, () => {
        held--;
        for (const fields of make()) send(fields);
      });
    },
    send,
    pump,
    stop: () => {
      stopped = true;
      timers.cancelAll();
    },
  };
}
