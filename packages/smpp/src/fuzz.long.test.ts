/**
 * The long forms of round-trip.test.ts and session-walk.test.ts, and random octets. HELIO_LONG=full for the full
 * counts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { Framer } from './framer.ts';
import { commandNames, pdusOf } from './pdu-samples.ts';
import { takeWalk, walk } from './session-walk.ts';

const isFull = process.env.HELIO_LONG === 'full';
const ROUND_TRIPS = isFull ? 1_000_000 : 20_000;
const WALKS = isFull ? 1_000_000 : 20_000;
const FRAMES = isFull ? 10_000_000 : 1_000_000;

describe('round trip, many times', () => {
  it.each(commandNames)('%s', (name) => {
    fc.assert(
      fc.property(pdusOf(name), (pdu) => {
        const bytes = encodePdu(pdu) as Buffer;
        const again = encodePdu(decodePdu(bytes, 0, bytes.length, { strict: true }) as typeof pdu);
        return Buffer.compare(again as Buffer, bytes) === 0;
      }),
      { numRuns: ROUND_TRIPS },
    );
  });
});

describe('fuzz', () => {
  it('no frame makes the reader throw or go on for ever', () => {
    const ids = commandNames.map((name) =>
      (encodePdu({ command: name, sequence_number: 1 } as never) as Buffer).subarray(4, 8),
    );
    const random = seeded(20261121);
    const bytes = Buffer.alloc(512);
    for (let i = 0; i < FRAMES; i++) {
      const length = 16 + (random() % 200);
      for (let at = 0; at < length; at += 4) bytes.writeUInt32BE(sparse(random), at);
      ids[random() % ids.length]!.copy(bytes, 4);
      decodePdu(bytes, 0, length, { strict: (i & 1) === 1 });
    }
    expect(true).toBe(true);
  });

  it('no stream makes the framer throw or go on for ever', () => {
    const random = seeded(7);
    for (let i = 0; i < FRAMES / 100; i++) {
      const framer = new Framer();
      for (let reads = 0; reads < 8; reads++) {
        const chunk = Buffer.alloc(random() % 64);
        for (let at = 0; at < chunk.length; at++) chunk[at] = random() % 8 === 0 ? random() & 0xff : 0;
        framer.push(chunk);
        for (let frames = 0; framer.next() === 'framed'; frames++) expect(frames).toBeLessThan(5);
      }
    }
  });
});

describe('random walks of a session', () => {
  it('keep every invariant', () => {
    fc.assert(fc.property(walk, takeWalk), { numRuns: WALKS });
  });
});

/** xorshift32: the same frames on every run. */
const seeded = (seed: number) => {
  let state = seed;
  return (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
};

/** Many zero octets and small numbers, so that strings end and lengths fit often enough to reach deep code. */
const sparse = (random: () => number): number => {
  const kind = random() & 3;
  if (kind === 0) return 0;
  return kind === 1 ? random() & 0x00ff000f : random();
};
