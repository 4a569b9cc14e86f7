/**
 * The newest PDUs of a carrier's binds, while logging is on. Texts are kept as lengths, receipts without the repeated
 * text, passwords not at all.
 */
import { type Decoded, decodePdu, isReceipt, type Outcome, statusName, tlvByTag } from '@heliograph/smpp';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { type LoggedFields, type LoggedPdu, shownFields } from '../../model/logged-pdu.ts';
import type { CarrierLog } from '../carrier.ts';
import { shownHex } from './pdu-hex.ts';

const entriesMax = 2_000;
const responseBit = 0x8000_0000;

/** The log as one bind writes to it; entries are dropped while the log is off. */
export interface BindLog {
  /** Records the PDUs between two offsets of `bytes`. */
  wire(direction: LoggedPdu['direction'], bytes: Buffer, start: number, end: number): void;
  /** Wraps `settle` and records when no answer came. */
  watching(settle: (outcome: Outcome) => void): (outcome: Outcome) => void;
  logEvent(direction: LoggedPdu['direction'], what: string, fields: LoggedFields): void;
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
    // Trimmed now and then, which is cheaper than shifting for each entry.
    if (kept.length >= 2 * entriesMax) kept = kept.slice(-entriesMax);
  }

  function ofBind(bind: number): BindLog {
    const logEvent: BindLog['logEvent'] = (direction, command, fields) =>
      add({ bind, direction, command, sequence: null, status: null, fields, hex: null });
    return {
      wire: (direction, bytes, start, end) => {
        if (!isOn()) return;
        for (const frame of framesOf(bytes.subarray(start, end))) add({ bind, direction, ...wordsOf(frame) });
      },
      watching: (settle) => (outcome) => {
        if (outcome.kind !== 'response') {
          logEvent('in', outcome.kind === 'uncertain' ? 'no answer' : 'not sent', { detail: outcome.detail });
        }
        settle(outcome);
      },
      logEvent,
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
    goOn: (from) => {
      untilMs = from.until();
      kept = [...from.entries(), ...kept];
    },
  };
}

/** Whole PDUs, one after the other (SMPP 3.4 §3.2). */
function* framesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + Math.max(4, bytes.readUInt32BE(at));
    yield bytes.subarray(at, end);
    at = end;
  }
}

function wordsOf(frame: Buffer): Omit<LoggedPdu, 'at' | 'bind' | 'direction'> {
  const pdu = decodePdu(frame);
  const { command, command_id, command_status, sequence_number: sequence } = pdu;
  const isAnswer = command_id >= responseBit;
  return {
    command,
    sequence,
    status: isAnswer ? statusName(command_status) : null,
    fields: fieldsOf(pdu),
    hex: shownHex(frame, pdu, isAboutReceipt(pdu)),
  };
}

function isAboutReceipt(pdu: Decoded): boolean {
  return pdu.command === 'deliver_sm' && isReceipt(pdu);
}

function fieldsOf(pdu: Decoded): LoggedFields {
  return shownFields(pdu, (tag) => tlvByTag(tag)?.name, isAboutReceipt(pdu));
}

/** The fields of one PDU, without texts; null when it cannot be read. */
export function fieldsOfPdu(octets: Buffer): LoggedFields | null {
  const pdu = decodePdu(octets);
  return pdu.command === 'malformed' || pdu.command === 'unknown' ? null : fieldsOf(pdu);
}
