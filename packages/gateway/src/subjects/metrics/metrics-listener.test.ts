/** The separate metrics listener: its answers, and the host names that it accepts. */
import { get } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownHosts } from '../../http/own-hosts.ts';
import { createMetricsListener } from './metrics-listener.ts';

const isOwn = ownHosts({ publicUrl: null, host: '127.0.0.1', allowed: [] });

async function statusOf(path: string, host: string, isOwnHost?: typeof isOwn): Promise<number | undefined> {
  const scrape = async () => ({ status: 200 as const, contentType: 'text/plain', body: 'helio_up 1\n' });
  const listener = createMetricsListener({ scrape, isOwnHost, failed: expect.fail });
  const port = await listener.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close());
  const name = host === 'own' ? `127.0.0.1:${port}` : host;
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host: name } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
}

describe('the listener of the metrics', () => {
  it.each(['own', 'localhost', 'localhost:9464', '[::1]:9464'])('answers under %s', async (host) => {
    expect(await statusOf('/metrics', host, isOwn)).toBe(200);
    expect(await statusOf('/', host, isOwn)).toBe(404);
  });

  it.each(['evil.example', 'evil.example:9464', '10.0.0.1'])(
    'does not answer a page that calls it "%s"',
    async (host) => {
      expect(await statusOf('/metrics', host, isOwn)).toBe(421);
    },
  );

  it('answers under any name where a token is required', async () => {
    expect(await statusOf('/metrics', 'metrics.internal')).toBe(200);
  });
});
