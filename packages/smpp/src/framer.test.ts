/** The framer with streams cut at every place, joined, and broken. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePdu } from './encode.ts';
import { Framer } from './framer.ts';
import { anyPdu } from './pdu-samples.ts';
import { tlv } from './tlvs.ts';

const samples = [
  encodePdu({ command: 'enquire_link', sequence_number: 1 }),
  encodePdu({
    command: 'submit_sm',
    sequence_number: 2,
    destination_addr: '15551230000',
    short_message: Buffer.from('Hello'),
  }),
  encodePdu({ command: 'submit_sm_resp', sequence_number: 3, message_id: '39f99dd5' }),
  encodePdu({
    command: 'data_sm',
    sequence_number: 4,
    tlvs: [tlv('message_payload', Buffer.alloc(70_000 - 10_000, 0x41))],
  }),
  encodePdu({ command: 'deliver_sm_resp', sequence_number: 5 }),
] as Buffer[];

/** Feeds reads and returns the frames and the stream's final state. */
const framesOf = (framer: Framer, chunks: readonly Buffer[]): { frames: Buffer[]; end: string } => {
  const frames: Buffer[] = [];
  let end = 'need_more';
  for (const chunk of chunks) {
    framer.push(chunk);
    for (end = framer.next(); end === 'framed'; end = framer.next()) {
      frames.push(Buffer.from(framer.bytes.subarray(framer.start, framer.end)));
    }
  }
  return { frames, end };
};

describe('Framer', () => {
  it('finds all frames of one read', () => {
    expect(framesOf(new Framer(), [Buffer.concat(samples)])).toEqual({ frames: samples, end: 'need_more' });
  });

  it('finds the same frames wherever a stream of small PDUs is cut in two', () => {
    const small = samples.filter((sample) => sample.length < 1_000);
    const stream = Buffer.concat(small);
    for (let at = 0; at <= stream.length; at++) {
      expect(framesOf(new Framer(), [stream.subarray(0, at), stream.subarray(at)]).frames).toEqual(small);
    }
  });

  it('finds the same frames octet by octet', () => {
    const stream = Buffer.concat(samples);
    const chunks = Array.from(stream, (octet) => Buffer.from([octet]));
    expect(framesOf(new Framer(), chunks).frames).toEqual(samples);
  });

  it('finds the same frames however any PDUs are cut', () => {
    const cut = fc.tuple(fc.array(anyPdu, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(), { maxLength: 10 }));
    fc.assert(
      fc.property(cut, ([pdus, cuts]) => {
        const whole = pdus.map((pdu) => encodePdu(pdu) as Buffer);
        const stream = Buffer.concat(whole);
        const places = [0, ...cuts.map((at) => at % stream.length).sort((a, b) => a - b), stream.length];
        const chunks = places.slice(1).map((end, i) => stream.subarray(places[i], end));
        expect(framesOf(new Framer(), chunks).frames).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('survives a reader that reuses its buffer', () => {
    const [, submit] = samples as [Buffer, Buffer];
    const framer = new Framer();
    const buffer = Buffer.from(submit.subarray(0, 20));
    framer.push(buffer);
    expect(framer.next()).toBe('need_more');
    buffer.fill(0xff);
    expect(framesOf(framer, [submit.subarray(20)]).frames).toEqual([submit]);
  });

  it('knows whether it is inside a frame', () => {
    const framer = new Framer();
    framesOf(framer, [samples[0]!.subarray(0, 1)]);
    expect(framer.isInsideFrame).toBe(true);
    framesOf(framer, [samples[0]!.subarray(1)]);
    expect(framer.isInsideFrame).toBe(false);
  });
});

describe('an impossible command_length', () => {
  const lengths = [0, 1, 3, 4, 15, 65_537, 0x7fffffff, 0x80000000, 0xffffffff];

  const header = (length: number): Buffer => {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32BE(length, 0);
    bytes.writeUInt32BE(0x4, 4);
    bytes.writeUInt32BE(77, 12);
    return bytes;
  };

  it.each(lengths)('%i is reported at once and from then on, wherever the read is cut', (length) => {
    const bytes = Buffer.concat([samples[0]!, header(length)]);
    for (let at = 0; at <= bytes.length; at++) {
      const framer = new Framer();
      const { frames, end } = framesOf(framer, [bytes.subarray(0, at), bytes.subarray(at)]);
      expect(frames).toEqual([samples[0]]);
      expect(end).toBe('unframable');
      expect(framer.command_length).toBe(length);
      expect(framesOf(framer, samples)).toEqual({ frames: [], end: 'unframable' });
    }
  });

  it('gives the sequence_number when the header is there, else 0', () => {
    const whole = new Framer();
    framesOf(whole, [header(3)]);
    expect(whole.sequence_number).toBe(77);
    const cut = new Framer();
    framesOf(cut, [header(3).subarray(0, 2), header(3).subarray(2)]);
    expect(cut.sequence_number).toBe(77);
    const lengthOnly = new Framer();
    framesOf(lengthOnly, [header(3).subarray(0, 4)]);
    expect(lengthOnly.sequence_number).toBe(0);
  });

  it('accepts the smallest and the largest possible', () => {
    const framer = new Framer(32);
    expect(framesOf(framer, [Buffer.from([0, 0, 0, 32]), Buffer.alloc(28)]).frames).toHaveLength(1);
    expect(framesOf(new Framer(32), [Buffer.from([0, 0, 0, 33])]).end).toBe('unframable');
  });
});
