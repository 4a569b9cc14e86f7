/** The recording message centre, over the wire with a client: its counts, and its misbehaviour. */
import { createClient, type Outcome } from '@heliograph/smpp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../../test/props/clock.ts';
import { type Recorder, startRecorder } from './recorder.ts';

let recorder: Recorder;
let arrived: string[];
let client: ReturnType<typeof createClient>;
let bound: number;

beforeEach(async () => {
  arrived = [];
  bound = 0;
  recorder = await startRecorder((to, text) => arrived.push(`${to} ${text}`));
  client = createClient(
    {
      ...{ host: '127.0.0.1', port: recorder.port, bind: 'transceiver', system_id: 'any', password: 'any' },
      ...{ window: 10, reconnect: { startMs: 10 } },
    },
    { onBound: () => void bound++ },
  );
  client.start();
  await until(() => bound === 1);
});

afterEach(async () => {
  await client.stop();
  await recorder.stop();
});

function submit(destination_addr: string): Promise<Outcome> {
  const short_message = Buffer.from('Hi');
  return new Promise((resolve) => client.request('submit_sm', { destination_addr, short_message }, resolve));
}

it('counts each copy by its destination', async () => {
  const outcomes = [await submit('491'), await submit('492'), await submit('491')];
  expect(outcomes.map(({ kind }) => kind)).toEqual(['response', 'response', 'response']);
  expect([...recorder.copies]).toEqual([
    ['491', 2],
    ['492', 1],
  ]);
  expect(arrived).toEqual(['491 Hi', '492 Hi', '491 Hi']);
  expect(recorder.taken()).toBe(3);
});

it('drops the line at every Nth message, of which it has taken the first and not the second', async () => {
  recorder.behaviour.dropEvery = 1;
  for (const [to, binds] of [
    ['491', 2],
    ['492', 3],
  ] as const) {
    expect(await submit(to)).toMatchObject({ kind: 'uncertain' });
    await until(() => bound === binds);
  }
  recorder.behaviour.dropEvery = 0;
  expect(await submit('493')).toMatchObject({ kind: 'response' });
  expect([...recorder.copies.keys()]).toEqual(['491', '493']);
});

it('reads messages and answers none while it is silent, until the lines are dropped', async () => {
  recorder.behaviour.silent = true;
  const open = [submit('491'), submit('492')];
  await until(() => recorder.taken() === 1);
  recorder.behaviour.silent = false;
  recorder.dropSessions();
  expect(await Promise.all(open)).toEqual([
    { kind: 'uncertain', detail: expect.any(String) },
    { kind: 'uncertain', detail: expect.any(String) },
  ]);
  expect([...recorder.copies.keys()]).toEqual(['491']);
});
