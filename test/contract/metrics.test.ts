/** Metrics of a real gateway: the figures of a scrape agree with what was sent, refused, received and posted. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { phoneJpeg } from '../../packages/gateway/src/media/media-fixture.ts';
import { allMetrics } from '../props/all-metrics.ts';
import { type Exposition, readExposition } from '../props/exposition.ts';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

const token = 'a-token-of-some-length';
const folder = mkdtempSync(join(tmpdir(), 'helio-metrics-'));
const tokenFile = join(folder, 'token');
let sandbox: SandboxGateway;
let port: number;

beforeAll(async () => {
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  port = await freePort();
  sandbox = await startSandbox({ env: { HELIO_METRICS_PORT: String(port), HELIO_METRICS_TOKEN_FILE: tokenFile } });
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (authorization?: string, path = '/metrics', method = 'GET') =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers: authorization === undefined ? {} : { authorization } });

async function scrape(): Promise<Exposition> {
  const answer = await ask(`Bearer ${token}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readExposition(await answer.text());
}

/** Scrapes until the metric has the value, because some events are counted a moment later. */
async function until(name: string, labels: Record<string, string>, value: number): Promise<Exposition> {
  await expect.poll(async () => (await scrape()).value(name, labels)).toBe(value);
  return scrape();
}

describe('a scrape', () => {
  it('agrees with what was sent, failed and refused', async () => {
    const { from } = sandbox;
    const before = await scrape();
    expect(before.value('helio_accepted_total')).toBe(0);

    const sent = [];
    for (let i = 0; i < 5; i++) sent.push(await sandbox.text(`1202555010${i}`, `Text ${i}`));
    const undelivered = await sandbox.text('12025550111', 'Not there');
    const rejected = await sandbox.text('12025550113', 'Refused');
    const mixed = await sandbox.send({ from, to: ['12025550105', '12', '12025550105'], text: 'One of three' });
    expect(mixed.status).toBe(200);
    const nobody = await sandbox.send({ from, to: ['12', '13'], text: 'None of two' });
    expect(nobody.status).toBe(200);
    const dryRun = await sandbox.send(
      { from, to: ['12025550105', '12'], text: 'Only asked' },
      { query: { dryRun: 'true' } },
    );
    expect(dryRun.headers.get('x-dry-run')).toBe('1');
    expect((await sandbox.send({ from: '12025550197', to: ['12025550105'], text: 'x' })).json.reason).toBe(
      'CAMPAIGN_REQUIRED',
    );
    expect((await sandbox.send({ from, to: [], text: 'x' })).json.reason).toBe('EMPTY_RECIPIENTS');
    const wrong = { bearerToken: sandbox.credentials.bearerToken, authToken: 'at_sbx_nobody' };
    expect((await sandbox.send({ from, to: ['12025550105'], text: 'x' }, { credentials: wrong })).json.reason).toBe(
      'NOT_AUTHORIZED',
    );

    for (const messageId of sent) await sandbox.until(messageId, ['delivered']);
    await sandbox.until(mixed.json.schema.resultResponses[0].messageId, ['delivered']);
    await sandbox.until(undelivered, ['undelivered']);
    await sandbox.until(rejected, ['failed']);

    const after = await scrape();
    expect(after.value('helio_accepted_total', { kind: 'SMS' })).toBe(8);
    expect(after.value('helio_accepted_total', { kind: 'MMS' })).toBe(0);
    expect(after.value('helio_recipients_refused_total', { status: 'INVALID_NUMBER' })).toBe(3);
    expect(after.value('helio_recipients_refused_total', { status: 'DUPLICATE_RECIPIENT' })).toBe(1);
    expect(after.value('helio_recipients_refused_total')).toBe(4);
    expect(after.value('helio_refused_total')).toBe(3);
    for (const reason of ['CAMPAIGN_REQUIRED', 'EMPTY_RECIPIENTS', 'NOT_AUTHORIZED']) {
      expect(after.value('helio_refused_total', { reason }), reason).toBe(1);
    }
    expect(after.value('helio_http_requests_total', { route: 'send', status: '2xx' })).toBe(10);
    expect(after.value('helio_http_requests_total', { route: 'send', status: '4xx' })).toBe(3);
    expect(after.value('helio_http_request_duration_seconds_count', { route: 'send' })).toBe(13);
    expect(after.value('helio_submit_total', { result: 'accepted' })).toBe(7);
    expect(after.value('helio_submit_total', { result: 'refused' })).toBe(1);
    expect(after.value('helio_submit_total')).toBe(8);
    expect(after.value('helio_submit_rtt_seconds_count')).toBe(8);
    expect(after.value('helio_failed_total')).toBe(1);
    expect(after.value('helio_accepted_to_sent_seconds_count')).toBe(7);
    expect(after.value('helio_accepted_to_delivered_seconds_count')).toBe(6);
    expect(after.value('helio_receipts_total', { state: 'delivered' })).toBe(6);
    expect(after.value('helio_receipts_total', { state: 'undelivered' })).toBe(1);
    expect(after.value('helio_receipts_unmatched_total')).toBe(0);
    expect(after.value('helio_accept_commit_seconds_count')).toBeGreaterThan(0);
    expect(after.value('helio_commit_batch_size_sum')).toBeGreaterThan(16);
    expect(after.value('helio_carrier_up')).toBeGreaterThan(0);
    expect(after.value('helio_store_up')).toBe(1);
    expect(after.value('helio_node_acting')).toBe(1);
    expect(after.value('helio_build_info', { engine: 'sqlite' })).toBe(1);
    expect(after.value('helio_store_oldest_snapshot_seconds')).toBeUndefined();
  });

  it('counts replies, opt-outs and throttled tries', async () => {
    await sandbox.text('12025550118', 'Yes?');
    await sandbox.text('12025550119', 'Stop?');
    await until('helio_inbound_total', { kind: 'SMS' }, 2);
    await until('helio_consent_changes_total', { change: 'out' }, 1);
    expect((await sandbox.send({ from: sandbox.from, to: ['12025550119'], text: 'x' })).status).toBe(200);
    const optedOut = await scrape();
    expect(optedOut.value('helio_recipients_refused_total', { status: 'OPTED_OUT' })).toBe(1);
    await sandbox.until(await sandbox.text('12025550116', 'Slowly'), ['delivered']);
    await until('helio_submit_total', { result: 'throttled' }, 2);
  });

  it('counts an MMS: its media, its carrier and its receipt', async () => {
    const picture = await phoneJpeg(64, 48);
    const origin = createServer((_, response) => response.end(picture));
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
    const { port: at } = origin.address() as AddressInfo;
    const mediaUrls = [`http://127.0.0.1:${at}/picture.jpg`];
    const sent = await sandbox.send({ from: sandbox.from, to: ['12025550101'], text: 'Look', mediaUrls });
    await sandbox.until(sent.json.schema.resultResponses[0].messageId, ['delivered']);
    origin.close();
    const found = await scrape();
    expect(found.value('helio_accepted_total', { kind: 'MMS' })).toBe(1);
    expect(found.value('helio_media_fetch_seconds_count')).toBe(1);
    expect(found.value('helio_media_jobs_total', { result: 'queued' })).toBe(1);
    expect(found.value('helio_media_jobs')).toBe(0);
    expect(found.value('helio_submit_total', { carrier: 'sim-mm7', result: 'accepted' })).toBe(1);
    expect(found.value('helio_receipts_total', { carrier: 'sim-mm7', state: 'delivered' })).toBe(1);
  });

  it('shows webhooks: attempts that arrived and attempts that did not', async () => {
    const before = (await scrape()).value('helio_webhook_attempts_total', { result: 'no_answer' });
    expect(before).toBe(0);
    const dead = await sandbox.post('/api/v1/endpoints', {
      name: 'Dead',
      url: `http://127.0.0.1:${await freePort()}/`,
    });
    expect(dead.status).toBe(200);
    await sandbox.until(await sandbox.text('12025550100', 'Tell me'), ['delivered']);
    await expect
      .poll(async () => (await scrape()).value('helio_webhook_attempts_total', { result: 'no_answer' }))
      .toBeGreaterThan(0);
    await expect.poll(async () => (await scrape()).value('helio_webhook_backlog')).toBeGreaterThan(0);
    expect((await scrape()).value('helio_webhook_oldest_seconds')).toBeGreaterThan(0);
    expect((await scrape()).value('helio_webhook_attempts_total', { result: 'delivered' })).toBeGreaterThan(0);
  });

  it('has the metrics that are documented, with labels from closed lists', async () => {
    const { families } = await scrape();
    const described = allMetrics();
    expect([...families.keys()]).toEqual(described.map(({ name }) => name));
    /** Labels whose values come from the records or from the running process. */
    const open: Record<string, RegExp> = {
      carrier: /^sim-(carrier|mm7|mm4)$/,
      bind: /^[1-9]$/,
      version: /^\d+\.\d+\.\d+/,
      node: /^\d+\.\d+\.\d+$/,
    };
    for (const { name, type, labels } of described) {
      const names = [...Object.keys(labels), ...(type === 'histogram' ? ['le'] : [])];
      for (const sample of families.get(name)!.samples) {
        for (const [label, value] of Object.entries(sample.labels)) {
          expect(names, `${name} ${label}`).toContain(label);
          if (label === 'le') expect(value).toMatch(/^(\d+(\.\d+)?|\+Inf)$/);
          else if (labels[label] === null) expect(value, `${name} ${label}`).toMatch(open[label]!);
          else expect(labels[label], `${name} ${label}`).toContain(value);
        }
      }
    }
  });

  it('needs the token, and answers nothing else', async () => {
    for (const garbage of [undefined, '', token, `Bearer ${token}x`, `bearer ${token}`, 'Bearer', 'Basic eDp5']) {
      const answer = await ask(garbage);
      expect(answer.status, garbage).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.text()).not.toContain('helio_');
    }
    expect((await ask(`Bearer ${token}`, '/SendSMS')).status).toBe(404);
    expect((await ask(`Bearer ${token}`, '/metrics', 'POST')).status).toBe(405);
    expect((await ask(`Bearer ${token}`, '/metrics?name[]=x')).status).toBe(200);
    expect((await sandbox.get('/metrics')).status).toBe(404);
  });
});
