/** Everything written reads back equal, for every command; and no octets make the reader throw. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { anyPdu, commandNames, pdusOf } from './pdu-samples.ts';

describe('round trip', () => {
  it.each(commandNames)('%s', (name) => {
    fc.assert(
      fc.property(pdusOf(name), (pdu) => {
        const bytes = encodePdu(pdu) as Buffer;
        expect(bytes.readUInt32BE(0)).toBe(bytes.length);
        const read = decodePdu(bytes, 0, bytes.length, { strict: true });
        expect(read).toMatchObject(pdu);
        expect(encodePdu(read as typeof pdu)).toEqual(bytes);
      }),
      { numRuns: 100 },
    );
  });
});

describe('hostile octets', () => {
  it('never throw, and what reads can be written and read again', () => {
    const frames = fc.tuple(fc.constantFrom(...commandNames), fc.uint8Array({ maxLength: 300 }), fc.boolean());
    fc.assert(
      fc.property(frames, ([name, body, strict]) => {
        const header = encodePdu({ command: name, sequence_number: 1 } as never) as Buffer;
        const bytes = Buffer.concat([header.subarray(0, 16), body]);
        const read = decodePdu(bytes, 0, bytes.length, { strict });
        if (read.command === 'malformed' || read.command === 'unknown') return;
        expect(decodePdu(encodePdu(read, { overlong: true }) as Buffer)).toEqual(read);
      }),
      { numRuns: 3_000 },
    );
  });

  it('one octet of a sound PDU changed never makes the reader throw', () => {
    const changes = fc.tuple(anyPdu, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean());
    fc.assert(
      fc.property(changes, ([pdu, at, octet, strict]) => {
        const bytes = encodePdu(pdu) as Buffer;
        bytes[at % bytes.length] = octet;
        expect(typeof decodePdu(bytes, 0, bytes.length, { strict }).command).toBe('string');
      }),
      { numRuns: 3_000 },
    );
  });
});
