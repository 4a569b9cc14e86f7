/** Our MM7, checked by an independent reader: xmllint, against the schemas in `mm7-schema/`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mm7Dialect, mm7Schemas } from './mm7-dialect.ts';
import { envelopeIn, hasXmllint, openSchemaCheck, type SchemaCheck } from './mm7-schema-fixture.ts';
import { mm7StatusOf } from './mm7-status.ts';
import type { Mm7Written } from './mm7-types.ts';
import { message, mm7Http, now, submitReq } from './mms-fixture.ts';
import { emptyMessage } from './mms-message.ts';

let check: SchemaCheck;
beforeAll(() => {
  check = openSchemaCheck();
});
afterAll(() => check.close());

const envelopeOf = (written: Mm7Written, schema: (typeof mm7Schemas)[number]): string =>
  envelopeIn(mm7Http(written, { dialect: mm7Dialect(schema) }).body);

const transactionId = 't';
const report = {
  transactionId,
  mmsRelayServerId: 'r',
  messageId: 'm',
  recipient: '14155550123',
  sender: '47711',
  statusText: 'x',
};
const everyOperation: Mm7Written[] = [
  submitReq,
  { ...submitReq, vaspId: '', vasId: '', timeStamp: null, message: { ...emptyMessage, to: ['14155550123'] } },
  {
    ...submitReq,
    linkedId: 'l',
    earliestDeliveryTime: 60,
    message: {
      ...message,
      cc: ['47711', 'a@b.example'],
      messageClass: 'Auto',
      priority: 'High',
      readReply: true,
      expiry: now,
    },
  },
  { type: 'SubmitRsp', transactionId, status: mm7StatusOf(1000), messageId: 'm' },
  {
    type: 'SubmitRsp',
    transactionId,
    status: { code: 1100, text: '', failedRecipients: ['14155550123'] },
    messageId: 'm',
  },
  {
    type: 'DeliverReq',
    transactionId,
    mmsRelayServerId: 'r',
    vaspId: 'v',
    vasId: 'a',
    linkedId: 'l',
    timeStamp: now,
    message,
  },
  { type: 'DeliverRsp', transactionId, status: mm7StatusOf(1000), serviceCode: 's' },
  { type: 'DeliveryReportReq', ...report, date: now, mmStatus: 'Retrieved' },
  { type: 'ReadReplyReq', ...report, timeStamp: now, readStatus: 'Read' },
  { type: 'CancelReq', transactionId, vaspId: 'v', vasId: 'a', messageId: 'm' },
  { type: 'DeliveryReportRsp', transactionId, status: mm7StatusOf(1000) },
  { type: 'ReadReplyRsp', transactionId, status: mm7StatusOf(1000) },
  { type: 'CancelRsp', transactionId, status: mm7StatusOf(2005) },
  { type: 'RSErrorRsp', transactionId, status: mm7StatusOf(4004) },
  { type: 'VASPErrorRsp', transactionId, status: mm7StatusOf(2007) },
];

describe.runIf(hasXmllint)('xmllint', () => {
  it.each(mm7Schemas)('accepts every operation in %s', (schema) => {
    expect(
      check.complaints(
        schema,
        everyOperation.map((written) => envelopeOf(written, schema)),
      ),
    ).toBe('');
  });

  it.each([
    [
      'an element out of order',
      (xml: string) => xml.replace(/(<ServiceCode>.*?<\/ServiceCode>)(.*)(<Subject>)/s, '$2$1$3'),
    ],
    [
      'another namespace',
      (xml: string) => xml.replace('SubmitReq xmlns="http://www.3gpp', 'SubmitReq xmlns="http://other'),
    ],
    ['a time that is none', (xml: string) => xml.replace(now.toISOString().slice(0, 10), 'today')],
    ['no transaction attribute', (xml: string) => xml.replace(' env:mustUnderstand="1"', '')],
  ])('would notice %s', (_, spoil) => {
    const xml = envelopeOf(submitReq, 'REL-6-MM7-1-4');
    expect(spoil(xml)).not.toBe(xml);
    expect(check.complaints('REL-6-MM7-1-4', [spoil(xml)])).toContain('fails to validate');
  });
});
