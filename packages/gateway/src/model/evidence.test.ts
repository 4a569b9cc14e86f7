import { describe, expect, it } from 'vitest';
import { evidenceFileName, evidenceType } from './evidence.ts';

describe('evidence', () => {
  it('is what its content says', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(evidenceType(bytes('%PDF-1.7 x'))).toBe('application/pdf');
    expect(evidenceType(bytes('\x89PNG\r\n\x1a\n'))).toBe('image/png');
    expect(evidenceType(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
    expect(evidenceType(Buffer.from('From: señor\r\n\tTicket 4471\n'))).toBe('text/plain; charset=utf-8');
    for (const other of ['', 'MZ\x00', 'PK\x03\x04', '\xffhello', 'GIF89a\x01\x00']) {
      expect(evidenceType(bytes(other))).toBeNull();
    }
  });

  it('has a name that is safe everywhere', () => {
    expect(evidenceFileName('CP 575 letter.PDF', 'application/pdf')).toBe('CP 575 letter.pdf');
    expect(evidenceFileName('../../etc/passwd', 'image/png')).not.toMatch(/[/\\]|\.\./);
    expect(evidenceFileName('"x\r\nSet-Cookie: a".html', 'image/jpeg')).toBe('x Set-Cookie a.jpg');
    expect(evidenceFileName('', 'application/pdf')).toBe('evidence.pdf');
    expect(evidenceFileName('é'.repeat(500), 'application/pdf').length).toBeLessThan(130);
  });
});
