/**
 * Every status of both protocols, compared with the tables of the standard and of vendors; and the outcome of each
 * answer.
 */
import { describe, expect, it } from 'vitest';
import { mmStatus, mmStatusWords, readStatusOf } from './mm-status.ts';
import { mm4RequestStatuses, mm4Status } from './mm4-status.ts';
import { submitOutcome } from './mm7-outcome.ts';
import { readMm7 } from './mm7-read.ts';
import { mm7Status, mm7StatusOf, mm7StatusTable } from './mm7-status.ts';
import { mm7Http, soap } from './mms-fixture.ts';
import type { StatusMeaning } from './status.ts';

const short = (meaning: StatusMeaning): string =>
  meaning.kind === 'refused' ? `${meaning.retry} ${meaning.concern}` : meaning.kind;

describe('StatusCode of MM7', () => {
  it.each([
    ['accepted', [1000, 1200, 1999]],
    ['partial', [1100]],
    ['never message', [2000, 2500, 2999, 3002]],
    ['never service', [2001, 3001, 4007, 4008]],
    ['never address', [2002, 2003]],
    ['never content', [2004]],
    ['never id', [2005, 2006, 2008, 2009]],
    ['never protocol', [2007, 4003, 4004]],
    ['later service', [3000, 3500, 4005, 4006, 2569]],
    ['one_by_one address', [3003]],
    ['few service', [4000, 4500, 5000, 9999]],
    ['later credentials', [4001]],
    ['other_version protocol', [4002]],
  ])('%s', (meaning, codes) => {
    expect(codes.map((code) => short(mm7Status(code)))).toEqual(codes.map(() => meaning));
  });

  it('writes the text of each code it knows', () => {
    for (const [code, { text }] of mm7StatusTable)
      expect(mm7StatusOf(code)).toEqual({ code, text, failedRecipients: [] });
    expect(mm7StatusOf(2500)).toMatchObject({ text: '' });
  });
});

describe('X-Mms-Request-Status-Code of MM4', () => {
  it('each word of the standard, in any case', () => {
    expect(mm4RequestStatuses.map((word) => short(mm4Status(word.toUpperCase())))).toEqual([
      'accepted',
      'few service',
      'never service',
      'never protocol',
      'never address',
      'later service',
      'never content',
      'never protocol',
      'never id',
    ]);
  });

  it('an unknown word is a refusal; a vendor’s code makes a refusal clearer, and never an Ok', () => {
    expect(short(mm4Status('Okay'))).toBe('few service');
    expect(short(mm4Status('Error-unspecified', '420'))).toBe('never address');
    expect(short(mm4Status('Error-unspecified', '435'))).toBe('one_by_one address');
    expect(short(mm4Status('Ok', '420'))).toBe('accepted');
  });
});

describe('the words of reports', () => {
  it('delivery', () => {
    expect(Object.fromEntries(mmStatusWords.map((word) => [word, mmStatus(word.toLowerCase()).state]))).toEqual({
      Expired: 'expired',
      Retrieved: 'delivered',
      Rejected: 'rejected',
      Deferred: 'waiting',
      Indeterminate: 'unknown',
      Forwarded: 'handed_over',
      Unrecognised: 'unknown',
      Unrecognized: 'unknown',
      NotSupported: 'failed',
      Unreachable: 'failed',
    });
    expect(mmStatus('constructor')).toEqual({ state: 'unknown', final: false });
    expect(mmStatus('Retrieved').final).toBe(true);
    expect(mmStatus('Forwarded').final).toBe(false);
  });

  it('read', () => {
    expect(['READ', 'Deleted', 'deleted without being read', 'Reading'].map(readStatusOf)).toEqual([
      'Read',
      'Deleted without being read',
      'Deleted without being read',
      null,
    ]);
  });
});

describe('submitOutcome', () => {
  const answer = (xml: string, httpStatus = 200) =>
    submitOutcome(httpStatus, readMm7({ contentType: 'text/xml', body: Buffer.from(xml) }));
  const withCode = (code: number, more = '') =>
    soap(`<SubmitRsp><Status><StatusCode>${code}</StatusCode></Status>${more}</SubmitRsp>`);

  it('is accepted for a success of a SubmitRsp, with and without an id', () => {
    expect(answer(withCode(1000, '<MessageID>m</MessageID>'))).toEqual({ kind: 'accepted', messageId: 'm' });
    expect(answer(withCode(1000))).toEqual({ kind: 'accepted', messageId: '' });
  });

  it('names the recipients that a partial success left out', () => {
    const status = { code: 1100, text: '', failedRecipients: ['14155550123'] };
    const { body } = mm7Http({ type: 'SubmitRsp', transactionId: 't', status, messageId: 'm' });
    expect(answer(body.toString())).toEqual({
      kind: 'partial',
      messageId: 'm',
      failedRecipients: ['14155550123'],
      detail: '1100',
    });
  });

  it.each([
    ['<Number>+12025550100</Number><ShortCode>47711</ShortCode>', ['12025550100', '47711']],
    ['<To><RFC2822Address>+12025550100/TYPE=PLMN</RFC2822Address></To>', ['12025550100']],
    ['+1 (202) 555-0100', ['12025550100']],
    ['<Recipient>12025550100</Recipient><Recipient>12025550100</Recipient>', ['12025550100']],
    ['not reached: +12025550100, 12025550101; a@b.example', ['12025550100', '12025550101', 'a@b.example']],
    ['1 of 2 failed', []],
    ['', []],
  ])('reads the recipients of Details as carriers write them: %s', (details, failedRecipients) => {
    const status = `<Status><StatusCode>1100</StatusCode><Details>${details}</Details></Status>`;
    expect(answer(soap(`<SubmitRsp>${status}</SubmitRsp>`))).toMatchObject({ kind: 'partial', failedRecipients });
  });

  it('is refused with the code of the carrier, in an answer or a fault, whatever the HTTP status', () => {
    expect(answer(withCode(2004))).toMatchObject({
      kind: 'refused',
      retry: 'never',
      concern: 'content',
      carrierCode: '2004',
    });
    const fault = mm7Http({ type: 'RSErrorRsp', transactionId: 't', status: mm7StatusOf(4006) }).body.toString();
    for (const httpStatus of [200, 500]) {
      expect(answer(fault, httpStatus)).toMatchObject({
        kind: 'refused',
        retry: 'later',
        carrierCode: '4006 Service unavailable',
      });
    }
  });

  it.each([
    ['an empty answer', '', 200, 'uncertain'],
    ['garbage', '<html>', 200, 'uncertain'],
    ['garbage with 500', '<html>', 500, 'uncertain'],
    ['a gateway that timed out', '', 504, 'uncertain'],
    ['a request that timed out', '', 408, 'uncertain'],
    ['another answer', soap('<CancelRsp><Status><StatusCode>1000</StatusCode></Status></CancelRsp>'), 200, 'uncertain'],
    ['a request for an answer', soap('<CancelReq><MessageID>m</MessageID></CancelReq>'), 200, 'uncertain'],
    ['a fault of the server', soap('<s:Fault><faultcode>s:Server</faultcode></s:Fault>'), 500, 'uncertain'],
    ['a fault of the client', soap('<s:Fault><faultcode>s:Client</faultcode></s:Fault>'), 500, 'never protocol'],
    ['401', '', 401, 'later credentials'],
    ['403', 'no', 403, 'later credentials'],
    ['a redirection', '', 302, 'later service'],
    ['400', '', 400, 'never protocol'],
    ['404', '', 404, 'later service'],
    ['413', '', 413, 'never content'],
    ['429', '', 429, 'later service'],
  ])('%s', (_, body, httpStatus, expected) => {
    const outcome = answer(body, httpStatus);
    expect(outcome.kind === 'refused' ? `${outcome.retry} ${outcome.concern}` : outcome.kind).toBe(expected);
  });
});
