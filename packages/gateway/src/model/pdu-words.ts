/** SMPP PDUs in words for logs and pages: named fields, and only the length of a text. */
import type { EpochMs } from '../kernel/clock.ts';

export type PduWords = Record<string, string | number>;

/** One PDU as people read it. Texts are never kept: of what may hold one only the length. */
export interface LoggedPdu {
  at: EpochMs;
  /** From 1, in the order of `CarrierStatus.binds`. */
  bind: number;
  direction: 'out' | 'in';
  command: string;
  sequence: number | null;
  /** `ESME_ROK` and the like; null for a request. */
  status: string | null;
  fields: Readonly<PduWords>;
  /** All of its octets, `xx` for each of a text or a password; of what could not be read the header. Null for what is no PDU. */
  hex: string | null;
}

const charactersMax = 300;

/** The header is shown elsewhere. */
const headerFields = new Set(['command', 'command_id', 'command_status', 'sequence_number']);

/** The standard's name of an optional parameter; undefined: a tag that it does not know. */
export type NameOfTag = (tag: number) => string | undefined;

/** What a body says, field by field; of what may hold a text only its length, of a receipt its words without the text. */
export function shownFields(pdu: object, nameOfTag: NameOfTag, isReceiptText = false): PduWords {
  const shown: PduWords = {};
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

function shownText(octets: Uint8Array, isReceiptText: boolean): PduWords {
  const length = `${octets.length} octets`;
  if (!isReceiptText) return { short_message: length };
  const words = Buffer.from(octets)
    .toString('latin1')
    .replace(/\btext:[\s\S]*$/i, 'text:…');
  return { short_message: words.replace(/[^\x20-\x7e…]/g, '?').slice(0, charactersMax) };
}
