import { describe, expect, it } from 'vitest';
import { flatMessage, type MessageFields, type MmsFields, type SmsFields } from './message-view.ts';

const head = {
  messageId: 'msg_1',
  referenceId: 'r',
  requestId: 'req_1',
  direction: 'outbound',
  from: '12025550199',
  to: '12025550100',
  text: 'Hi',
} as const;
const outcome = { code: null, carrier: 'a', carrierCode: null, dupRisk: false } as const;
const sms: SmsFields = { ...head, mediaUrls: [], messageType: 'SMS', encoding: 'UCS-2', segments: 2, ...outcome };
const mms: MmsFields = { ...head, mediaUrls: ['u'], messageType: 'MMS', ...outcome, subject: 's' };

describe('a message as API, webhooks and exports show it', () => {
  it('has the fields of both kinds, in one order', () => {
    const after = { ...outcome, state: 'sent' };
    const text = (fields: MessageFields) => JSON.stringify(flatMessage({ ...fields, state: 'sent' }));
    expect(text(sms)).toBe(
      JSON.stringify({ ...head, mediaUrls: [], messageType: 'SMS', encoding: 'UCS-2', segments: 2, ...after }),
    );
    expect(text(mms)).toBe(
      JSON.stringify({
        ...head,
        ...{ mediaUrls: ['u'], messageType: 'MMS', encoding: null, segments: 1 },
        ...{ ...outcome, subject: 's', state: 'sent' },
      }),
    );
  });
});
