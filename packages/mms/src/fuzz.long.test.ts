/** The long forms of the damaged messages of hostile.test.ts. HELIO_LONG=full for the full counts. */
import { describe, expect, it } from 'vitest';
import { readMm4 } from './mm4-read.ts';
import { readMm7 } from './mm7-read.ts';
import { damaged, message, mm4Mail, mm7Http, seeded, submitReq } from './mms-fixture.ts';

const ROUNDS = process.env.HELIO_LONG === 'full' ? 2_000_000 : 100_000;

describe('fuzz', () => {
  it('no bytes make the reader of MM4 throw or go on for ever', () => {
    const random = seeded(4);
    const request = { transactionId: 't', messageId: 'm', ackRequest: true, replyTo: '', hidesSender: false, message };
    const { bytes } = mm4Mail({ type: 'MM4_forward.REQ', ...request });
    for (let i = 0; i < ROUNDS; i++) expect(readMm4(damaged(bytes, random)).kind).toMatch(/^(message|malformed)$/);
  });

  it('no bytes make the reader of MM7 throw or go on for ever', () => {
    const random = seeded(7);
    const { headers, body } = mm7Http(submitReq);
    for (let i = 0; i < ROUNDS; i++) {
      const read = readMm7({ contentType: headers['content-type'], body: damaged(body, random) });
      expect(read.kind).toMatch(/^(message|malformed)$/);
    }
  });
});
