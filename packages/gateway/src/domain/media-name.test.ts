import { describe, expect, it } from 'vitest';
import { mediumFileName } from './media-name.ts';

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
