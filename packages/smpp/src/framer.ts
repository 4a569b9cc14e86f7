/**
 * Cuts the stream into frames: takes reads of any size and returns whole PDUs, one at a time, without joining reads.
 * Three results: more octets are needed, a frame is complete, the stream can no longer be framed. Never allocates
 * before command_length has been checked, and never reads a body. Source: SMPP 3.4 issue 1.2 §3.2, §3.3.
 */
import { noOctets } from './body-reader.ts';
import { HEADER_OCTETS, PDU_LENGTH_MAX } from './pdu.ts';

export class Framer {
  /** After 'framed': the frame is `bytes` from `start` to `end`, valid until the next call of `next` or `push`. */
  bytes: Buffer = noOctets;
  start = 0;
  end = 0;
  /** After 'unframable': the sequence_number that a generic_nack should carry; 0 when it had not arrived yet. */
  sequence_number = 0;
  /** After 'unframable': the impossible command_length. */
  command_length = 0;

  readonly #max: number;
  #chunk: Buffer = noOctets;
  #at = 0;
  /** A frame that began in an earlier read: its first octets, or its full size once command_length is known. */
  #part: Buffer = noOctets;
  #filled = 0;
  #broken = false;

  constructor(maxPduLength: number = PDU_LENGTH_MAX) {
    this.#max = maxPduLength;
  }

  /** After 'need_more': a frame has begun and is not complete. */
  get isInsideFrame(): boolean {
    return this.#filled > 0;
  }

  /** Adds one read. All frames of the previous read must have been taken. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** Moves to the next frame. 'unframable' is permanent. */
  next(): 'framed' | 'need_more' | 'unframable' {
    if (this.#broken) return 'unframable';
    if (this.#filled > 0) return this.#nextFromPart();
    const have = this.#chunk.length - this.#at;
    if (have < 4) return this.#keepRest();
    const length = this.#chunk.readUInt32BE(this.#at);
    if (!this.#isPossible(length)) return this.#break(length, this.#chunk, this.#at, have);
    if (length > have) return this.#keepRest(length);
    this.bytes = this.#chunk;
    this.start = this.#at;
    this.#at += length;
    this.end = this.#at;
    return 'framed';
  }

  #nextFromPart(): 'framed' | 'need_more' | 'unframable' {
    if (this.#filled < 4) {
      this.#fill(4);
      if (this.#filled < 4) return this.#spent();
      const length = this.#part.readUInt32BE(0);
      if (!this.#isPossible(length)) return this.#breakInPart(length);
      this.#part = grown(this.#part, 4, length);
    }
    this.#fill(this.#part.length);
    if (this.#filled < this.#part.length) return this.#spent();
    this.bytes = this.#part;
    this.start = 0;
    this.end = this.#part.length;
    this.#part = noOctets;
    this.#filled = 0;
    return 'framed';
  }

  /** Copies from the read into the part until it holds `wanted` octets or the read is used up. */
  #fill(wanted: number): void {
    const copied = this.#chunk.copy(this.#part, this.#filled, this.#at, this.#at + wanted - this.#filled);
    this.#filled += copied;
    this.#at += copied;
  }

  #keepRest(length = 4): 'need_more' {
    const rest = this.#chunk.length - this.#at;
    if (rest > 0) {
      this.#part = Buffer.allocUnsafe(length);
      this.#fill(rest);
    }
    return this.#spent();
  }

  /** Drops the read, so that an idle session keeps only the unfinished frame. */
  #spent(): 'need_more' {
    this.#chunk = noOctets;
    this.#at = 0;
    this.bytes = noOctets;
    return 'need_more';
  }

  #isPossible(length: number): boolean {
    return length >= HEADER_OCTETS && length <= this.#max;
  }

  #breakInPart(length: number): 'unframable' {
    const header = grown(this.#part, 4, HEADER_OCTETS);
    const copied = this.#chunk.copy(header, 4, this.#at, this.#at + HEADER_OCTETS - 4);
    return this.#break(length, header, 0, 4 + copied);
  }

  #break(length: number, bytes: Buffer, at: number, have: number): 'unframable' {
    this.#broken = true;
    this.command_length = length;
    // 5.0 §4.1.4: sequence_number 0 when it could not be read.
    this.sequence_number = have >= HEADER_OCTETS ? bytes.readUInt32BE(at + 12) : 0;
    this.#chunk = noOctets;
    this.#at = 0;
    return 'unframable';
  }
}

const grown = (bytes: Buffer, filled: number, length: number): Buffer => {
  const larger = Buffer.allocUnsafe(length);
  bytes.copy(larger, 0, 0, filled);
  return larger;
};
