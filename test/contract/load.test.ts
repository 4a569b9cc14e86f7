/** Idempotency, big batches and stopping, on the whole gateway under load. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;

beforeAll(async () => {
  gateway = await startSandbox({ records: { accounts: [] } });
});
afterAll(() => gateway.stop());

const body = (more: object = {}) => ({ from: gateway.from, to: ['12025550103'], text: 'Hi', ...more });

describe('idempotency', () => {
  it('H-17 eighty requests with one key make one message and get one answer', async () => {
    const headers = { 'idempotency-key': 'h17' };
    const answers = [];
    // Below the burst of the seeded pair, in two waves: concurrent requests, which wait for the first, and later
    // repeats.
    for (const count of [60, 20]) {
      answers.push(...(await Promise.all(Array.from({ length: count }, () => gateway.send(body(), { headers })))));
    }
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(79);
    const { messageId } = answers[0]!.json.schema.resultResponses[0];
    await gateway.until(messageId, ['delivered']);
    const handset = await gateway.get('/api/v1/sandbox/handsets/12025550103/messages');
    expect(handset.json.data).toHaveLength(1);
  });

  it('H-18 the same key with another body is refused, naming the first request', async () => {
    const headers = { 'idempotency-key': 'h18' };
    const first = await gateway.send(body(), { headers });
    const second = await gateway.send(body({ text: 'other' }), { headers });
    expect(second).toMatchObject({ status: 400, json: { reason: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(second.json.detail).toContain(first.headers.get('x-request-id'));
  });

  it('a rejected request and a dry run store nothing under the key', async () => {
    const headers = { 'idempotency-key': 'fresh' };
    await gateway.send(body({ from: '12025550198' }), { headers });
    const dry = await gateway.send(body(), { headers, query: { dryRun: 'true' } });
    expect(dry.json.schema).toMatchObject({ dryRun: true });
    expect(dry.json.schema.resultResponses[0]).toEqual({ to: '12025550103', status: 'SUCCESS' });
    const real = await gateway.send(body(), { headers });
    expect(real.json.success).toBe(true);
    expect(real.headers.get('idempotent-replayed')).toBeNull();
  });
});

describe('batches', () => {
  it('H-19 a thousand recipients with bad ones keep their order and one outcome each', async () => {
    const to = Array.from({ length: 1_000 }, (_, i) =>
      i % 10 === 3 ? `bad${i}` : `1301${555 + (i % 3)}${String(i).padStart(4, '0')}`,
    );
    const answer = await gateway.send(body({ to }));
    const results = answer.json.schema.resultResponses as { to: string; status: string; messageId?: string }[];
    expect(results.map((entry) => entry.to)).toEqual(to);
    expect(results.every((entry, i) => (entry.status === 'SUCCESS') === (i % 10 !== 3))).toBe(true);
    const last = results.findLast((entry) => entry.status === 'SUCCESS');
    expect(await gateway.until(last?.messageId ?? '', ['delivered'], 30_000)).toMatchObject({ state: 'delivered' });
    expect(await gateway.send(body({ to: [...to, '12025550100'] }))).toMatchObject({
      status: 400,
      json: { reason: 'TOO_MANY_RECIPIENTS' },
    });
  });
});

describe('stopping', () => {
  it('H-15 SIGTERM under load exits with 0, answers every request it read and leaves no message uncertain', async () => {
    const other = await startSandbox();
    const accepted: string[] = [];
    const faults: string[] = [];
    let stopping = false;
    const senders = Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 200; i++) {
        try {
          const answer = await other.send({ from: other.from, to: ['13015550111'], text: 'Hi' });
          if (answer.status === 200) accepted.push(answer.json.schema.resultResponses[0].messageId);
          else if (answer.status !== 429) faults.push(answer.text);
        } catch (error) {
          // Once the listener is closed, new connections are refused; before that none may fail.
          if (!stopping) faults.push(String(error));
          return;
        }
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 400));
    stopping = true;
    const exit = await other.gateway.stop();
    await Promise.all(senders);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(faults).toEqual([]);
    expect(accepted.length).toBeGreaterThan(10);
    expect(other.gateway.stderr()).not.toMatch(/uncertain/);
  });
});
