import { describe, expect, it } from 'vitest';
import { anyFileName, mediumFileName, shownFileName } from './media-name.ts';

describe('the name of a medium', () => {
  it.each([
    ['cat.jpg', 'image/jpeg', 'cat.jpg'],
    ['IMG 0001.JPEG', 'image/jpeg', 'img-0001.jpg'],
    ['cat.exe', 'image/png', 'cat.png'],
    ['a.b.c.gif', 'image/gif', 'a-b-c.gif'],
    ['', 'text/vcard', 'medium.vcf'],
    ['.htaccess', 'video/mp4', 'htaccess.mp4'],
    ['.jpg', 'image/jpeg', 'medium.jpg'],
    ['../../etc/passwd', 'audio/amr', 'etc-passwd.amr'],
    ['Фото', 'audio/mpeg', 'medium.mp3'],
    ['a\r\nX-Evil: 1"?#%2e', 'image/webp', 'a-x-evil-1-2e.webp'],
    ['<cid:0001@phone>', 'video/3gpp', 'cid-0001-phone.3gp'],
  ] as const)('%j as %s is %s', (given, type, name) => {
    expect(mediumFileName(given, type)).toBe(name);
  });

  it('is short and plain whatever is given', () => {
    for (const given of [
      'x'.repeat(10_000),
      `${'-'.repeat(300)}a`,
      'a.'.repeat(5_000),
      '\u0000\ud800',
      '-'.repeat(99),
    ]) {
      expect(mediumFileName(given, 'image/jpeg')).toMatch(/^[a-z0-9_][a-z0-9._-]{0,59}\.jpg$/);
    }
  });
});

describe('the name of a file of any type', () => {
  it.each([
    ['scan.PDF', 'application/pdf', true, 'scan.pdf'],
    ['photo.jpg', 'text/html', true, 'photo.html'],
    ['photo.jpg', 'image/heic', true, 'photo.heic'],
    ['plan.dwg', 'application/acad', false, 'plan.dwg'],
    ['voice', 'audio/amr-wb', false, 'voice.awb'],
    ['../../x', 'application/octet-stream', false, 'x.bin'],
    ['invoice\u202efdp.exe', 'application/octet-stream', false, 'invoice-fdp.exe'],
    ['', '__proto__', false, 'medium.bin'],
  ] as const)('%j as %s is %s', (given, type, known, name) => {
    expect(anyFileName(given, { type, known })).toBe(name);
  });
});

describe('the name that people read', () => {
  it.each([
    ['Résumé – März.pdf', 'Résumé – März.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\cat.jpg', 'cat.jpg'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u2066b\u2069\u200ec.txt', 'abc.txt'],
    ['a\r\nSet-Cookie: x\0.txt', 'aSet-Cookie: x.txt'],
    ['   ', ''],
    ['..', ''],
    ['x/', ''],
    ['half \ud83d', 'half'],
  ])('%j is %j', (given, shown) => {
    expect(shownFileName(given)).toBe(shown);
  });

  it('is short, with its ending', () => {
    expect(shownFileName(`${'ä'.repeat(500)}.heic`)).toBe(`${'ä'.repeat(115)}.heic`);
  });
});
