/** The settings of the metrics, and the port that serves them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeFailure } from '../cli/failure.ts';
import { silentLogger } from '../kernel/logger.ts';
import { readConfig } from './config.ts';
import { type Gateway, startGateway } from './main.ts';
import { MetricsRefused, openMetrics } from './telemetry.ts';

const folder = mkdtempSync(join(tmpdir(), 'helio-metrics-'));
const token = 'sixteen-or-more!';
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tokenFile(content: string, mode = 0o600): string {
  const file = join(folder, `token-${Math.random()}`);
  writeFileSync(file, content, { mode });
  return file;
}

const problemsOf = (env: Record<string, string>) => {
  const read = readConfig(env);
  return read.ok ? [] : read.problems;
};

function openWith(file: string) {
  const metrics = { port: null, host: '127.0.0.1', tokenFile: file };
  const opened = openMetrics({ dataDir: folder, metrics }, { logger: silentLogger })!;
  return Promise.all(opened.parts.map((part) => part.stop?.()));
}

async function gatewayWith(env: Record<string, string>): Promise<Gateway> {
  const read = readConfig({ PORT: '0', HELIO_DATA: join(folder, 'data'), HELIO_SANDBOX: '0', ...env });
  if (!read.ok) throw new Error(read.problems.join(' '));
  const broken = (error: unknown) => {
    throw error;
  };
  return startGateway({ config: read.config, logger: silentLogger, broken });
}

describe('the settings', () => {
  it('leave metrics off unless there is a port or a token', () => {
    expect(openMetrics({ dataDir: folder, metrics: null }, { logger: silentLogger })).toBeNull();
    const configOf = (env: Record<string, string>) => {
      const read = readConfig(env);
      return read.ok ? read.config.metrics : read.problems;
    };
    expect(configOf({})).toBeNull();
    expect(configOf({ HELIO_METRICS_PORT: '9100' })).toEqual({ port: 9_100, host: '127.0.0.1', tokenFile: null });
    const file = tokenFile(token);
    expect(configOf({ HELIO_METRICS_TOKEN_FILE: file })).toMatchObject({ port: null, tokenFile: file });
  });

  it('show the figures to nobody else: another address needs a token, and a port', () => {
    const open = { HELIO_METRICS_PORT: '9100', HELIO_METRICS_HOST: '0.0.0.0' };
    expect(problemsOf(open)).toEqual([
      'HELIO_METRICS_HOST is 0.0.0.0, which others reach, and HELIO_METRICS_TOKEN_FILE is not set; allowed: a loopback address, or a token.',
    ]);
    expect(problemsOf({ ...open, HELIO_METRICS_TOKEN_FILE: tokenFile(token) })).toEqual([]);
    expect(problemsOf({ ...open, HELIO_METRICS_HOST: '::1' })).toEqual([]);
    expect(problemsOf({ HELIO_METRICS_HOST: '127.0.0.1' })).toEqual([
      'HELIO_METRICS_HOST is set and HELIO_METRICS_PORT is not: name a port.',
    ]);
  });

  it.each([
    ['empty', ''],
    ['too short', 'fifteen-letters'],
    ['of two lines', `${token}\n${token}\n`],
    ['with a space', 'sixteen or more!'],
  ])('refuse a token that is %s, without showing it', (_name, content) => {
    const opened = () => openWith(tokenFile(content));
    expect(opened).toThrow(MetricsRefused);
    expect(opened).toThrow(/^HELIO_METRICS_TOKEN_FILE=\S+ holds no token: it must be one line of at least 16/);
    if (content !== '') expect(opened).not.toThrow(content.trim());
  });

  it('refuse a file that everybody can read, and take one with a line end', async () => {
    expect(() => openWith(tokenFile(token, 0o644))).toThrow(/is open to everybody \(mode 0644\)\. Run: chmod 640/);
    await expect(openWith(tokenFile(`${token}\n`))).resolves.toBeDefined();
  });

  it('say which port is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const failure = await gatewayWith({ HELIO_METRICS_PORT: String(port) }).catch((error: unknown) => error);
    expect(describeFailure(failure, { port: 0, host: '', dataDir: folder })).toEqual({
      text: `HELIO_METRICS_PORT=${port} cannot be had on 127.0.0.1 (EADDRINUSE). Choose another, or another HELIO_METRICS_HOST.\n`,
      exitCode: 78,
    });
    await new Promise((resolve) => holder.close(resolve));
  });
});

describe('a token alone', () => {
  it('puts the metrics on the port of the gateway, for those who have it', async () => {
    const gateway = await gatewayWith({ HELIO_METRICS_TOKEN_FILE: tokenFile(token) });
    const ask = (authorization: string) =>
      fetch(`http://127.0.0.1:${gateway.port}/metrics`, { headers: { authorization } });
    const answer = await ask(`Bearer ${token}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await answer.text()).toContain('helio_store_up 1\n');
    const refused = await ask(`Bearer ${token}.`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await gateway.stop();
  });

  it('is not there without one', async () => {
    const gateway = await gatewayWith({});
    expect((await fetch(`http://127.0.0.1:${gateway.port}/metrics`)).status).toBe(404);
    await gateway.stop();
  });
});
