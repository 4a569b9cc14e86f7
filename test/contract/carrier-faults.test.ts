/** What happens to messages when a live carrier misbehaves: the whole gateway against an SMSC with injected faults. */
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { startGateway } from '../props/gateway.ts';
import { liveCaller } from '../props/live-records.ts';
import { answerOf } from '../props/sandbox.ts';
import { openScene, type SceneOptions } from '../props/scene.ts';

/** A gateway and a carrier for one test, stopped at its end. */
async function start(
  { onTestFinished }: TestContext,
  options: Partial<SceneOptions> = {},
  env: Record<string, string> = {},
) {
  const scene = await openScene({ window: 10, ...options });
  onTestFinished(() => scene.close());
  const gateway = await startGateway({ ...scene.gatewayOptions, env });
  onTestFinished(() => gateway.kill());
  const call = async (path: string, body?: object) =>
    answerOf(
      await fetch(`http://127.0.0.1:${gateway.port}${path}?apikey=${liveCaller.authToken}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  const text = async (to: string, more: object = {}): Promise<string> => {
    const answer = await call('/SendSMS', { from: liveCaller.from, to: [to], text: 'Hi', ...more });
    expect(answer.text).toContain('"status":"SUCCESS"');
    return answer.json.schema.resultResponses[0].messageId;
  };
  const until = async (messageId: string, states: string[]) => {
    const end = performance.now() + 100_000;
    for (;;) {
      const { json } = await call(`/api/v1/messages/${messageId}`);
      if (states.includes(json.data.state)) return json.data;
      if (performance.now() > end) throw new Error(`still ${json.data.state}, not ${states}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return { scene, gateway, text, until, call };
}

const states = (message: { events: { state: string }[] }) => message.events.map((event) => event.state);

/** Concurrent, because these tests mostly wait. */
describe.concurrent('a carrier that', () => {
  it('drops the connection without an answer makes the message uncertain, then sent again with dupRisk', async (test) => {
    const { scene, text, until } = await start(test, { behaviour: { dropEvery: 1 } });
    const messageId = await text('14155550101');
    expect(await until(messageId, ['uncertain'])).toMatchObject({ code: 'UNCERTAIN', dupRisk: false });
    scene.smsc.behaviour.dropEvery = 0;
    const message = await until(messageId, ['sent']);
    expect(message.dupRisk).toBe(true);
    expect(states(message).slice(0, 7)).toEqual([
      'accepted',
      'queued',
      'sending',
      'uncertain',
      'queued',
      'sending',
      'sent',
    ]);
    expect(scene.smsc.copies.get('14155550101')).toBe(2);
  });

  it('drops the connection under the policy hold leaves the message held and never sent twice', async (test) => {
    const { scene, text, until } = await start(test, { behaviour: { dropEvery: 1 }, uncertainPolicy: 'hold' });
    const messageId = await text('14155550101');
    expect(await until(messageId, ['held'])).toMatchObject({ dupRisk: false });
    expect(scene.smsc.copies.get('14155550101')).toBe(1);
  });

  it('takes a text and never answers gets it twice, and it does not expire', async (test) => {
    const { scene, text, until } = await start(test, { behaviour: { mute: true }, responseTimeoutMs: 1_000 });
    const messageId = await text('14155550101', { validityMinutes: 1 });
    const message = await until(messageId, ['unconfirmed', 'expired']);
    expect(message).toMatchObject({ state: 'unconfirmed', code: 'UNCERTAIN', dupRisk: true });
    expect(states(message).filter((state) => state === 'sending')).toHaveLength(2);
    expect(scene.smsc.copies.get('14155550101')).toBe(2);
  });

  it('answers none of ten gets only probes; waiting messages say so, and all go once it answers', async (test) => {
    const { scene, text, until, call } = await start(test, {
      behaviour: { mute: true, unansweredAccepted: false },
      responseTimeoutMs: 1_000,
    });
    const first = await Promise.all(Array.from({ length: 10 }, (_, i) => text(`1415555010${i}`)));
    for (const messageId of first) await until(messageId, ['uncertain']);
    const waits = await text('14155550111');
    // The time-outs closed the link; once it is back, the waiting message waits for the carrier's first answer.
    const reason = async () => (await call(`/api/v1/messages/${waits}`)).json.data.waiting;
    const why = { why: 'unanswered', carrier: { carrierId: 'smsc' } };
    await vi.waitFor(async () => expect(await reason()).toMatchObject(why), { timeout: 60_000 });
    // A probe or two at most, however slow this machine is.
    expect(scene.smsc.counts().submits).toBeLessThanOrEqual(12);
    scene.smsc.behaviour.mute = false;
    for (const messageId of [...first, waits]) await until(messageId, ['sent']);
    // Each of the ten sent once more, and the waiting message.
    expect(scene.smsc.counts().submits).toBeLessThanOrEqual(24);
  });

  it('throttles every other text gets all of them in the end, once each, without spending an attempt', async (test) => {
    const { scene, text, until } = await start(test, { behaviour: { throttleEvery: 2, responseDelayMs: 1 } });
    const numbers = Array.from(
      { length: 12 },
      (_, i) => `1415555010${i % 10}`.slice(0, 9) + String(i).padStart(2, '0'),
    );
    const ids = await Promise.all(numbers.map((to) => text(to)));
    for (const messageId of ids) expect(await until(messageId, ['sent'])).toMatchObject({ dupRisk: false });
    expect(numbers.every((to) => scene.smsc.copies.get(to) === 1)).toBe(true);
  });

  it('sends receipts before its answers still gets them matched', async (test) => {
    const { text, until } = await start(test, { behaviour: { receipts: 'before' } });
    expect(await until(await text('14155550101'), ['sent', 'delivered'])).toBeTruthy();
  });

  it('is down when the text is accepted gets it when it is back; an expired text says why', async (test) => {
    const { scene, text, until } = await start(test, { behaviour: { refuseBinds: true } });
    const waits = await text('14155550101');
    scene.smsc.behaviour.refuseBinds = false;
    expect(await until(waits, ['sent'])).toMatchObject({ dupRisk: false });
  });

  it('H-16 never answers does not hold up SIGTERM: bounded, exit 0, and the message is uncertain on disk', async (test) => {
    const { scene, gateway, text, until } = await start(test, { behaviour: { mute: true } });
    const messageId = await text('14155550101');
    await until(messageId, ['sending']);
    const began = performance.now();
    const exit = await gateway.stop(60_000);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(40_000);
    scene.smsc.behaviour.mute = false;
    const again = await startGateway(scene.gatewayOptions);
    test.onTestFinished(() => again.kill());
    const look = async () =>
      answerOf(
        await fetch(`http://127.0.0.1:${again.port}/api/v1/messages/${messageId}?apikey=${liveCaller.authToken}`, {
          headers: { authorization: `Bearer ${liveCaller.bearerToken}` },
        }),
      );
    expect(states((await look()).json.data)).toContain('uncertain');
  });
});

describe.concurrent('live and sandbox', () => {
  it('SEC-19 a live number the account does not have sends nothing', async (test) => {
    const { call, scene } = await start(test);
    const answer = await call('/SendSMS', { from: '12025550143', to: ['14155550101'], text: 'Hi' });
    expect(answer).toMatchObject({ status: 400, json: { reason: 'SENDER_NOT_FOUND' } });
    expect(scene.smsc.accepted).toEqual([]);
  });

  it('a live pair does not see the sandbox, and its numbers are not found', async (test) => {
    const { call } = await start(test, {}, { HELIO_SANDBOX: '1', HELIO_SMPP_PORT: '0' });
    const answer = await call('/SendSMS', { from: '12025550199', to: ['14155550101'], text: 'Hi' });
    expect(answer).toMatchObject({ status: 400, json: { reason: 'SENDER_NOT_FOUND' } });
    expect(await call('/api/v1/sandbox/handsets')).toMatchObject({ status: 404 });
  });
});
