import '../../language/english';

import { describe, expect, it } from 'vitest';
import { costOf, mediumName, readRecipients, replaceEach, shapeOf, skippedOf, tooLongText } from './compose';

const numbers = (text: string) => readRecipients(text).numbers;

describe('recipients', () => {
  it.each(['+1 (202) 555-0100', '202-555-0100', '1.202.555.0100', '12025550100', ' 1 202 555 0100 '])(
    'takes %s for one number',
    (text) => expect(readRecipients(text)).toEqual({ numbers: ['12025550100'], bad: [], twice: 0 }),
  );

  it('parts a pasted list, however it is written', () => {
    const wanted = ['12025550100', '12025550101', '12025550102'];
    expect(numbers('12025550100 12025550101 12025550102')).toEqual(wanted);
    expect(numbers('12025550100,+1 202 555 0101;\n(202) 555-0102\n')).toEqual(wanted);
    expect(numbers('(202) 555-0100 (202) 555-0101 (202) 555-0102')).toEqual(wanted);
    expect(numbers('+4915123456789\n+44 7700 900123')).toEqual(['4915123456789', '447700900123']);
  });

  it('sends once to what stands there twice', () => {
    expect(readRecipients('12025550100, 2025550100')).toEqual({ numbers: ['12025550100'], bad: [], twice: 1 });
  });

  it('names what is no number, and what a spreadsheet made of one', () => {
    expect(readRecipients('Ada, 12025550100 x, 1.2E+10, 999').bad).toEqual([
      { token: 'Ada', scientific: false },
      { token: 'x', scientific: false },
      { token: '1.2E+10', scientific: true },
      { token: '999', scientific: false },
    ]);
    expect(numbers('')).toEqual([]);
  });
});

describe('the text', () => {
  it('counts, and says what forces Unicode and what could stand for it', () => {
    const text = `It’s here ${'x'.repeat(140)}`;
    expect(shapeOf(text)).toMatchObject({ encoding: 'UCS-2', segments: 3, segmentsInstead: 1 });
    expect(shapeOf(text).forcing).toEqual([{ text: '’', lookAlike: "'" }]);
    expect(replaceEach('“It’s” 🎉')).toBe(`"It's" 🎉`);
    expect(shapeOf('Hello')).toMatchObject({ encoding: 'GSM-7', units: 5, segments: 1, left: 155, forcing: [] });
  });

  it('knows no cost without rates', () => {
    expect(costOf(3, undefined, undefined)).toBeNull();
    expect(costOf(3, '0.0079', 'USD')).toContain('0.0237');
  });
});

describe('a medium', () => {
  it.each([
    [{ url: 'https://h.example/api/v1/media/med_1/cat.png', name: 'cat.png' }, 'cat.png'],
    [{ url: 'https://h.example/api/v1/media/med_1/cat.png?s=x' }, 'h.example/…/cat.png'],
    [{ url: 'https://h.example/cat.png' }, 'h.example/cat.png'],
    [{ url: 'http://127.0.0.1:8080/' }, '127.0.0.1:8080'],
    [{ url: 'no address' }, 'no address'],
  ])('%o is called %s', (medium, name) => expect(mediumName(medium)).toBe(name));
});

it('lists skipped recipients by reason', () => {
  const results = [
    { to: '1', status: 'SUCCESS' },
    { to: '2', status: 'OPTED_OUT', detail: 'Said STOP.' },
    { to: '3', status: 'DUPLICATE_RECIPIENT' },
    { to: '4', status: 'OPTED_OUT', detail: 'Said STOP too.' },
  ];
  expect(skippedOf(results)).toEqual([
    { code: 'OPTED_OUT', detail: 'Said STOP.', numbers: ['2', '4'] },
    { code: 'DUPLICATE_RECIPIENT', detail: '', numbers: ['3'] },
  ]);
  expect(skippedOf([])).toEqual([]);
});

describe('characters', () => {
  it.each([
    ['Hello', 5, 5],
    ['1€', 2, 3],
    ['👨‍👩‍👧‍👦', 1, 11],
    ['🇺🇸!', 2, 5],
  ])('of %j are counted as people do, beside the places they take', (text, characters, units) => {
    expect(shapeOf(text)).toMatchObject({ characters, units });
  });

  it('are too many only where no spelling of the text fits', () => {
    const limits = { smsSegmentsMax: 2, mmsTextCharactersMax: 400 };
    const faultOf = (text: string, isMms = false) => tooLongText(text, shapeOf(text), isMms, limits);
    expect(faultOf('a'.repeat(306))).toBeUndefined();
    expect(faultOf('a'.repeat(307))).toContain('it needs 3 segments, and a text may have 2');
    expect(faultOf(`“${'a'.repeat(200)}”`)).toBeUndefined();
    expect(faultOf('a'.repeat(400), true)).toBeUndefined();
    expect(faultOf('a'.repeat(401), true)).toContain('401 characters, and an MMS may carry 400');
  });
});
