/** Files of refused types, and the same after the first bytes of an accepted type. */
import { deflateSync, gzipSync } from 'node:zlib';
import { ascii, canary, type HostileFile } from './hostile-whole-fixture.ts';
import { movie, picture } from './media-fixture.ts';

const filler = Buffer.alloc(600);
const starting = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), filler]);
const text = (content: string) => Buffer.from(content, 'utf8');

export async function wrongTypes(): Promise<[string, Buffer][]> {
  const small = () => picture(64, 48);
  return [
    ['nothing', Buffer.alloc(0)],
    ['one NUL', Buffer.alloc(1)],
    ['a megabyte of NUL', Buffer.alloc(1_048_576)],
    ['a megabyte of ones', Buffer.alloc(1_048_576, 255)],
    ...markup(),
    ...documents(),
    ['TIFF', await small().tiff().toBuffer()],
    ['TIFF in tiles', await small().tiff({ tile: true, pyramid: true }).toBuffer()],
    ['TIFF with a JPEG in it', await small().tiff({ compression: 'jpeg' }).toBuffer()],
    ['big TIFF', starting('49492b00080000001000000000000000')],
    ['TIFF of the other order', starting('4d4d002a00000008')],
    ['AVIF', await small().avif({ effort: 0 }).toBuffer()],
    ['HEIC', movie('heic', ['mif1', 'heic'])],
    ['HEIC that calls itself MP4', movie('mp42', ['heic'])],
    ['BMP', starting('424d76020000000000003600000028000000')],
    ['ICO', starting('00000100010010100000010020006804000016000000')],
    ['JPEG XL', starting('ff0a')],
    ['JPEG XL in boxes', starting('0000000c4a584c200d0a870a')],
    ['JPEG 2000', starting('0000000c6a5020200d0a870a')],
    ['Photoshop', starting('38425053000100000000000000030000001000000010')],
    ['OpenEXR', starting('762f310102000000')],
    ['Radiance', text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 10 +X 10\n')],
    ['PPM', Buffer.concat([text('P6 9 9 255\n'), filler])],
    ['FITS', text('SIMPLE  =                    T'.padEnd(2_880))],
    ['DICOM', Buffer.concat([Buffer.alloc(128), text('DICM'), filler])],
    ['QuickTime', movie('qt  ', ['qt  '])],
    ['M4A', movie('M4A ')],
    ['Matroska', starting('1a45dfa39f4286810142f7810142f2810442f381084282847765626d')],
    ['AVI', starting('524946460000010041564920')],
    ['WAV', starting('524946462400000057415645666d7420')],
    ['Ogg', starting('4f67675300020000000000000000')],
    ['FLAC', starting('664c614300000022')],
    ['MIDI', starting('4d546864000000060001')],
    ['Flash video', starting('464c560105000000090000000012')],
    ['Windows media', starting('3026b2758e66cf11a6d900aa0062ce6c')],
    [
      'MPEG transport stream',
      Buffer.alloc(188 * 20, Buffer.concat([Buffer.from('47400010', 'hex'), Buffer.alloc(184)])),
    ],
    ['AMR-WB', Buffer.concat([text('#!AMR-WB\n'), filler])],
    ['AAC', starting('fff150801c1ffc')],
    ...programs(),
    ...archives(),
  ];
}

function markup(): [string, Buffer][] {
  const svg = (body: string, prolog = '') =>
    text(
      `${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${body}</svg>`,
    );
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  return [
    ['SVG with a script', svg(canary)],
    ['SVG with an event', svg('<rect onload="alert(1)" width="9" height="9"/>')],
    ['SVG that loads a picture', svg('<image xlink:href="http://127.0.0.1:9/x.png" width="9" height="9"/>')],
    ['SVG that reads a file', svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>')],
    ['SVG with an external entity', svg('&e;', '<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>')],
    ['SVG with a billion laughs', svg('&l9;', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>`)],
    ['SVG of 100,000 × 100,000', text('<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"/>')],
    ['SVG behind a byte order mark', Buffer.concat([Buffer.from('efbbbf', 'hex'), svg(canary)])],
    ['SVG in UTF-16', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(svg(canary).toString(), 'utf16le')])],
    ['compressed SVG', gzipSync(svg(canary))],
    ['HTML', text(`<!doctype html><html><body>${canary}</body></html>`)],
    ['HTML behind blanks', text(`\n\n\t   <html>${canary}</html>`)],
    ['XHTML', text(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${canary}</body></html>`)],
    [
      'XML with a style sheet',
      text('<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="http://127.0.0.1:9/x.xsl"?><x/>'),
    ],
    ['an HLS list', text('#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1:9/x.ts\n#EXT-X-ENDLIST\n')],
    [
      'an ImageMagick drawing',
      text('push graphic-context\nviewbox 0 0 9 9\nfill \'url(https://127.0.0.1/x.png"|id")\'\npop graphic-context\n'),
    ],
    [
      'an ImageMagick script',
      text('<?xml version="1.0"?><image><read filename="caption:x"/><write filename="/tmp/x"/></image>'),
    ],
    ['a data URL', text('data:image/png;base64,iVBORw0KGgo=')],
    ['JSON', text('{"jpeg":true}')],
    ['plain words', text('This is a picture, honestly.')],
    ['a vCard with a NUL', text('BEGIN:VCARD\r\nFN:\0\r\nEND:VCARD\r\n')],
    ['a vCard behind HTML', text(`<html>${canary}\r\nBEGIN:VCARD\r\nEND:VCARD\r\n`)],
    ['a vCard in front of HTML', text(`BEGIN:VCARD\r\nEND:VCARD\r\n<html>${canary}`)],
    ['a vCard in Latin-1', ascii('BEGIN:VCARD\r\nFN:J\xf6rg\r\nEND:VCARD\r\n')],
    ['a calendar', text('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')],
  ];
}

function documents(): [string, Buffer][] {
  return [
    [
      'PDF',
      text('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>\nendobj\n'),
    ],
    ['PDF behind 900 bytes', Buffer.concat([Buffer.alloc(900, ' '), text('%PDF-1.4\n')])],
    ['PostScript', text('%!PS-Adobe-3.0 EPSF-3.0\n(%pipe%id) (r) file\n')],
    ['PostScript for Windows', starting('c5d0d3c620000000')],
    ['WMF', starting('d7cdc69a000000000000')],
    ['EMF', Buffer.concat([Buffer.from('01000000', 'hex'), Buffer.alloc(36), text(' EMF'), filler])],
    ['an old Office document', starting('d0cf11e0a1b11ae1')],
    ['RTF', text('{\\rtf1\\ansi{\\object\\objocx}}')],
    ['a font', starting('00010000000c0080000300')],
    ['a compressed font', starting('774f463200010000')],
    ['a database', Buffer.concat([text('SQLite format 3\0'), filler])],
    ['a certificate', text('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')],
  ];
}

function programs(): [string, Buffer][] {
  return [
    ['an ELF program', starting('7f454c4602010100')],
    ['a Windows program', Buffer.concat([text('MZ'), filler, text('PE\0\0'), filler])],
    ['a macOS program', starting('cffaedfe07000001')],
    ['a Java class', starting('cafebabe00000034')],
    ['WebAssembly', starting('0061736d01000000')],
    ['an Android program', starting('6465780a30333500')],
    ['a Flash film', starting('4657530a')],
    ['a shell script', text('#!/bin/sh\nid\n')],
    ['JavaScript', text('alert(document.cookie)')],
    ['PHP', text('<?php system($_GET["c"]); ?>')],
    ['a batch file', text('@echo off\r\ndel c:\\*.*\r\n')],
    ['a Windows shortcut', starting('4c0000000114020000000000c000000000000046')],
  ];
}

function archives(): [string, Buffer][] {
  const zipEnd = Buffer.concat([ascii('PK\x05\x06'), Buffer.alloc(18)]);
  return [
    ['ZIP', Buffer.concat([ascii('PK\x03\x04\x14\0\0\0\x08\0'), filler, zipEnd])],
    ['an empty ZIP', zipEnd],
    ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000))],
    ['a zlib bomb', deflateSync(Buffer.alloc(50_000_000))],
    ['bzip2', starting('425a6839314159265359')],
    ['xz', starting('fd377a585a000004')],
    ['Zstandard', starting('28b52ffd0400')],
    ['7-Zip', starting('377abcaf271c0004')],
    ['RAR', starting('526172211a070100')],
    ['tar', Buffer.concat([text('x'.padEnd(257, '\0')), text('ustar\x0000'), filler])],
    ['a Debian package', text('!<arch>\ndebian-binary   ')],
    ['a CD image', Buffer.concat([Buffer.alloc(32_769), text('CD001'), filler])],
  ];
}

/** First bytes by which careless readers recognise the accepted types. */
const magics: readonly [string, Buffer][] = [
  ['JPEG', Buffer.from('ffd8ffe0', 'hex')],
  ['PNG', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['GIF', ascii('GIF89a')],
  ['WebP', ascii('RIFF\x24\0\0\0WEBPVP8 ')],
  ['MP4', Buffer.from('00000018667479706d70343200000000', 'hex')],
  ['MP3', ascii('ID3\x04\0\0\0\0\0\0')],
  ['AMR', ascii('#!AMR\n')],
  ['vCard', ascii('BEGIN:VCARD\r\n')],
];

/** Each wrong file after the first bytes of some types, in turn. */
export function disguises(wrong: readonly [string, Buffer][]): HostileFile[] {
  return wrong.flatMap(([name, bytes], index) =>
    [0, 3, 5].map((step): HostileFile => {
      const [magic, start] = magics[(index + step) % magics.length]!;
      // After AMR's first bytes almost anything of the right length is valid AMR: noise, but sound.
      const may = magic === 'AMR' ? 'be anything safe' : 'be refused';
      return { name: `${name} that begins like ${magic}`, bytes: Buffer.concat([start, bytes]), may };
    }),
  );
}
