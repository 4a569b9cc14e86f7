/** The MM7 adapter's real requests and answers, validated by xmllint against the MM7 schemas. */
import { type Mm7Written, mm7Dialect, mm7Schemas, mm7StatusOf } from '@heliograph/mms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../../test/props/clock.ts';
import { envelopeIn, hasXmllint, openSchemaCheck, type SchemaCheck } from '../../../../mms/src/mm7-schema-fixture.ts';
import { mmsSubmission, recordingSink } from '../carrier-fixture.ts';
import { carrierRequest, deliverReq, mm7Bytes, openMm7 } from './mm7-fixture.ts';

let check: SchemaCheck;
beforeAll(() => {
  check = openSchemaCheck();
});
afterAll(() => check.close());

const report = {
  transactionId: 't',
  mmsRelayServerId: 'r',
  messageId: 'm',
  recipient: '12025550100',
  sender: '12025550199',
  statusText: '',
};
const operations: Mm7Written[] = [
  deliverReq('12025550100', '12025550199', 'hi', 't'),
  { type: 'DeliveryReportReq', ...report, date: new Date(0), mmStatus: 'Retrieved' },
  { type: 'ReadReplyReq', ...report, timeStamp: new Date(0), readStatus: 'Read' },
  { type: 'CancelReq', transactionId: 't', vaspId: '', vasId: '', messageId: 'm' },
];

describe.runIf(hasXmllint)('xmllint', () => {
  it.each(mm7Schemas)('takes what the adapter says in %s', async (schema) => {
    const dialect = mm7Dialect(schema);
    const profile = { schema, version: dialect.version, serviceCode: 'a&b', vaspId: '<v>' };
    const subject = await openMm7({ profile });
    const sink = recordingSink();
    subject.carrier.start(sink);
    await until(() => sink.links.length > 0);
    subject.carrier.submit([
      mmsSubmission(1, { messageId: 'msg_01HF7YAT0V0000000000000000', text: ']]><&' }),
      mmsSubmission(2, { from: '47711', text: '' }),
    ]);
    await until(() => subject.peer.submits.length === 2);
    const envelopes = subject.peer.submits.map(({ body }) => envelopeIn(body));
    for (const operation of operations) {
      const { body } = await subject.carrier.http!(carrierRequest(mm7Bytes(operation, { dialect })));
      envelopes.push(envelopeIn(Buffer.from(body)));
    }
    sink.storing = () => Promise.reject(new Error('disk full'));
    for (const request of [
      carrierRequest(mm7Bytes(operations[0]!, { dialect })),
      { ...carrierRequest(mm7Bytes(operations[0]!, { dialect })), headers: {} },
      carrierRequest({ headers: {}, body: Buffer.from('<a') }),
    ]) {
      envelopes.push(envelopeIn(Buffer.from((await subject.carrier.http!(request)).body)));
    }
    await subject.close();
    // An unreadable request has no dialect; it is answered in the newest one.
    const unread = envelopes.pop()!;
    expect(check.complaints(schema, envelopes)).toBe('');
    expect(check.complaints('REL-6-MM7-1-4', [unread])).toBe('');
    expect(envelopes).toHaveLength(8);
  });

  it('would notice an answer that is none', () => {
    const { body } = mm7Bytes({ type: 'DeliveryReportRsp', transactionId: 't', status: mm7StatusOf(1000) });
    expect(check.complaints('REL-6-MM7-1-4', [envelopeIn(body).replace('<StatusCode>', '<StatusCode>x')])).not.toBe('');
  });
});
