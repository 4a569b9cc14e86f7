import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fileTypeOf, keepFile } from './file-type.ts';
import { amr, phoneJpeg, vcard } from './media-fixture.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const book = (brand: string) => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mif1`);

describe('the type of a file from a handset', () => {
  it.each<[string, Buffer, string, string]>([
    ['a PDF', bytes('%PDF-1.7\n1 0 obj'), 'application/pdf', 'application/pdf'],
    ['a PDF called a picture', bytes('%PDF-1.7\n'), 'image/jpeg', 'application/pdf'],
    ['an HEIC called a JPEG', book('heic'), 'image/jpeg', 'image/heic'],
    ['a QuickTime film', book('qt  '), 'video/mp4', 'video/quicktime'],
    ['an MP4 that is not whole', book('isom'), 'video/mp4', 'video/mp4'],
    ['a voice note in AMR-WB', bytes('#!AMR-WB\n\x04'), 'audio/amr', 'audio/amr-wb'],
    ['an AMR that is not whole', bytes('#!AMR\n\x3c'), 'audio/amr', 'audio/amr'],
    ['HTML called a picture', bytes('\n<!-- x --><!DOCTYPE html><p>'), 'image/png', 'text/html'],
    ['a script in a page', bytes('<script>alert(1)</script>'), 'image/gif', 'text/html'],
    ['SVG', bytes('<?xml version="1.0"?>\n<svg xmlns="">'), 'image/svg+xml', 'image/svg+xml'],
    ['XML', bytes('<?xml version="1.0"?><a/>'), 'text/plain', 'application/xml'],
    [
      'a program called a picture',
      Buffer.concat([bytes('MZ'), Buffer.alloc(80)]),
      'image/png',
      'application/x-msdownload',
    ],
    ['a calendar', bytes('BEGIN:VCALENDAR\r\n'), 'text/x-vcalendar', 'text/calendar'],
    ['a document in a ZIP', bytes('PK\x03\x04rest'), 'application/vnd.ms-word', 'application/vnd.ms-word'],
    ['a ZIP without a label', bytes('PK\x03\x04rest'), 'application/octet-stream', 'application/zip'],
    ['what nobody knows', bytes('\x01\x02'), 'Application/X-Thing; name=a', 'application/x-thing'],
    ['a label that is none', bytes('\x01\x02'), 'a/b\r\nx: y', 'application/octet-stream'],
    ['nothing', Buffer.alloc(0), '', 'application/octet-stream'],
  ])('%s', (_, content, declared, type) => {
    expect(fileTypeOf(content, declared)).toMatchObject({ type, downloadOnly: true });
  });

  it('lets be shown in place what is whole and harmless, whatever its label', async () => {
    const harmless = { known: true, downloadOnly: false };
    expect(fileTypeOf(await phoneJpeg(20, 20), 'text/html')).toEqual({ type: 'image/jpeg', ...harmless });
    expect(fileTypeOf(amr(3), 'application/octet-stream')).toEqual({ type: 'audio/amr', ...harmless });
    expect(fileTypeOf(vcard, 'text/x-vcard')).toEqual({ type: 'text/vcard', ...harmless });
  });
});

it('a file is kept as it came, or the disk is full', async () => {
  const content = bytes('%PDF-1.7\n');
  const hash = createHash('sha256').update(content).digest('hex');
  const files = { put: async () => ({ ok: true as const, hash }), read: async () => null, sweep: async () => 0 };
  const medium = { hash, type: 'application/pdf', sizeBytes: 9 };
  expect(await keepFile(files, content, '')).toEqual({ kind: 'kept', medium, known: true, downloadOnly: true });
  const full = { ...files, put: async () => ({ ok: false as const, why: 'disk-full' as const }) };
  expect(await keepFile(full, content, '')).toEqual({ kind: 'later', why: 'disk-full' });
});
