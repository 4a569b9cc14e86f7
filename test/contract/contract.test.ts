/**
 * The contract of Messaging API 1.0.0, sentence by sentence, against the whole running gateway. Each test's name quotes
 * the clause that it checks; no test may be weakened.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;
const to = '12025550100';

beforeAll(async () => {
  gateway = await startSandbox();
});
afterAll(() => gateway.stop());

const send = (more: object = {}) => gateway.send({ from: gateway.from, to: [to], text: 'Hi', ...more });

describe('contract §1 what the service does', () => {
  it('sends one message to one or more numbers in a single request', async () => {
    const answer = await send({ to: [to, '12025550101', '12025550102'] });
    expect(answer.json.schema.resultResponses).toHaveLength(3);
    for (const { messageId } of answer.json.schema.resultResponses) {
      expect((await gateway.until(messageId, ['delivered'])).state).toBe('delivered');
    }
  });

  it('a message with only text is an SMS', async () => {
    expect((await send()).json.schema.messageType).toBe('SMS');
  });

  it('a message that carries mediaUrls is an MMS', async () => {
    expect((await send({ mediaUrls: ['https://example.com/a.jpg'] })).json.schema.messageType).toBe('MMS');
  });

  it('the outcome is reported per recipient, and one bad number does not fail the batch', async () => {
    const answer = await send({ to: [to, 'nonsense', '12025550101'] });
    expect(answer.status).toBe(200);
    expect(answer.json.schema.resultResponses.map((entry: { status: string }) => entry.status)).toEqual([
      'SUCCESS',
      'INVALID_NUMBER',
      'SUCCESS',
    ]);
  });

  it('the caller may supply its own id, and it is echoed back', async () => {
    expect((await send({ referenceId: 'order-77' })).json.schema.referenceId).toBe('order-77');
  });

  it('prerequisite 1: the sending number is SMS-enabled', async () => {
    expect((await send({ from: '12025550198' })).json.reason).toBe('SENDER_NOT_ENABLED');
  });

  it('prerequisite 2 (SEC-65): the sending number is covered by a registered 10DLC campaign', async () => {
    expect((await send({ from: '12025550197' })).json.reason).toBe('CAMPAIGN_REQUIRED');
    expect((await send({ from: '12025550196' })).json.reason).toBe('CAMPAIGN_NOT_ACTIVE');
  });
});

describe('contract §2.1 the request', () => {
  it.each(['from', 'to', 'text'])('%s is required', async (field) => {
    const answer = await send({ [field]: undefined });
    expect(answer).toMatchObject({ status: 400, json: { success: false, reason: 'MISSING_FIELD' } });
    expect(answer.json.detail).toContain(field);
  });

  it.each([
    ['from', 12025550199],
    ['to', to],
    ['to', [12025550100]],
    ['text', 5],
    ['mediaUrls', 'https://example.com/a.jpg'],
    ['mediaUrls', [5]],
  ])('%s of another type is refused', async (field, value) => {
    const answer = await send({ [field]: value });
    expect(answer).toMatchObject({ status: 400, json: { success: false } });
    expect(answer.json.reason).toMatch(/^INVALID_/);
  });

  it.each(['+12025550199', '0025550199', '1 202 555 0199', 'HELIO!'])('from %s is not E.164 digits', async (from) => {
    expect(await send({ from })).toMatchObject({ status: 400, json: { reason: 'INVALID_SENDER' } });
  });

  it('from a name that the account does not have is refused as from such a number', async () => {
    expect(await send({ from: 'HELIO' })).toMatchObject({ status: 400, json: { reason: 'SENDER_NOT_FOUND' } });
  });

  it.each(['+12025550100', '02025550100', '1-202-555-0100', '', 'abc'])(
    'to %j in any other format is not delivered',
    async (number) => {
      const answer = await send({ to: [number] });
      expect(answer).toMatchObject({ status: 200, json: { success: true } });
      expect(answer.json.schema.resultResponses).toMatchObject([{ to: number, status: 'INVALID_NUMBER' }]);
    },
  );

  it('mediaUrls and referenceId may be left out', async () => {
    expect((await send()).status).toBe(200);
  });
});

describe('contract §2.2–2.4 the answer', () => {
  it('has success, reason, detail and schema with its fields, in this order', async () => {
    const { json } = await send({ referenceId: 'r' });
    expect(Object.keys(json)).toEqual(['success', 'reason', 'detail', 'schema']);
    expect(Object.keys(json.schema).slice(0, 4)).toEqual(['referenceId', 'from', 'text', 'resultResponses']);
    expect(Object.keys(json.schema.resultResponses[0]).slice(0, 2)).toEqual(['to', 'status']);
    expect(json).toMatchObject({ success: true, reason: 'SUCCESS', schema: { from: gateway.from, text: 'Hi' } });
    expect(json.detail).toMatch(/\S/);
  });

  it('repeats the text byte for byte', async () => {
    const text = 'ünï ’ 🎉 e\u0301 \u202eabc\t\r\n end ';
    expect((await send({ text })).json.schema.text).toBe(text);
  });

  it('a request without referenceId gets one that tracks the message', async () => {
    const { json } = await send();
    expect(json.schema.referenceId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { messageId } = json.schema.resultResponses[0];
    const look = await gateway.get(`/api/v1/messages/${messageId}`);
    expect(look.json.data.referenceId).toBe(json.schema.referenceId);
  });
});

describe('contract §4.1 the operation', () => {
  it('rule 1: an accepted request answers 200 with success true and reason SUCCESS', async () => {
    expect(await send()).toMatchObject({ status: 200, json: { success: true, reason: 'SUCCESS' } });
  });

  it('rule 2: resultResponses holds one entry for each recipient, in order, duplicates included', async () => {
    const numbers = [to, to, '12025550101', 'x', to];
    const answer = await send({ to: numbers });
    expect(answer.json.schema.resultResponses.map((entry: { to: string }) => entry.to)).toEqual(numbers);
    expect(answer.json.schema.resultResponses[1].status).toBe('DUPLICATE_RECIPIENT');
  });

  it('rule 3: with mediaUrls the message is an MMS', async () => {
    const { json } = await send({ mediaUrls: ['https://example.com/a.jpg'] });
    expect(json.schema).toMatchObject({ messageType: 'MMS', resultResponses: [{ status: 'SUCCESS' }] });
    expect((await send({ mediaUrls: [] })).json.schema.messageType).toBe('SMS');
  });

  it('rule 4: the referenceId sent is the one answered, byte for byte', async () => {
    for (const referenceId of ['x', 'order 77/é', 'a'.repeat(128)]) {
      expect((await send({ referenceId })).json.schema.referenceId).toBe(referenceId);
    }
    expect(await send({ referenceId: 'a'.repeat(129) })).toMatchObject({
      status: 400,
      json: { reason: 'INVALID_REFERENCE_ID' },
    });
  });

  it('rule 5: bad input parameters are answered with 400', async () => {
    for (const body of ['', '{', '[]', 'null', '5', '{"from":}']) {
      expect(await gateway.send(body)).toMatchObject({ status: 400, json: { success: false } });
    }
  });

  it('the media type is application/json both ways', async () => {
    expect((await send()).headers.get('content-type')).toMatch(/^application\/json/);
    const answer = await gateway.send('from=1', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    expect(answer).toMatchObject({ status: 400, json: { reason: 'UNSUPPORTED_CONTENT_TYPE' } });
  });
});

describe('contract §5 authentication', () => {
  const body = () => JSON.stringify({ from: gateway.from, to: [to], text: 'Hi' });
  const raw = async (path: string, headers: Record<string, string>) =>
    answerOf(
      await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: body(),
      }),
    );

  it('rule 1: a call that lacks either credential is rejected', async () => {
    const { bearerToken, authToken } = gateway.credentials;
    const answers = await Promise.all([
      raw('/SendSMS', { authorization: `Bearer ${bearerToken}` }),
      raw(`/SendSMS?apikey=${authToken}`, {}),
      raw('/SendSMS', {}),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, json: { success: false, reason: 'NOT_AUTHORIZED' } });
    }
  });

  it('rule 2: credentials the gateway will not take are a 400 with NOT_AUTHORIZED', async () => {
    const { bearerToken, authToken } = gateway.credentials;
    for (const credentials of [
      { bearerToken: 'wrong', authToken },
      { bearerToken, authToken: 'wrong' },
      { bearerToken: authToken, authToken: bearerToken },
    ]) {
      const answer = await gateway.send(JSON.parse(body()), { credentials });
      expect(answer.status).toBe(400);
      expect(answer.text).toBe(
        '{"success":false,"reason":"NOT_AUTHORIZED","detail":"The credentials were not accepted."}',
      );
    }
  });
});

describe('contract §7 errors', () => {
  it('rules 1 and 2: a rejected request carries success false in the same envelope', async () => {
    const { json } = await send({ from: '12025550180' });
    expect(json).toMatchObject({ success: false, reason: 'SENDER_NOT_FOUND' });
    expect(Object.keys(json)).toEqual(['success', 'reason', 'detail']);
  });

  it('rule 3: a failure of every single recipient is still a 200', async () => {
    expect(await send({ to: ['x', 'y'] })).toMatchObject({ status: 200, json: { success: true, reason: 'SUCCESS' } });
  });
});

describe('contract §9 versioning', () => {
  it('the path has no version segment and the answer names version 1.0.0', async () => {
    expect((await send()).headers.get('api-version')).toBe('1.0.0');
  });
});
