/** Consent as its users meet it: a handset says STOP, HELP and START to a running gateway. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;

beforeAll(async () => {
  gateway = await startSandbox();
});
afterAll(() => gateway.stop());

const handset = '12025550108';

/** Texts on a handset, once there are `count`. */
async function texts(number: string, count: number): Promise<string[]> {
  for (let tries = 0; tries < 200; tries++) {
    const { json } = await gateway.get(`/api/v1/sandbox/handsets/${number}/messages`);
    if (json.data.length >= count) return json.data.map((message: { text: string }) => message.text);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${number} has fewer than ${count} texts`);
}

async function reply(text: string): Promise<void> {
  const answer = await gateway.post(`/api/v1/sandbox/handsets/${handset}/reply`, { text });
  expect(answer.status).toBe(200);
}

async function statusOf(to: string): Promise<string> {
  const { json } = await gateway.send({ from: gateway.from, to: [to], text: 'Hi' });
  return json.schema.resultResponses[0].status;
}

describe('consent', () => {
  it('SEC-64: STOP is confirmed once and the next text refused; HELP is answered; START opts the person in again', async () => {
    await gateway.until(await gateway.text(handset, 'Sale today'), ['delivered']);
    await reply(' Stop!! ');
    expect((await texts(handset, 2))[1]).toBe(
      'Sandbox Company: you are unsubscribed and will get no more messages. Reply START to rejoin.',
    );
    expect(await statusOf(handset)).toBe('OPTED_OUT');
    expect(await statusOf('12025550107')).toBe('SUCCESS');
    await reply('unsubscribe');
    await reply('help');
    expect((await texts(handset, 3))[2]).toMatch(/^Sandbox Company: for help contact support@sandbox\.example\. /);
    await reply('start');
    expect((await texts(handset, 4))[3]).toMatch(/^Sandbox Company: you are subscribed\. /);
    expect(await statusOf(handset)).toBe('SUCCESS');
  });

  it('12025550119 answers STOP: the next text to it is OPTED_OUT', async () => {
    await gateway.text('12025550119', 'Hi');
    await texts('12025550119', 2);
    expect(await statusOf('12025550119')).toBe('OPTED_OUT');
  });
});
