import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './input.ts';

const parse = (text: string | Buffer, depthMax = 16) =>
  parseJson(typeof text === 'string' ? Buffer.from(text) : text, depthMax);
const problemOf = (text: string | Buffer) => {
  const result = parse(text);
  return result.ok ? 'none' : result.problem;
};

describe('JSON from a hostile network', () => {
  it('is read like JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        // fc.json never writes a key twice, so a generated object holds one twice only if the test wrote it so.
        const result = parse(text);
        expect(result.ok).toBe(true);
        if (result.ok) expect(JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('never throws and agrees with JSON.parse on what is JSON', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'{}[]:,"\\ \n1e-.tfnu'.split(''), '"a"', 'true', 'null'), { maxLength: 20 }),
        (bits) => {
          const text = bits.join('');
          const result = parse(text);
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          if (result.ok) expect(isJson).toBe(true);
          else if (result.problem === 'syntax') expect(isJson).toBe(false);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('H-02 is refused beyond the depth, however deep, in one pass', () => {
    for (const levels of [17, 100, 10_000, 131_072, 4_000_000]) {
      expect(problemOf('['.repeat(levels)), `${levels}`).toBe('depth');
      expect(problemOf('{"a":'.repeat(Math.min(levels, 50_000))), `${levels}`).toBe('depth');
    }
    expect(problemOf(`${'['.repeat(16)}${']'.repeat(16)}`)).toBe('none');
    expect(problemOf(`${'['.repeat(17)}${']'.repeat(17)}`)).toBe('depth');
    // Brackets inside strings and after an escaped quotation mark are no levels.
    expect(problemOf(`{"a":"${'['.repeat(50)}\\"${'{'.repeat(50)}"}`)).toBe('none');
  });

  it.each([
    ['overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['0xFF', [0xff]],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0, 0x7d, 0]],
  ])('H-03 %s is not UTF-8', (_name, bytes) => {
    expect(problemOf(Buffer.from(bytes))).toBe('utf8');
  });

  it('H-03 a byte order mark and UTF-16 are refused', () => {
    expect(problemOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]))).toBe('bom');
    expect(problemOf(Buffer.from('{"a":1}', 'utf16le'))).toBe('syntax');
  });

  it('H-03 of 10,000 bodies with random bytes none is read with a replacement character', () => {
    let replaced = 0;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
        const result = parse(Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes), Buffer.from('"}')]));
        const own = Buffer.from(bytes).includes(Buffer.from([0xef, 0xbf, 0xbd]));
        if (result.ok && !own && JSON.stringify(result.value).includes('\ufffd')) replaced++;
      }),
      { numRuns: 10_000 },
    );
    expect(replaced).toBe(0);
  });

  it.each([
    ['{"to":1,"to":2}'],
    ['{"to":1,"t\\u006f":2}'],
    ['{"\\u0074o":1,"to":2}'],
    ['{"a":{"b":1,"b":1}}'],
    ['[{"x":[{"y":1,"y":2}]}]'],
    ['{"":1,"":2}'],
    ['{"a":1,"b":2,"a":3}'],
    ['{"é":1,"\\u00e9":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    ['{"a:b":1,"a:b":1}'],
  ])('H-06 duplicate keys are refused: %s', (text) => {
    expect(problemOf(text)).toBe('duplicate');
  });

  it('H-06 the same key in different objects is none, and colons in strings do not count', () => {
    expect(problemOf('{"a":{"a":1},"b":[{"a":1},{"a":2}]}')).toBe('none');
    expect(problemOf('{"a":"x:y:z","b:c":":\\":"}')).toBe('none');
  });

  it('H-06 many keys, and many keys with one twice, are distinguished', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `"k${i}":0`);
    expect(problemOf(`{${keys.join()}}`)).toBe('none');
    expect(problemOf(`{${keys.join()},"k7":1}`)).toBe('duplicate');
  });

  it('H-05 SEC-25 gives objects that inherit nothing, whatever the keys', () => {
    const result = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":[{"b":{}}]}');
    expect(result.ok).toBe(true);
    // biome-ignore lint/suspicious/noExplicitAny: the test reads any field
    const value = (result as any).value;
    for (const object of [value.a[0], value.a[0].b]) {
      for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'polluted']) {
        expect(name in object, name).toBe(false);
      }
    }
    expect('toString' in value).toBe(false);
    expect(value.polluted).toBeUndefined();
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'a']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
