import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AcceptedSend, Caller } from '../../model/send.ts';
import { account, keyOf, newPair } from '../../model/world-fixture.ts';
import { renderAnswer } from './send-sms.ts';

const caller: Caller = { account, key: keyOf(newPair()) };
const exact: Caller = { account, key: keyOf(newPair(), { exactShape: true }) };

const accepted: AcceptedSend = {
  referenceId: 'order-7',
  from: '12025550199',
  text: 'Hello from my gateway',
  messageType: 'SMS',
  encoding: 'GSM-7',
  segments: 1,
  dryRun: false,
  results: [{ to: '12025550100', status: 'SUCCESS', messageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCA' }],
};
const mixed: AcceptedSend = {
  ...accepted,
  results: [...accepted.results, { to: 'x"y', status: 'INVALID_NUMBER', detail: 'No number.' }],
};
const shape = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shape)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, inner]) => [key, typeof inner === 'object' ? shape(inner) : '·'])
      : '·';

describe('the envelope of an accepted request', () => {
  it('has the contract’s keys first and in order, then the added ones', () => {
    expect(renderAnswer(accepted, caller)).toBe(
      '{"success":true,"reason":"SUCCESS","detail":"Accepted for 1 of 1 recipients.","schema":{"referenceId":"order-7",' +
        '"from":"12025550199","text":"Hello from my gateway","resultResponses":[{"to":"12025550100","status":"SUCCESS",' +
        '"messageId":"msg_01JD8Z6QF2X5T9V3B7N1KMHGCA"}],"messageType":"SMS","encoding":"GSM-7","segments":1}}',
    );
  });

  it('SEC-23 has exactly the contract’s keys in exact shape', () => {
    for (const dryRun of [false, true]) {
      expect(shape(JSON.parse(renderAnswer({ ...mixed, dryRun }, exact)))).toEqual([
        ['success', '·'],
        ['reason', '·'],
        ['detail', '·'],
        [
          'schema',
          [
            ['referenceId', '·'],
            ['from', '·'],
            ['text', '·'],
            [
              'resultResponses',
              [
                [
                  ['to', '·'],
                  ['status', '·'],
                ],
                [
                  ['to', '·'],
                  ['status', '·'],
                ],
              ],
            ],
          ],
        ],
      ]);
    }
  });

  it('SEC-23 has exactly the documented keys otherwise', () => {
    const { schema } = JSON.parse(renderAnswer({ ...mixed, dryRun: true }, caller));
    expect(Object.keys(schema)).toEqual([
      'referenceId',
      'from',
      'text',
      'resultResponses',
      'messageType',
      'encoding',
      'segments',
      'dryRun',
    ]);
    expect(schema.resultResponses.map(Object.keys)).toEqual([
      ['to', 'status', 'messageId'],
      ['to', 'status', 'detail'],
    ]);
    const mms = JSON.parse(renderAnswer({ ...accepted, messageType: 'MMS', encoding: null }, caller));
    expect(Object.keys(mms.schema).slice(4)).toEqual(['messageType']);
  });

  it('counts recipients in its sentence', () => {
    const detail = (send: AcceptedSend) => JSON.parse(renderAnswer(send, caller)).detail;
    expect(detail(mixed)).toBe('Accepted for 1 of 2 recipients.');
    expect(detail({ ...mixed, results: [mixed.results[1]!] })).toBe(
      'Accepted for 0 of 1 recipients. Nothing was sent or billed.',
    );
    expect(detail({ ...accepted, dryRun: true })).toBe(
      'Dry run: would be accepted for 1 of 1 recipients. Nothing was sent or billed.',
    );
  });

  it('echoes text, referenceId and recipients unit by unit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.string({ unit: 'binary', maxLength: 30 }),
        (text, referenceId, to) => {
          const { schema } = JSON.parse(
            renderAnswer({ ...accepted, text, referenceId, results: [{ to, status: 'INVALID_NUMBER' }] }, caller),
          );
          expect([schema.text, schema.referenceId, schema.resultResponses[0].to]).toEqual([text, referenceId, to]);
        },
      ),
    );
  });
});
