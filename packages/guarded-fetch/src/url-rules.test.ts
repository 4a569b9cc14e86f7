/**
 * Which URLs pass, in which parts, and the word that refuses each of the others; the corpus has the disguised forms.
 */
import { describe, expect, it } from 'vitest';
import { relaxed, strict } from './net-fixture.ts';
import { checkUrl, urlCharactersMax } from './url-rules.ts';

const why = (url: string, policy = strict) => {
  const checked = checkUrl(url, policy);
  return checked.ok ? 'ok' : checked.why;
};

describe('a URL that may be dialled', () => {
  it('is split into its parts', () => {
    expect(checkUrl('https://Shop.Example/hooks/a%20b?x=1&y=ü#part', strict)).toEqual({
      ok: true,
      url: {
        secure: true,
        host: 'shop.example',
        literal: false,
        port: 443,
        origin: 'https://shop.example',
        path: '/hooks/a%20b?x=1&y=%C3%BC',
      },
    });
  });

  it('may be an address, in brackets or not', () => {
    const v6 = checkUrl('http://[2606:4700::1111]:80', strict);
    expect(v6).toMatchObject({ ok: true, url: { host: '2606:4700::1111', literal: true, port: 80, path: '/' } });
    expect(checkUrl('https://93.184.216.34', strict)).toMatchObject({ ok: true, url: { literal: true } });
  });

  it('may have an international name, in Unicode or in punycode', () => {
    for (const text of ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'https://BÜCHER.example/']) {
      expect(checkUrl(text, strict)).toMatchObject({ ok: true, url: { host: 'xn--bcher-kva.example' } });
    }
  });

  it.each([
    'http://example.com',
    'http://example.com?x',
    'HTTPS://EXAMPLE.COM:443/',
    'http://example.com:80/a@b:c//d',
    'https://a_b.example.com/',
    'https://hook-1.eu.example.co.uk/{id}/x|y',
    'https://localhost.example.com/',
    'https://metadata.example.com/',
    'https://internal.example/',
    'https://127.0.0.1.example.com/',
  ])('%s', (url) => expect(why(url)).toBe('ok'));
});

describe('a URL that may not', () => {
  it.each([
    ['malformed', 'hooks.example.com'],
    ['malformed', 'https:/example.com'],
    ['malformed', 'https://example.com\\x'],
    ['malformed', 'https://example.com/ x'],
    ['malformed', 'https://example.com.'],
    ['malformed', 'https://0x7f.1/'],
    ['scheme', 'ftp://example.com/'],
    ['userinfo', 'https://user@example.com/'],
    ['port', 'https://example.com:8443/'],
    ['name', 'https://localhost/'],
    ['name', 'https://metadata.google.internal/'],
    ['address', 'https://127.0.0.1/'],
    ['address', 'https://[::ffff:93.184.216.34]/'],
  ])('is refused as %s: %s', (word, url) => expect(why(url)).toBe(word));

  it('is too long only beyond the limit', () => {
    const base = 'https://example.com/';
    expect(why(base.padEnd(urlCharactersMax, 'a'))).toBe('ok');
    expect(why(base.padEnd(urlCharactersMax + 1, 'a'))).toBe('too-long');
  });

  it('has a host name of this gateway', () => {
    const policy = { ...relaxed, ownNames: ['SMS.example.com'] };
    expect(why('https://sms.example.com/', policy)).toBe('name');
    expect(why('https://sms.example.com/')).toBe('ok');
  });
});

describe('what the operator allows', () => {
  it('allows more ports', () => {
    expect(why('https://example.com:8443/', { ...strict, extraPorts: [8443] })).toBe('ok');
    expect(why('https://example.com:8444/', { ...strict, extraPorts: [8443] })).toBe('port');
  });

  it.each([
    'http://localhost:3000/hook',
    'http://orders/',
    'http://orders.internal:9000/',
    'http://127.0.0.1:1/',
    'http://[::1]:65535/',
    'http://10.1.2.3/',
  ])('private targets and any port: %s', (url) => expect(why(url, relaxed)).toBe('ok'));

  it.each(['http://169.254.169.254/', 'http://metadata/', 'http://0.0.0.0/', 'http://example.com:0/'])(
    'but never %s',
    (url) => expect(why(url, relaxed)).not.toBe('ok'),
  );
});
