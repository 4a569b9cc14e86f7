/** `helio trigger`: its request, its answer to a typing error, and to a gateway that refuses or is unreachable. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../model/event-type.ts';
import { fakeGateway } from './listen-fixture.ts';
import { runHelio } from './program.ts';
import { freePort } from './prove/free-port.ts';

async function helio(args: string[], baseUrl = 'http://127.0.0.1:9') {
  const seen = { out: '', error: '' };
  const env = {
    HELIO_URL: baseUrl,
    HELIO_BEARER_TOKEN: 'secret-b',
    HELIO_AUTH_TOKEN: 'secret-a',
    HELIO_DATA: mkdtempSync(join(tmpdir(), 'h5-trigger-')),
  };
  const exitCode = await runHelio(args, {
    out: (text) => {
      seen.out += text;
    },
    error: (text) => {
      seen.error += text;
    },
    env,
  });
  return { ...seen, exitCode };
}

describe('helio trigger', () => {
  it('has an event made and shows what it is', async () => {
    const gateway = await fakeGateway();
    const { out, error, exitCode } = await helio(['trigger', 'message.failed'], gateway.baseUrl);
    expect({ out, error, exitCode }).toEqual({ out: 'message.failed  evt_made\n', error: '', exitCode: 0 });
    expect(gateway.requests).toEqual(['POST /api/v1/events/trigger']);
    const json = await helio(['trigger', 'webhook.test', '--json'], gateway.baseUrl);
    expect(JSON.parse(json.out)).toEqual({ id: 'evt_made', type: 'webhook.test' });
  });

  it('lists the types, alone and in its help', async () => {
    const { out, exitCode } = await helio(['trigger']);
    expect(exitCode).toBe(0);
    expect(out.match(/\S+/g)).toEqual(['Types:', ...eventTypes]);
    for (const command of ['trigger', 'listen']) {
      const help = await helio([command, '--help']);
      expect(help.exitCode).toBe(0);
      for (const type of eventTypes) expect(help.out).toContain(`  ${type}\n`);
    }
  });

  it('names the nearest type for one that is not there', async () => {
    expect(await helio(['trigger', 'message.recieved'])).toEqual({
      out: '',
      error:
        'There is no event type "message.recieved". Did you mean message.received?\nNext: helio trigger message.received\n',
      exitCode: 2,
    });
    expect((await helio(['trigger', 'x'.repeat(100)])).error).toMatch(/\nNext: helio trigger --help\n$/);
  });

  it('says what the gateway refuses, and that it is not there, without a secret', async () => {
    const gateway = await fakeGateway();
    gateway.answer = { status: 400, reason: 'NOT_AUTHORIZED' };
    const refused = await helio(['trigger', 'message.sent'], gateway.baseUrl);
    expect(refused).toEqual({
      out: '',
      error: 'Why. (NOT_AUTHORIZED)\nNext: helio explain NOT_AUTHORIZED\n',
      exitCode: 1,
    });
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const down = await helio(['trigger', 'message.sent'], baseUrl);
    expect(down).toMatchObject({ out: '', exitCode: 5 });
    expect(down.error).toMatch(/NETWORK_ERROR\)\nIs the gateway running at http:.*Next: npm start\n$/);
    expect(refused.error + down.error).not.toContain('secret-');
  });
});
