/** SMPP PDUs in readable form for logs and pages: named fields, and only the length of a text. */
import type { EpochMs } from '../kernel/clock.ts';

export type LoggedFields = Record<string, string | number>;

/** One PDU as people read it. Texts are never stored: only the lengths of fields that may hold one. */
export interface LoggedPdu {
  at: EpochMs;
  /** From 1, in the order of `CarrierStatus.binds`. */
  bind: number;
  direction: 'out' | 'in';
  command: string;
  sequence: number | null;
  /** `ESME_ROK` and the like; null for a request. */
  status: string | null;
  fields: Readonly<LoggedFields>;
  /**
   * All octets, with `xx` for those of a text or a password; only the header of an unreadable PDU. Null when it is not
   * a PDU.
   */
  hex: string | null;
}

const charactersMax = 300;

/** Pages show the header separately. */
const headerFields = new Set(['command', 'command_id', 'command_status', 'sequence_number']);

/** The standard's name of an optional parameter; undefined for an unknown tag. */
export type NameOfTag = (tag: number) => string | undefined;

/**
 * The fields of a body: of those that may hold a text only the length, of a receipt its status without the repeated
 * text.
 */
export function shownFields(pdu: object, nameOfTag: NameOfTag, isReceiptText = false): LoggedFields {
  const shown: LoggedFields = {};
  for (const [name, value] of Object.entries(pdu)) {
    if (headerFields.has(name) || value === undefined) continue;
    if (name === 'password') shown.password = 'hidden';
    else if (name === 'short_message') Object.assign(shown, shownText(value as Uint8Array, isReceiptText));
    else if (typeof value === 'string' || typeof value === 'number') {
      if (value !== '') shown[name] = typeof value === 'string' ? value.slice(0, charactersMax) : value;
    } else if (name === 'tlvs' && Array.isArray(value)) {
      for (const { tag, value: octets } of value as { tag: number; value: Uint8Array }[]) {
        const name = nameOfTag(tag) ?? `tlv 0x${tag.toString(16).padStart(4, '0')}`;
        shown[name] = octets.length === 1 ? '1 octet' : `${octets.length} octets`;
      }
    }
  }
  return shown;
}

function shownText(octets: Uint8Array, isReceiptText: boolean): LoggedFields {
  const length = `${octets.length} octets`;
  if (!isReceiptText) return { short_message: length };
  const words = Buffer.from(octets)
    .toString('latin1')
    .replace(/\btext:[\s\S]*$/i, 'text:…');
  return { short_message: words.replace(/[^\x20-\x7e…]/g, '?').slice(0, charactersMax) };
}
