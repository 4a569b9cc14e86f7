/**
 * What happens to messages when the machine's clock jumps: the whole gateway, with a wall clock that the test moves.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { type Gateway, startGateway } from '../props/gateway.ts';
import { liveCaller } from '../props/live-records.ts';
import { answerOf } from '../props/sandbox.ts';
import { openScene } from '../props/scene.ts';

const day = 24 * 3_600_000;
const within = { timeout: 60_000, interval: 100 };
const plant = pathToFileURL(join(import.meta.dirname, '../props/plants/clock.ts')).href;

/** A gateway with one sent text and one that waits for a carrier that refuses every bind. */
async function waitingText({ onTestFinished }: TestContext) {
  const scene = await openScene({ window: 10 });
  onTestFinished(() => scene.close());
  const clockFile = join(scene.folder, 'clock');
  const jump = (ms: number) => writeFileSync(clockFile, String(ms));
  jump(0);
  const running: { gateway: Gateway | null } = { gateway: null };
  const start = async () => {
    const env = { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${plant}` };
    running.gateway = await startGateway({ ...scene.gatewayOptions, env, readyWithinMs: 90_000 });
  };
  onTestFinished(() => running.gateway?.kill());
  await start();
  const { port } = running.gateway!;
  const call = async (path: string, body?: object) =>
    answerOf(
      await fetch(`http://127.0.0.1:${port}${path}?apikey=${liveCaller.authToken}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  const text = async (to: string): Promise<string> => {
    const sent = await call('/SendSMS', { from: liveCaller.from, to: [to], text: 'Hi' });
    return sent.json.schema.resultResponses[0].messageId;
  };
  const stateOf = async (messageId: string) => (await call(`/api/v1/messages/${messageId}`)).json.data.state;
  const first = await text('14155550101');
  await vi.waitFor(async () => expect(await stateOf(first)).toBe('sent'), within);
  scene.smsc.behaviour.refuseBinds = true;
  scene.smsc.dropSessions();
  await vi.waitFor(async () => expect((await call('/readyz')).json.data.carriersDown).toEqual(['smsc']), within);
  const second = await text('14155550102');
  const state = () => stateOf(second);
  const ready = async () => (await call('/readyz')).json;
  return { scene, jump, start, stop: () => running.gateway!.stop(), state, ready, gateway: () => running.gateway! };
}

describe.concurrent('a clock that jumps', () => {
  it('a day forward expires nothing and is reported; the waiting text is sent when its carrier is back', async (test) => {
    const { scene, jump, state, ready, gateway } = await waitingText(test);
    jump(day);
    await vi.waitFor(async () => expect((await ready()).detail).toContain('jumped forward by 24 hours'), within);
    expect(gateway().stderr()).toContain('jumped forward by 24 hours');
    expect(await state()).toBe('queued');
    scene.smsc.behaviour.refuseBinds = false;
    await vi.waitFor(async () => expect(await state()).toBe('sent'), within);
    jump(0);
    await vi.waitFor(async () => expect((await ready()).data).not.toHaveProperty('clock'), within);
  });

  it('a day back before a start does not hold up the waiting text', async (test) => {
    const { scene, jump, start, stop, state, ready } = await waitingText(test);
    await stop();
    jump(-day);
    scene.smsc.behaviour.refuseBinds = false;
    await start();
    expect((await ready()).detail).toContain('24 hours behind');
    await vi.waitFor(async () => expect(await state()).toBe('sent'), within);
  });
});
