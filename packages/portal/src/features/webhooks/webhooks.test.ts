import '../../language/english';

import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../api/routes/deliveries';
import type { Endpoint } from '../../api/routes/endpoints';
import type { EndpointHealth } from '../../api/routes/webhooks';
import {
  curlOfRequest,
  endpointFaults,
  endpointsCsv,
  fittingEndpoints,
  healthOf,
  prettyBody,
  sentenceAt,
  testState,
  waitsForEndpoint,
} from './webhooks';

const endpoint: Endpoint = {
  endpointId: 'ep_1',
  name: 'Orders',
  url: 'https://shop.example/hooks',
  types: null,
  format: 'standard',
  number: null,
  campaign: null,
  header: null,
  disabled: null,
  oldSecretUntil: null,
  timeoutSeconds: 15,
  createdAt: '2026-05-04T09:30:00.000Z',
};
const health: EndpointHealth = {
  endpointId: 'ep_1',
  tried: 10,
  succeeded: 9,
  waiting: 0,
  failed: 1,
  p95Ms: 84,
  nextAttemptAt: null,
  failingSince: null,
  lastSuccessAt: null,
};

describe('a test event', () => {
  const delivery = (state: Delivery['state'], attemptCount: number) => ({ state, attemptCount }) as Delivery;

  it('is on its way until its first attempt has ended, and never after', () => {
    expect(testState(undefined)).toBe('on its way');
    expect(testState(delivery('waiting', 0))).toBe('on its way');
    expect(testState(delivery('waiting', 1))).toBe('failed');
    expect(testState(delivery('failed', 8))).toBe('failed');
    expect(testState(delivery('delivered', 2))).toBe('arrived');
  });
});

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

describe('the form of an endpoint', () => {
  const all = { types: null };

  it('shows all faults at once', () => {
    expect(endpointFaults({ url: ' ', timeoutSeconds: '99', types: [] }, null)).toEqual({
      url: 'Fill this in.',
      types: 'Choose at least one event, or all of them.',
      timeoutSeconds: 'Write a whole number from 1 to 30.',
    });
    for (const url of ['shop', 'ftp://shop.example']) {
      const faults = endpointFaults({ url, timeoutSeconds: '', ...all }, null);
      expect(Object.keys(faults), url).toEqual(['url', 'timeoutSeconds']);
    }
    expect(endpointFaults({ url: 'https://shop.example/', timeoutSeconds: '30', ...all }, null)).toEqual({});
  });

  it('judges a header by the rules of the gateway, in its words', () => {
    const fine = { url: 'https://shop.example/', timeoutSeconds: '30', ...all };
    const rules = { name: '^(?!host$)[a-z-]+$', value: '^[a-z ]*$', charactersMax: 20, fault: 'cannot be sent.' };
    const of = (name: string, value: string) => endpointFaults(fine, { name, value }, rules).header;
    expect([of('X-Token', 'abc'), of('X-Token', '')]).toEqual([undefined, undefined]);
    for (const [name, value] of [
      ['Host', 'abc'],
      ['X Token', 'abc'],
      ['X-Token', 'A\nB'],
      ['X-Token', 'a'.repeat(14)],
    ] as const) {
      expect(of(name, value), name).toBe('Cannot be sent.');
    }
    expect(endpointFaults(fine, { name: 'Host', value: '' }).header).toBeUndefined();
  });

  it('shows what the gateway says at its field, without the name of the field', () => {
    const error = new Error('url cannot be used: it is long.');
    expect([sentenceAt(error, 'url'), sentenceAt(error, 'header'), sentenceAt(null, 'url')]).toEqual([
      'Cannot be used: it is long.',
      undefined,
      undefined,
    ]);
  });
});

describe('a next attempt', () => {
  it('that should have been made long ago waits for the endpoint', () => {
    const now = Date.parse('2026-05-04T10:00:00Z');
    const waits = (nextAttemptAt: string | null) => waitsForEndpoint({ state: 'waiting', nextAttemptAt }, now);
    expect([waits('2026-05-04T09:59:00Z'), waits('2026-05-04T10:00:30Z'), waits(null)]).toEqual([true, false, true]);
    for (const state of ['delivered', 'failed'] as const) {
      expect(waitsForEndpoint({ state, nextAttemptAt: null }, now)).toBe(false);
    }
  });
});

describe('a body', () => {
  it('is laid out when it is JSON and left alone when not', () => {
    expect(prettyBody('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyBody('plain')).toBe('plain');
  });
});

describe('a list of endpoints', () => {
  const other: Endpoint = {
    ...endpoint,
    endpointId: 'ep_2',
    name: '@shop',
    types: ['carrier.down'],
    number: '12025550199',
  };
  const found = (search: string) => fittingEndpoints([endpoint, other], search).map(({ endpointId }) => endpointId);

  it('is searched by name, URL, id and type of event', () => {
    expect([found(''), found('ORDERS'), found('EP_2')]).toEqual([['ep_1', 'ep_2'], ['ep_1'], ['ep_2']]);
    expect([found('shop.example'), found('carrier.'), found('x y')]).toEqual([['ep_1', 'ep_2'], ['ep_2'], []]);
  });

  it('is saved as a table that begins no formula', () => {
    const [head, first, second] = endpointsCsv([endpoint, other], new Map([['ep_1', health]])).split('\r\n');
    expect(head!.split(',')).toHaveLength(second!.split(',').length);
    expect(first).toMatch(/^Orders,ep_1,https:.*,all,standard,,,,15,healthy,,0,2026-05-04T09:30:00.000Z,/);
    expect(second).toMatch(/^'@shop,ep_2,.*,carrier.down,standard,1 \(202\) 555-0199,12025550199,/);
  });
});
