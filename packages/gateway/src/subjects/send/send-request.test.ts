import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detailCharactersMax } from '../../http/envelope.ts';
import { defaultLimits } from '../../model/limits.ts';
import { createSendRequestReader } from './send-request.ts';

const read = createSendRequestReader(defaultLimits);
const good = { from: '12025550199', to: ['12025550100'], text: 'Hello' };
/** The result for a body: its reason, or `ok`. */
const come = (body: unknown) => {
  const result = read(body);
  return result.ok ? 'ok' : result.reason;
};
const detailOf = (body: unknown) => {
  const result = read(body);
  return result.ok ? '' : result.detail;
};

describe('a send request', () => {
  it('is read whole', () => {
    expect(read(good)).toEqual({
      ok: true,
      unknownFields: [],
      request: { ...good, mediaUrls: [], referenceId: null, validityMinutes: null },
    });
    const all = { ...good, mediaUrls: ['https://example.org/a.png'], referenceId: 'r', validityMinutes: 5 };
    expect(read(all)).toEqual({ ok: true, unknownFields: [], request: all });
  });

  it('takes null in an optional field as not sent, and [] as no media', () => {
    expect(read({ ...good, mediaUrls: null, referenceId: null, validityMinutes: null })).toEqual(read(good));
    expect(read({ ...good, mediaUrls: [] })).toEqual(read(good));
  });

  it.each([null, 5, 'text', true, [], [good]])('that is %j is no object', (body) => {
    expect(come(body)).toBe('INVALID_FIELD');
    expect(detailOf(body)).toContain('Send one JSON object');
  });

  it.each(['from', 'to', 'text'])('without %s names it, null as well', (field) => {
    for (const value of [undefined, null]) {
      const body: Record<string, unknown> = { ...good, [field]: value };
      if (value === undefined) delete body[field];
      expect(come(body)).toBe('MISSING_FIELD');
      expect(detailOf(body)).toContain(`${field} is missing`);
    }
  });

  it.each([
    ['from', 12025550199],
    ['from', ['12025550199']],
    ['text', 5],
    ['text', {}],
    ['to', '12025550100'],
    ['to', { 0: '12025550100' }],
    ['to', 12025550100],
    ['to', [12025550100]],
    ['to', ['12025550100', null]],
    ['to', ['12025550100', ['12025550101']]],
    ['mediaUrls', 'https://example.org/a.png'],
    ['mediaUrls', [5]],
    ['mediaUrls', [null]],
    ['validityMinutes', 0],
    ['validityMinutes', 2_881],
    ['validityMinutes', 1.5],
    ['validityMinutes', '5'],
    ['validityMinutes', -1],
    ['validityMinutes', true],
  ])('with %s %j is INVALID_FIELD and names it', (field, value) => {
    expect(come({ ...good, [field]: value })).toBe('INVALID_FIELD');
    expect(detailOf({ ...good, [field]: value })).toContain(field);
  });

  it.each([1, 2_880, 60.0])('with validityMinutes %j is taken', (validityMinutes) => {
    expect(come({ ...good, validityMinutes })).toBe('ok');
  });

  it('SEC-28 is limited in recipients, media and lengths', () => {
    const numbers = (count: number) => Array.from({ length: count }, () => '12025550100');
    expect(come({ ...good, to: [] })).toBe('EMPTY_RECIPIENTS');
    expect(come({ ...good, to: numbers(1_000) })).toBe('ok');
    expect(come({ ...good, to: numbers(1_001) })).toBe('TOO_MANY_RECIPIENTS');
    expect(detailOf({ ...good, to: numbers(1_001) })).toContain('1001 numbers; one request may hold 1000');
    const urls = (count: number) => Array.from({ length: count }, (_, i) => `https://example.org/${i}`);
    expect(come({ ...good, mediaUrls: urls(10) })).toBe('ok');
    expect(come({ ...good, mediaUrls: urls(11) })).toBe('TOO_MANY_MEDIA');
    expect(come({ ...good, mediaUrls: [`https://example.org/${'a'.repeat(4_096 - 20)}`] })).toBe('ok');
    expect(come({ ...good, mediaUrls: [`https://example.org/${'a'.repeat(4_097 - 20)}`] })).toBe('INVALID_MEDIA_URL');
    expect(come({ ...good, referenceId: 'r'.repeat(128) })).toBe('ok');
    expect(come({ ...good, referenceId: '😀'.repeat(128) })).toBe('ok');
    expect(come({ ...good, referenceId: 'r'.repeat(129) })).toBe('INVALID_REFERENCE_ID');
  });

  it.each([5, '', {}, [], true, '\ud800', 'a\udc00b', 'a\0b'])(
    'with referenceId %j is INVALID_REFERENCE_ID',
    (referenceId) => {
      expect(come({ ...good, referenceId })).toBe('INVALID_REFERENCE_ID');
    },
  );

  it('H-04 SEC-29 refuses half surrogate pairs and NUL in text, and keeps every other character', () => {
    expect(come({ ...good, text: '\ud800' })).toBe('INVALID_FIELD');
    expect(come({ ...good, text: 'a\udc00' })).toBe('INVALID_FIELD');
    expect(come({ ...good, text: 'a\0' })).toBe('INVALID_FIELD');
    for (const text of ['\u0001\u001b[31m', '\u202eabc\u202c', '😀', '\r\n', '\ufeff', '']) {
      expect(read({ ...good, text })).toMatchObject({ ok: true, request: { text } });
    }
  });

  it.each([
    'ftp://example.org/a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'example.org/a.png',
    '//example.org/a.png',
    '/a.png',
    '',
    'http://',
    'https://',
    'http:example.org',
    'http:\\\\example.org',
    'https://exa mple.org/',
    'https://example.org/a b',
    ' https://example.org/',
    'https://example.org/\n',
    'https://example.org/a\0',
    'https://[::1',
    'https://example.org:99999/',
    'https://exam\ud800ple.org/',
    'http:///example.org/a',
    'https://?example.org',
  ])('with the media URL %j is INVALID_MEDIA_URL', (url) => {
    expect(come({ ...good, mediaUrls: ['https://example.org/ok.png', url] })).toBe('INVALID_MEDIA_URL');
  });

  it.each([
    'https://user:password@example.org/a',
    'https://user@example.org/a',
    'https://@example.org/a',
    'https://:@example.org/a',
    'http://user%40x:p@example.org',
    'http:///user:password@example.org/a',
    'https:////user:password@example.org/a',
  ])('SEC-41 refuses %s without showing it', (url) => {
    expect(come({ ...good, mediaUrls: [url] })).toBe('INVALID_MEDIA_URL');
    expect(detailOf({ ...good, mediaUrls: [url] })).not.toContain('user:');
    expect(detailOf({ ...good, mediaUrls: [url] })).not.toContain('password@');
  });

  it.each([
    'HTTPS://EXAMPLE.ORG/A.PNG',
    'http://example.org',
    'https://example.org/a?b=c@d#e',
    'https://münchen.example/ä.png',
  ])('takes the media URL %s as it is', (url) => {
    expect(read({ ...good, mediaUrls: [url] })).toMatchObject({ ok: true, request: { mediaUrls: [url] } });
  });

  it('SEC-22 ignores fields it does not know, by name', () => {
    const body = { ...good, status: 'delivered', price: 0, tenantId: 'x', resultResponses: [], form: 1, sendAt: null };
    expect(read(body)).toEqual({
      ok: true,
      unknownFields: ['status', 'price', 'tenantId', 'resultResponses', 'form', 'sendAt'],
      request: { ...good, mediaUrls: [], referenceId: null, validityMinutes: null },
    });
  });

  it.each([
    ['mediaUrl', 'mediaUrls'],
    ['media', 'mediaUrls'],
    ['media_urls', 'Write it mediaUrls.'],
    ['MediaURLs', 'Write it mediaUrls.'],
    ['referenceID', 'Write it referenceId.'],
    ['reference_id', 'Write it referenceId.'],
    ['validity', 'validityMinutes'],
    ['mediaUrsl', 'Write it mediaUrls.'],
    ['refernceId', 'Write it referenceId.'],
    ['validityMinute', 'Write it validityMinutes.'],
    ['image', 'mediaUrls'],
    ['test', 'query parameter dryRun=true'],
    ['delay', 'sent at once'],
    ['sendAt', 'sent at once'],
    ['scheduleAt', 'sent at once'],
    ['send_later', 'sent at once'],
    ['dryRun', 'query parameter dryRun=true'],
    ['idempotencyKey', 'header Idempotency-Key'],
    ['Text', 'Write it text.'],
  ])('refuses %s, which would change what is sent, and names the right one', (field, right) => {
    const body = { ...good, other: 1, [field]: 'https://example.org/a.png' };
    expect(come(body)).toBe('INVALID_FIELD');
    expect(detailOf(body)).toContain(right);
    expect(detailOf(body)).toContain(field);
  });

  it('with several faults always gets the same answer: absence first, then the order of the fields', () => {
    expect(come({ mediaUrls: 5, referenceId: 5 })).toBe('MISSING_FIELD');
    expect(detailOf({ text: 5 })).toContain('from is missing');
    expect(detailOf({ from: 5, text: 'x' })).toContain('to is missing');
    expect(come({ ...good, to: [], text: 5, referenceId: 5 })).toBe('EMPTY_RECIPIENTS');
    expect(come({ ...good, text: '\0', mediaUrls: ['ftp://x'], referenceId: '\0' })).toBe('INVALID_FIELD');
    expect(come({ ...good, text: '\0', referenceId: '' })).toBe('INVALID_REFERENCE_ID');
  });

  it('never throws, and never says more than a detail may hold', () => {
    const value = fc.oneof(
      fc.anything({ maxDepth: 2 }),
      fc.constantFrom('', 'x'.repeat(5_000), null, [], ['x'.repeat(5_000)]),
    );
    const body = fc.record(
      { from: value, to: value, text: value, mediaUrls: value, referenceId: value, validityMinutes: value },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(body, fc.anything()), (sent) => {
        expect(detailOf(sent).length).toBeLessThanOrEqual(detailCharactersMax);
      }),
      { numRuns: 500 },
    );
  });
});
