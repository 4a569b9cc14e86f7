/** Every answer that a carrier can give to a SubmitReq: the status table of MM7, SOAP faults, and plain HTTP. */
import { mm7StatusOf, mm7StatusTable } from '@heliograph/mms';
import { describe, expect, it } from 'vitest';
import { mm7Bytes } from './mm7-fixture.ts';
import { judge } from './outcome.ts';

const xml = { 'content-type': 'text/xml; charset=utf-8' };
const submission = { messageId: 't', to: '12025550100', attempt: 1 };
type Mm7Status = Parameters<typeof mm7StatusOf>;

const judged = (status: number, body: Buffer | string, headers: Record<string, string> = xml, attempt = 1) =>
  judge({ status, headers, body: Buffer.from(body) }, { ...submission, attempt });

const response = (...params: Mm7Status): Buffer =>
  mm7Bytes({ type: 'SubmitRsp', transactionId: 't', status: mm7StatusOf(...params), messageId: 'A1' }).body;
const fault = (...params: Mm7Status): Buffer =>
  mm7Bytes({ type: 'RSErrorRsp', transactionId: 't', status: mm7StatusOf(...params) }).body;
const soapFault = (code: string): string =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><e:Fault><faultcode>e:${code}</faultcode>` +
  '<faultstring>what</faultstring></e:Fault></e:Body></e:Envelope>';

/** retry, code and what is reported to the link */
const expected: Record<number, [retry: 'never' | 'later', code: string, link: string]> = {
  2000: ['never', 'CARRIER_REJECTED', 'worked'],
  2001: ['never', 'CARRIER_REJECTED', 'worked'],
  2002: ['never', 'UNKNOWN_SUBSCRIBER', 'worked'],
  2003: ['never', 'UNKNOWN_SUBSCRIBER', 'worked'],
  2004: ['never', 'CARRIER_REJECTED', 'worked'],
  2005: ['never', 'CARRIER_REJECTED', 'worked'],
  2006: ['never', 'CARRIER_REJECTED', 'worked'],
  2007: ['never', 'MALFORMED', 'worked'],
  2008: ['never', 'CARRIER_REJECTED', 'worked'],
  2009: ['never', 'CARRIER_REJECTED', 'worked'],
  3000: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
  3001: ['never', 'CARRIER_REJECTED', 'worked'],
  3002: ['never', 'CARRIER_REJECTED', 'worked'],
  3003: ['never', 'CARRIER_REJECTED', 'worked'],
  4000: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
  4001: ['later', 'CARRIER_UNAVAILABLE', 'refused'],
  4002: ['never', 'MALFORMED', 'worked'],
  4003: ['never', 'MALFORMED', 'worked'],
  4004: ['never', 'MALFORMED', 'worked'],
  4005: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
  4006: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
  4007: ['never', 'CARRIER_REJECTED', 'worked'],
  4008: ['never', 'CARRIER_REJECTED', 'worked'],
  2569: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
  // Not in the table: classified by their group.
  2510: ['never', 'CARRIER_REJECTED', 'worked'],
  3500: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
  4500: ['later', 'CARRIER_UNAVAILABLE', 'worked'],
};

describe('a status of MM7', () => {
  it('is known, whichever the table holds', () => {
    const refusals = [...mm7StatusTable.keys()].filter((code) => code >= 2000);
    expect(refusals.filter((code) => !(code in expected))).toEqual([]);
  });

  it.each(Object.entries(expected))('%s in a response, and in a fault with 200 or 500', (code, [retry, ours, link]) => {
    const number = Number(code);
    const words = mm7StatusTable.get(number)?.text ?? 'words of theirs';
    for (const [status, body] of [
      [200, response(number, words)],
      [200, fault(number, words)],
      [500, fault(number, words)],
      [200, fault(number, '')],
    ] as const) {
      const carrierCode = expect.stringMatching(new RegExp(`^${code}( \\(${words}\\))?$`));
      expect(judged(status, body)).toEqual({
        outcome: {
          kind: 'refused',
          retry,
          code: ours,
          carrierCode,
          detail: expect.stringMatching(
            link === 'refused' ? /did not accept the credentials.*\d{4}/ : /^The carrier answered \d{4}/,
          ),
          // A fault of our settings must not count against the message.
          countsAttempt: link !== 'refused',
          parts: [],
        },
        link,
        throttled: false,
      });
    }
  });

  it.each([1000, 1001, 1500])('%i is taken', (code) => {
    const parts = [{ part: 1, carrierMessageId: 'A1' }];
    expect(judged(200, response(code))).toEqual({
      outcome: { kind: 'accepted', parts },
      link: 'worked',
      throttled: false,
    });
  });

  it('is read whatever the Content-Type says', () => {
    for (const type of ['text/html', 'text/html; charset=utf-8', 'text/plain', '']) {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      expect(judged(200, response(1000), headers).outcome.kind).toBe('accepted');
      expect(judged(200, response(2004), headers).outcome).toMatchObject({ kind: 'refused', retry: 'never' });
    }
    expect(judged(200, '<html><body>1000</body></html>', { 'content-type': 'text/html' }).outcome).toMatchObject({
      kind: 'uncertain',
      detail: 'The carrier answered HTTP 200 without a readable word of MM7.',
    });
  });

  it('1100 is taken, unless it names our one recipient', () => {
    const partial = (failedRecipients: string[]) =>
      mm7Bytes({
        type: 'SubmitRsp',
        transactionId: 't',
        status: { code: 1100, text: '', failedRecipients },
        messageId: 'A1',
      }).body;
    expect(judged(200, partial([])).outcome.kind).toBe('accepted');
    expect(judged(200, partial(['12025550101'])).outcome.kind).toBe('accepted');
    expect(judged(200, partial(['12025550100'])).outcome).toMatchObject({
      kind: 'refused',
      retry: 'never',
      code: 'CARRIER_REJECTED',
      carrierCode: '1100 (Partial success)',
    });
  });

  it('4001 never ends a message, however often it was tried', () => {
    const outcome = {
      kind: 'refused',
      retry: 'later',
      carrierCode: '4001 (Improper identification)',
      countsAttempt: false,
    };
    for (const attempt of [1, 3, 50]) {
      expect(judged(200, response(4001), xml, attempt)).toMatchObject({ outcome, link: 'refused' });
    }
  });

  it('in the answer to another request says nothing about this one', () => {
    const answerTo = (transactionId: string, code: number) =>
      judged(200, mm7Bytes({ type: 'SubmitRsp', transactionId, status: mm7StatusOf(code), messageId: 'A1' }).body);
    for (const code of [1000, 1100, 2004, 4001]) {
      expect(answerTo('another', code)).toMatchObject({
        outcome: {
          kind: 'uncertain',
          cause: 'unanswered',
          detail: expect.stringContaining('TransactionID'),
          parts: [],
        },
        link: 'failed',
      });
    }
    const without = response(1000)
      .toString()
      .replace(/<([\w:]*TransactionID)[^>]*>[^<]*<\/\1>/, '');
    expect(without).not.toContain('TransactionID');
    expect(judged(200, without).outcome.kind).toBe('accepted');
  });

  it('that says too little is believed after three tries', () => {
    const ends = [1, 2, 3].map((attempt) => judged(200, response(4000), xml, attempt).outcome);
    expect(ends).toMatchObject([
      { retry: 'later', code: 'CARRIER_UNAVAILABLE' },
      { retry: 'later' },
      { retry: 'never', code: 'CARRIER_REJECTED' },
    ]);
  });

  it('is shown on one short line', () => {
    const { outcome } = judged(200, response(2004, `a\n\u0085b ${'x'.repeat(10_000)}`));
    const { carrierCode } = outcome as { carrierCode: string };
    expect(carrierCode).toMatch(/^2004 \(a b x+…\)$/);
    expect(carrierCode.length).toBeLessThan(140);
  });
});

describe('an answer without a status of MM7', () => {
  it.each([
    ['an empty 200', 200, ''],
    ['a 200 that is no XML', 200, '<html>'],
    ['a 200 with a fault of the server', 200, soapFault('Server')],
    ['a 500 with a fault of the server', 500, soapFault('Server')],
    ['another answer', 200, mm7Bytes({ type: 'CancelRsp', transactionId: 't', status: mm7StatusOf(1000) }).body],
    ['500', 500, '<html>'],
    ['502', 502, ''],
    ['504', 504, ''],
    ['408', 408, ''],
  ])('%s leaves it open', (_, status, body) => {
    expect(judged(status, body)).toMatchObject({
      outcome: { kind: 'uncertain', cause: 'unanswered', parts: [] },
      link: 'failed',
    });
  });

  it.each([
    ['a 200 with a fault of the client', 200, soapFault('Client'), 'never', 'MALFORMED', 'SOAP Client'],
    ['400', 400, '', 'never', 'MALFORMED', 'HTTP 400'],
    ['413', 413, '', 'never', 'MEDIA_TOO_LARGE', 'HTTP 413'],
    ['415', 415, '', 'never', 'MALFORMED', 'HTTP 415'],
    ['302', 302, '', 'later', 'CARRIER_UNAVAILABLE', 'HTTP 302'],
    ['404', 404, 'nginx', 'later', 'CARRIER_UNAVAILABLE', 'HTTP 404'],
  ])('%s refuses it', (_, status, body, retry, code, carrierCode) => {
    const outcome = { kind: 'refused', retry, code, carrierCode, countsAttempt: true };
    expect(judged(status, body)).toMatchObject({ outcome, link: 'worked', throttled: false });
  });

  it.each([401, 403])('%i is about us, whatever the SOAP inside says', (status) => {
    for (const body of ['', soapFault('Client'), fault(4001), response(1000)]) {
      expect(judged(status, body)).toMatchObject({
        outcome: { kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE', countsAttempt: false },
        link: 'refused',
      });
    }
  });

  it.each([
    [undefined, 1_000],
    ['0', 1_000],
    ['30', 30_000],
    ['999999999', 900_000],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 1_000],
    ['-5', 1_000],
  ])('429 with Retry-After %s', (retryAfter, afterMs) => {
    expect(judged(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter })).toMatchObject({
      outcome: { kind: 'refused', retry: 'later', afterMs, countsAttempt: false },
      throttled: true,
    });
  });
});
