import { describe, expect, it } from 'vitest';
import { handsetFile, hexOf, isSentType, isShownPicture, mediumIcon, ownPath } from './medium';

describe('a medium', () => {
  it('is shown in place only where it is a picture that can run nothing', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp']) expect(isShownPicture(type)).toBe(true);
    for (const type of ['image/svg+xml', 'image/heic', 'text/html', 'application/pdf', 'image/png+x', '']) {
      expect(isShownPicture(type)).toBe(false);
    }
  });

  it('has the icon of its kind', () => {
    const icons = ['image/heic', 'audio/amr', 'video/mp4', 'application/pdf'].map(mediumIcon);
    expect(icons).toEqual(['picture', 'sound', 'film', 'file']);
  });

  it('is fetched from this site, whatever host stands in its URL, and from no other', () => {
    expect(ownPath('https://sms.example.com/media/med_1/a.pdf?expires=1')).toBe('/media/med_1/a.pdf?expires=1');
    for (const url of ['https://shop.example/a.pdf', 'javascript:alert(1)', 'a', '']) expect(ownPath(url)).toBeNull();
  });
});

it('a file leaves a handset as it is, with its type where the browser knows it', async () => {
  const bytes = new Uint8Array([0, 255]);
  const pdf = new File([bytes], 'a.pdf', { type: 'application/pdf' });
  expect(await handsetFile(pdf)).toEqual({ data: 'AP8=', type: 'application/pdf', name: 'a.pdf' });
  expect(await handsetFile(new File([bytes], 'b'))).toEqual({ data: 'AP8=', name: 'b' });
  expect(['image/png', 'text/vcard', 'application/pdf', ''].map(isSentType)).toEqual([true, true, false, false]);
});

it('octets in base64 are shown as hexadecimal digits', () => {
  expect(hexOf('AP8B')).toBe('00ff01');
});
