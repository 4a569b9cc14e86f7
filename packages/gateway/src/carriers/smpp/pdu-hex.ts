/**
 * Renders a PDU as hexadecimal for people, with texts and passwords as `xx`. For an unreadable PDU it shows only the
 * header, because a text could be anywhere in it.
 */
import { commandById, type decodePdu } from '@heliograph/smpp';

type Decoded = ReturnType<typeof decodePdu>;

const headerOctets = 16;
const hidden = 'xx';

/**
 * TLVs whose values are numbers and ids, never text: SMPP 3.4 §5.3.2, 5.0 §4.8.4. The values of all others are hidden.
 */
const openTlvs: ReadonlySet<number> = new Set([
  ...[0x0005, 0x0006, 0x0007, 0x0008, 0x000d, 0x000e, 0x000f, 0x0010, 0x0017, 0x0019, 0x001e],
  ...[0x0201, 0x0204, 0x020a, 0x020b, 0x020c, 0x020e, 0x020f, 0x0210, 0x0420, 0x0421, 0x0422, 0x0423, 0x0425],
  ...[0x0426, 0x0427, 0x0428, 0x0501, 0x0601],
]);

/** `frame` holds all of `pdu`. `isReceipt`: its text is a receipt, and only the end of it repeats a person's text. */
export function shownHex(frame: Buffer, pdu: Decoded, isReceipt: boolean): string {
  const secret = secretOctets(frame, pdu, isReceipt);
  if (secret === null) return frame.toString('hex', 0, headerOctets);
  let hex = '';
  let at = 0;
  for (const [from, to] of secret) {
    hex += frame.toString('hex', at, from) + hidden.repeat(to - from);
    at = to;
  }
  return hex + frame.toString('hex', at);
}

type Span = [from: number, to: number];

/** The secret spans in order; null when the body cannot be parsed. */
function secretOctets(frame: Buffer, pdu: Decoded, isReceipt: boolean): Span[] | null {
  const command = commandById(pdu.command_id);
  if (command === undefined || pdu.command === 'malformed' || pdu.command === 'unknown') return null;
  const spans: Span[] = [];
  let at = headerOctets;
  for (const { name, kind } of command.fields) {
    // A response with an error may omit its body.
    if (at >= frame.length) return spans;
    if (kind === 'u1') at += 1;
    else if (kind === 'cstring') {
      const nul = frame.indexOf(0, at);
      const end = nul === -1 ? frame.length : nul;
      if (name === 'password') spans.push([at, end]);
      at = end + 1;
    } else if (kind === 'counted') {
      const end = at + 1 + frame[at]!;
      spans.push([isReceipt ? quoteIn(frame, at + 1, end) : at + 1, end]);
      at = end;
    } else return null;
  }
  for (; at + 4 <= frame.length; ) {
    const end = at + 4 + frame.readUInt16BE(at + 2);
    if (end > frame.length) return [...spans, [at, frame.length]];
    if (!openTlvs.has(frame.readUInt16BE(at))) spans.push([at + 4, end]);
    at = end;
  }
  return spans;
}

/** Where a receipt begins to repeat the text of its message. */
function quoteIn(frame: Buffer, start: number, end: number): number {
  const found = frame.toString('latin1', start, end).search(/\btext:/i);
  return found === -1 ? end : start + found + 'text:'.length;
}
