/** The presentation: written for handsets, read for its order; and people's parts prepared for it. */
import { describe, expect, it } from 'vitest';
import { presentable } from './content.ts';
import { picture, text } from './mms-fixture.ts';
import { type MmsPart, textOf } from './mms-message.ts';
import { inOrderOf, readSmil, writeSmil } from './smil.ts';

const part = (contentType: string, fileName: string): MmsPart => ({
  ...picture,
  contentType,
  fileName,
  contentId: `${fileName}@x`,
});
const names = (parts: readonly MmsPart[]): string[] => parts.map(({ fileName }) => fileName);

describe('writeSmil', () => {
  it('one slide per medium, each with the next text', () => {
    const smil = writeSmil([
      part('image/png', 'a'),
      part('video/mp4', 'b'),
      part('audio/amr', 'c'),
      part('text/vcard', 'd'),
      text,
    ]);
    expect(smil).toMatch(/^<smil><head><layout>.*<\/layout><\/head><body>/);
    expect([...smil.matchAll(/<par dur="5000ms">(.*?)<\/par>/g)].map(([, slide]) => slide)).toEqual([
      '<img src="a" region="Image"/><text src="t.txt" region="Text"/>',
      '<video src="b" region="Image"/>',
      '<audio src="c"/>',
      '<ref src="d"/>',
    ]);
  });

  it('remaining texts get slides of their own', () => {
    expect(writeSmil([text, { ...text, fileName: 'u' }])).toContain(
      '<par dur="5000ms"><text src="u" region="Text"/></par>',
    );
  });

  it('reads back in its order', () => {
    expect(readSmil(writeSmil([part('image/png', 'a&"b'), text]))).toEqual(['a&"b', 't.txt']);
  });
});

describe('inOrderOf', () => {
  const parts = [part('text/plain', 'T.txt'), part('image/png', 'a.png'), part('image/png', 'b.png')];

  it.each([
    ['by file name in any case', '<img src="B.PNG"/><text region="Text" src=\'t.txt\'/>', ['b.png', 'T.txt', 'a.png']],
    ['by content id', '<ref src="cid:b.png%40x"/><img src="CID:a.png@x"/>', ['b.png', 'a.png', 'T.txt']],
    [
      'with prefixes, a document type and no end',
      '<!DOCTYPE smil PUBLIC "x" "http://x/"><s:img\n src = "b.png">',
      ['b.png', 'T.txt', 'a.png'],
    ],
    ['what is shown twice comes once', '<img src="b.png"/><img src="b.png"/>', ['b.png', 'T.txt', 'a.png']],
    ['what is not there is passed over', '<img src="http://evil.example/"/><img/>', ['T.txt', 'a.png', 'b.png']],
    ['nonsense changes nothing', '<img src="b.png', ['T.txt', 'a.png', 'b.png']],
    ['nor does a book', `<img src="b.png"/>${' '.repeat(70_000)}`, ['T.txt', 'a.png', 'b.png']],
  ])('%s', (_, smil, order) => {
    expect(names(inOrderOf(smil, parts))).toEqual(order);
  });
});

describe('presentable', () => {
  const wild = ['../../Etc/Pass wd', 'été "x".JPG', 'a.png', 'a.png', '', 'smil.xml', '2-a.png'].map((fileName) => ({
    ...picture,
    fileName,
  }));

  it('gives plain names and ids, all of them different', () => {
    const { parts, smil } = presentable({ parts: wild, smil: null });
    expect(names(parts)).toEqual([
      '.._.._etc_pass_wd',
      '_t_x_.jpg',
      'a.png',
      '4-a.png',
      'part-5',
      '6-smil.xml',
      '2-a.png',
    ]);
    expect(new Set(parts.map(({ contentId }) => contentId)).size).toBe(parts.length);
    expect(readSmil(smil!)).toEqual(names(parts));
  });

  it('leaves a presentable message unchanged, and writes no presentation for an empty one', () => {
    const once = presentable({ parts: wild, smil: null });
    expect(presentable(once)).toEqual(once);
    expect(presentable({ parts: [], smil: null })).toEqual({ parts: [], smil: null });
  });

  it('ends the lines of texts with CRLF, and reads them back with LF', () => {
    const { parts } = presentable({ parts: [{ ...text, bytes: Buffer.from('a\nb\r\nc\rd') }, text], smil: null });
    expect(parts[0]!.bytes.toString()).toBe('a\r\nb\r\nc\r\nd');
    expect(textOf(parts)).toBe('a\nb\nc\nd\nGrüße\n.\nfrom us');
  });
});
