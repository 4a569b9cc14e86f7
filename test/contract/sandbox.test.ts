/** The sandbox as its users meet it: handsets, replies, and every test number that concerns SMS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;

beforeAll(async () => {
  gateway = await startSandbox();
});
afterAll(() => gateway.stop());

const messages = (number: string, query = '') => gateway.get(`/api/v1/sandbox/handsets/${number}/messages${query}`);

/** Texts received from a peer, newest first. */
async function replies(from: string) {
  const answer = await gateway.get(`/api/v1/messages?direction=inbound&from=${from}`);
  return answer.json.data as { text: string; state: string; to: string }[];
}

async function untilReply(from: string, count = 1) {
  for (let tries = 0; tries < 100; tries++) {
    const found = await replies(from);
    if (found.length >= count) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no reply from ${from}`);
}

describe('handsets', () => {
  it('show a text as it was sent; the next one answers a waiting call', async () => {
    const waiting = messages('12025550105', '?wait=10');
    await gateway.text('12025550105', 'Hello from my gateway');
    const { json } = await waiting;
    expect(json.data).toMatchObject([{ from: gateway.from, text: 'Hello from my gateway', parts: 1 }]);
    const after = await messages('12025550105', `?after=${json.data[0].id}`);
    expect(after.json.data).toEqual([]);
  });

  it.each([
    ['GSM-7 in three parts', 'Länge€ '.repeat(45), 3],
    ['UCS-2 in two parts with emoji', '👨‍👩‍👧‍👦 Привет 🎉 '.repeat(4), 2],
  ])('put long texts together: %s', async (_name, text, parts) => {
    const messageId = await gateway.text('12025550106', text);
    const message = await gateway.until(messageId, ['delivered']);
    expect(message).toMatchObject({ segments: parts });
    expect(message.parts).toHaveLength(parts);
    const { json } = await messages('12025550106');
    expect(json.data.at(-1)).toMatchObject({ text, parts });
  });

  it('answer: the reply is stored as received', async () => {
    await gateway.until(await gateway.text('12025550107', 'ping'), ['delivered']);
    const reply = await gateway.post('/api/v1/sandbox/handsets/12025550107/reply', { text: 'pong ’ 🎉' });
    expect(reply.status).toBe(200);
    expect(await untilReply('12025550107')).toMatchObject([{ text: 'pong ’ 🎉', state: 'received', to: gateway.from }]);
  });

  it.each([
    ['no sender yet', '12025550109', { text: 'x' }],
    ['empty text', '12025550107', { text: '' }],
    ['no text', '12025550107', {}],
    ['malformed number', 'abc', { text: 'x' }],
  ])('refuse a reply clearly: %s', async (_name, number, body) => {
    const answer = await gateway.post(`/api/v1/sandbox/handsets/${number}/reply`, body);
    expect(answer).toMatchObject({ status: 400, json: { success: false } });
    expect(answer.json.detail).toMatch(/\S/);
  });
});

describe('test numbers', () => {
  it.each([
    ['12025550100', 'delivered', 'DELIVERED'],
    ['12025550111', 'undelivered', 'UNREACHABLE'],
    ['12025550113', 'failed', 'CARRIER_REJECTED'],
    ['12025550114', 'undelivered', 'CARRIER_FILTERED'],
    ['12025550117', 'delivered', 'DELIVERED'],
    ['12025550120', 'undelivered', 'NOT_MOBILE'],
    ['12025550121', 'delivered', 'DELIVERED'],
    ['12025550122', 'delivered', 'DELIVERED'],
    ['12025550123', 'undelivered', 'CAMPAIGN_LIMIT'],
    ['12025550125', 'delivered', 'DELIVERED'],
    ['13015550177', 'delivered', 'DELIVERED'],
  ])('%s ends %s with %s', async (number, state, code) => {
    const message = await gateway.until(await gateway.text(number, 'Hi'), ['delivered', 'undelivered', 'failed']);
    expect(message).toMatchObject({ state, code });
    expect(message.carrierCode).toMatch(/\S/);
    const states = message.events.map((event: { state: string }) => event.state);
    const way = state === 'failed' ? ['failed'] : ['sent', state];
    expect(states).toEqual(['accepted', 'queued', 'sending', ...way]);
  });

  it('12025550116 is throttled twice, then delivered', async () => {
    const message = await gateway.until(await gateway.text('12025550116', 'Hi'), ['delivered']);
    const states = message.events.map((event: { state: string }) => event.state);
    expect(states.filter((state: string) => state === 'sending')).toHaveLength(3);
    expect(message.dupRisk).toBe(false);
  });

  it.each(['12025550110', '12025550112', '12025550115'])('%s stays sent for a while', async (number) => {
    expect(await gateway.until(await gateway.text(number, 'Hi'), ['sent'])).toMatchObject({ state: 'sent' });
  });

  it('12025550118 answers YES', async () => {
    await gateway.text('12025550118', 'ok?');
    expect(await untilReply('12025550118')).toMatchObject([{ text: 'YES' }]);
  });

  it('12025550124 answers with an emoji text in three parts, which arrives whole', async () => {
    await gateway.text('12025550124', 'party?');
    const [reply] = await untilReply('12025550124');
    expect(reply!.text).toMatch(/^(🎉 Hooray! ?)+$/u);
    expect(reply!.text.length).toBeGreaterThan(134);
  });
});
