/** The request behind a message: word for word while it is stored, otherwise reconstructed and marked so. */
import { describe, expect, it } from 'vitest';
import type { ListedMessage } from '../../model/message-search.ts';
import { type RequestFacts, sentRequest } from './message-request.ts';

const acceptedAt = Date.UTC(2026, 10, 21, 12);

const text = {
  messageId: 'msg_1',
  requestId: 'req_1',
  referenceId: 'order-77',
  keyId: 'key_1',
  direction: 'outbound',
  from: '12025550199',
  to: '12025550100',
  text: 'Hi “you”',
  mediaUrls: [],
  messageType: 'SMS',
  encoding: 'UCS-2',
  segments: 1,
  state: 'delivered',
  code: null,
  carrier: 'c1',
  carrierCode: null,
  dupRisk: false,
  acceptedAt,
  updatedAt: acceptedAt,
} satisfies ListedMessage;

const message = (more: Partial<typeof text | MmsListed> = {}) => ({ ...text, ...more }) as ListedMessage;

type MmsListed = Extract<ListedMessage, { messageType: 'MMS' }>;

const rebuilt = (messages: ListedMessage[], more: Partial<RequestFacts> = {}) =>
  sentRequest({
    messages,
    refused: [],
    more: false,
    textGone: false,
    key: null,
    limits: { validityMinutesDefault: 240 },
    kept: { validForMs: 240 * 60_000, answer: null, answerKeptUntil: null },
    ...more,
  });
const bodyOf = (one: { body: string } | null): unknown => JSON.parse(one?.body ?? 'null');

describe('the request behind a message', () => {
  it('is put together from its messages, in the shape of the contract', () => {
    const { by, notes, request, response } = rebuilt([message(), message({ messageId: 'msg_2', to: '12025550101' })]);
    expect({ by, notes, kept: response?.kept }).toEqual({ by: 'api', notes: [], kept: false });
    expect(request?.body).toBe(
      '{"from":"12025550199","to":["12025550100","12025550101"],"text":"Hi “you”","referenceId":"order-77"}',
    );
    expect(bodyOf(response)).toEqual({
      success: true,
      reason: 'SUCCESS',
      detail: 'Accepted for 2 of 2 recipients.',
      schema: {
        referenceId: 'order-77',
        from: '12025550199',
        text: 'Hi “you”',
        resultResponses: [
          { to: '12025550100', status: 'SUCCESS', messageId: 'msg_1' },
          { to: '12025550101', status: 'SUCCESS', messageId: 'msg_2' },
        ],
        messageType: 'SMS',
        encoding: 'UCS-2',
        segments: 1,
      },
    });
  });

  it('has each refused recipient at its place', () => {
    const refused = [0, 2, 3].map((place) => ({
      place,
      to: `+${place}`,
      status: 'INVALID_NUMBER' as const,
      detail: 'Digits.',
    }));
    const { request, response } = rebuilt([message(), message({ messageId: 'msg_2', to: '12025550101' })], { refused });
    expect(bodyOf(request)).toMatchObject({ to: ['+0', '12025550100', '+2', '+3', '12025550101'] });
    expect(bodyOf(response)).toMatchObject({ detail: expect.stringContaining('2 of 5') });
    expect(response?.body).toContain('{"to":"+2","status":"INVALID_NUMBER","detail":"Digits."}');
  });

  it('is shown with every recipient, and answered byte for byte, while the answer is kept', () => {
    const answer = `{"success":true, "schema":{"resultResponses":[{"to":"12025550100","status":"SUCCESS"},{"to":"1","status":"INVALID_NUMBER"}]}}`;
    const kept = { validForMs: 30 * 60_000, answer, answerKeptUntil: acceptedAt };
    const { notes, request, response } = rebuilt([message()], { kept });
    expect(notes).toEqual([]);
    expect(bodyOf(request)).toMatchObject({ to: ['12025550100', '1'], validityMinutes: 30 });
    expect(response).toMatchObject({ kept: true, body: answer, keptUntil: '2026-11-21T12:00:00.000Z' });
    // An internal note of the gateway is not an answer.
    const own = rebuilt([message()], { kept: { ...kept, answer: '{"to":"12025550100","status":"SUCCESS"}' } });
    expect(own.response?.kept).toBe(false);
  });

  it('leaves out a reference that may be the gateway’s own, and says so', () => {
    const time = acceptedAt.toString(16).padStart(12, '0');
    const referenceId = `${time.slice(0, 8)}-${time.slice(8)}-7a51-9b57-3f0b6a1d2c44`;
    const { notes, request } = rebuilt([message({ referenceId })]);
    expect(notes).toContain('reference left out');
    expect(bodyOf(request)).not.toHaveProperty('referenceId');
    expect(rebuilt([message({ referenceId, acceptedAt: acceptedAt + 60_000 })]).notes).not.toContain(
      'reference left out',
    );
  });

  it('knows the exact shape of a key pair, media, and lists that are cut', () => {
    const one = rebuilt([message({ mediaUrls: ['https://a.example/b.png'], messageType: 'MMS' })], {
      key: { exactShape: true },
      more: true,
    });
    expect(bodyOf(one.request)).toMatchObject({ mediaUrls: ['https://a.example/b.png'] });
    expect(one.response?.body).not.toContain('messageId');
    expect(one.notes).toEqual(['cut']);
  });

  it.each([
    ['portal:usr_1', 'portal'],
    ['consent:out', 'gateway'],
    ['fallback:msg_1', 'gateway'],
    ['demo:traffic', 'gateway'],
  ])('tells what %s sent as by the %s', (keyId, by) => {
    const { request, ...rest } = rebuilt([message({ keyId })]);
    expect(rest.by).toBe(by);
    expect(request === null).toBe(by === 'gateway');
  });

  it('shows nothing of data deleted because of its age', () => {
    expect(rebuilt([message()], { textGone: true })).toMatchObject({ textGone: true, request: null, response: null });
  });
});
