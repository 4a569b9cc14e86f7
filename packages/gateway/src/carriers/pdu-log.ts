/**
 * The PDUs of a carrier's binds as people read them, the newest only, while somebody has switched it on. Texts of messages
 * are never kept, only how long they are; of a receipt its own words without the text it repeats.
 */
import { type InboundRequest, isReceipt, type Outcome, type PduFields, statusName } from '@heliograph/smpp';
import type { Clock, EpochMs } from '../domain/clock.ts';
import { type LoggedPdu, type PduWords, shownFields } from '../domain/pdu-words.ts';
import type { CarrierLog } from './carrier.ts';

const entriesMax = 2_000;

/** The log as one bind writes it; every word is dropped while the log is off. */
export interface BindLog {
  submitted(sequence: number, fields: PduFields<'submit_sm'>): void;
  /** Calls `settle` too, with what it was called with. */
  watching(settle: (outcome: Outcome) => void): (outcome: Outcome) => void;
  /** The same request; while the log is on its answer is written down too. */
  seen(request: InboundRequest): InboundRequest;
  told(direction: LoggedPdu['direction'], command: string, status: string | null, fields: PduWords): void;
}

export interface PduLog extends CarrierLog {
  isOn(): boolean;
  ofBind(bind: number): BindLog;
}

export function createPduLog(clock: Pick<Clock, 'now'>): PduLog {
  let untilMs: EpochMs | null = null;
  let kept: LoggedPdu[] = [];

  function isOn(): boolean {
    if (untilMs !== null && clock.now() >= untilMs) untilMs = null;
    return untilMs !== null;
  }

  function add(entry: Omit<LoggedPdu, 'at'>): void {
    if (!isOn()) return;
    kept.push({ at: clock.now(), ...entry });
    // Cut now and then rather than moved with each.
    if (kept.length >= 2 * entriesMax) kept = kept.slice(-entriesMax);
  }

  function ofBind(bind: number): BindLog {
    return {
      submitted: (sequence, fields) =>
        add({ bind, direction: 'out', command: 'submit_sm', sequence, status: null, fields: shownFields(fields) }),
      watching: (settle) => (outcome) => {
        add({ bind, direction: 'in', ...answerOf(outcome) });
        settle(outcome);
      },
      seen: (request) => {
        if (!isOn()) return request;
        const { pdu } = request;
        const sequence = pdu.sequence_number;
        const fields = shownFields(pdu, isDeliver(pdu) && isReceipt(pdu));
        add({ bind, direction: 'in', command: pdu.command, sequence, status: null, fields });
        return {
          pdu,
          respond: (command_status, given) => {
            const written = request.respond(command_status, given);
            const command = `${pdu.command}_resp`;
            if (written) {
              add({ bind, direction: 'out', command, sequence, status: statusName(command_status), fields: {} });
            }
            return written;
          },
        };
      },
      told: (direction, command, status, fields) => add({ bind, direction, command, sequence: null, status, fields }),
    };
  }

  return {
    isOn,
    ofBind,
    until: () => (isOn() ? untilMs : null),
    keep: (until) => {
      untilMs = until;
    },
    entries: () => kept.slice(-entriesMax),
  };
}

function isDeliver(pdu: InboundRequest['pdu']): pdu is Extract<InboundRequest['pdu'], { command: 'deliver_sm' }> {
  return pdu.command === 'deliver_sm';
}

function answerOf(outcome: Outcome): Omit<LoggedPdu, 'at' | 'bind' | 'direction'> {
  if (outcome.kind !== 'response') {
    const what = outcome.kind === 'uncertain' ? 'no answer' : 'not sent';
    return { command: what, sequence: null, status: null, fields: { detail: outcome.detail } };
  }
  const { pdu } = outcome;
  const status = statusName(pdu.command_status);
  return { command: pdu.command, sequence: pdu.sequence_number, status, fields: shownFields(pdu) };
}
