import { describe, expect, it } from 'vitest';
import { curlOfRequest, type Endpoint, type Health, healthOf, prettyBody } from './webhooks';

const endpoint: Endpoint = {
  ...{ endpointId: 'ep_1', name: 'Orders', url: 'https://shop.example/hooks', types: null, format: 'standard' },
  ...{ number: null, campaign: null, header: null, disabled: null, oldSecretUntil: null, timeoutSeconds: 15 },
  createdAt: '2026-05-04T09:30:00.000Z',
};
const health: Health = {
  ...{ endpointId: 'ep_1', tried: 10, succeeded: 9, waiting: 0, failed: 1, p95Ms: 84 },
  ...{ failingSince: null, lastSuccessAt: null },
};

describe('how an endpoint is doing', () => {
  it.each([
    [endpoint, health, 'healthy'],
    [endpoint, { ...health, failingSince: endpoint.createdAt }, 'failing'],
    [endpoint, { ...health, succeeded: 0 }, 'failing'],
    [endpoint, { ...health, tried: 0 }, 'untried'],
    [endpoint, undefined, 'untried'],
    [{ ...endpoint, disabled: { at: endpoint.createdAt, why: 'failing' as const } }, health, 'disabled'],
  ])('%#: in one word', (of, seen, word) => expect(healthOf(of, seen)).toBe(word));
});

describe('a request as curl', () => {
  it('keeps every byte, quotes too', () => {
    const curl = curlOfRequest({
      method: 'POST',
      url: 'https://a.example/?x=1&y=2',
      headers: { 'webhook-id': 'evt_1' },
      body: `{"text":"it's $HOME"}`,
    });
    expect(curl).toBe(
      `curl -X POST 'https://a.example/?x=1&y=2' \\\n  -H 'webhook-id: evt_1' \\\n  --data-raw '{"text":"it'\\''s $HOME"}'`,
    );
  });
});

describe('a body', () => {
  it('is laid out when it is JSON and left alone when not', () => {
    expect(prettyBody('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyBody('plain')).toBe('plain');
  });
});
