/** Traces: spans of a timeline, and a collector over HTTP that accepts, refuses, hangs and comes back. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settlingClock, t0 } from '../../../../../test/props/clock.ts';
import { freePort } from '../../cli/prove/free-port.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { spansOf } from './spans.ts';
import type { EndedMessage } from './store/module.ts';
import { createTraceFollower, type TraceFollowerParts } from './trace-follower.ts';
import { openTraceThread } from './trace-thread.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller = '00f067aa0ba902b7';

function ended(fields: Partial<EndedMessage> = {}): EndedMessage {
  return {
    messageId: 'msg_01',
    requestId: 'req_01',
    accountId: 'acc1',
    messageType: 'SMS',
    traceparent: null,
    acceptedAt: t0,
    steps: [
      { state: 'queued', at: t0 + 30, code: 'CARRIER_UNAVAILABLE', carrier: 'c1', sendingAt: t0 + 10 },
      { state: 'sent', at: t0 + 90, code: null, carrier: 'c2', sendingAt: t0 + 60 },
      { state: 'undelivered', at: t0 + 500, code: 'UNREACHABLE', carrier: 'c2', sendingAt: null },
    ],
    ...fields,
  };
}

describe('the spans of a message', () => {
  it('are one for the message, and one below it for each state that it was in', () => {
    const [whole, ...stays] = spansOf(ended());
    const times = (span: (typeof stays)[number]) =>
      [span.startTimeUnixNano, span.endTimeUnixNano].map((nanos) => Number(BigInt(nanos) / 1_000_000n) - t0);
    expect([whole!.name, ...times(whole!)]).toEqual(['send SMS', 0, 500]);
    expect(stays.map((span) => [span.name, ...times(span)])).toEqual([
      ['queued', 0, 10],
      ['sending', 10, 30],
      ['queued', 30, 60],
      ['sending', 60, 90],
      ['sent', 90, 500],
    ]);
    expect(
      stays.every(({ parentSpanId, traceId }) => parentSpanId === whole!.spanId && traceId === whole!.traceId),
    ).toBe(true);
    expect(new Set([whole!, ...stays].map(({ spanId }) => spanId)).size).toBe(6);
  });

  it("continue the caller's trace, and have ids of the lengths that OTLP requires", () => {
    const [own] = spansOf(ended());
    expect(own).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(own).not.toHaveProperty('parentSpanId');
    const [whole] = spansOf(ended({ traceparent: `00-${trace}-${caller}-01` }));
    expect(whole).toMatchObject({ traceId: trace, parentSpanId: caller });
    expect(spansOf(ended())).toEqual(spansOf(ended()));
  });

  it('say what went wrong', () => {
    const [whole, , first, , second] = spansOf(ended());
    const attributesOf = (span: typeof whole) =>
      Object.fromEntries(span!.attributes.map(({ key, value }) => [key, value.stringValue]));
    expect(whole!.status).toEqual({ code: 2 });
    expect(attributesOf(whole)).toMatchObject({
      'error.type': 'UNREACHABLE',
      'heliograph.state': 'undelivered',
      'messaging.message.id': 'msg_01',
    });
    expect(attributesOf(first)).toMatchObject({
      'error.type': 'CARRIER_UNAVAILABLE',
      'messaging.destination.name': 'c1',
    });
    expect(attributesOf(second)).toEqual({ 'messaging.destination.name': 'c2' });
    const delivered = { state: 'delivered', at: t0 + 5, code: 'DELIVERED', carrier: 'c1', sendingAt: null } as const;
    expect(spansOf(ended({ steps: [delivered] }))[0]).toMatchObject({ status: { code: 0 } });
  });
});

/** A collector that answers with the next of these statuses, then 200; 0 = never. */
async function collector(...statuses: number[]) {
  const bodies: { path: string; spans: { name: string }[] }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { resourceSpans: [{ scopeSpans: [{ spans: { name: string }[] }] }] };
    bodies.push({ path: request.url!, spans: body.resourceSpans[0].scopeSpans[0].spans });
    const status = statuses.shift() ?? 200;
    if (status !== 0) response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('the thread', () => {
  it.each([
    [200, 'taken'],
    [400, 'refused'],
    [401, 'refused'],
    [503, 'unreachable'],
    [429, 'unreachable'],
    [302, 'refused'],
  ])('says of an answer of %i that the traces were %s', async (status, kind) => {
    const { url, bodies } = await collector(status);
    const thread = openTraceThread(`${url}/`, '1.2.3');
    onTestFinished(() => thread.close());
    expect(await thread.send([ended()])).toEqual({ kind, why: `HTTP ${status}` });
    expect(bodies.map(({ path, spans }) => [path, spans.length])).toEqual([['/v1/traces', 6]]);
  });

  it('says why nothing was reached, and goes on after that', async () => {
    const nobody = openTraceThread(`http://127.0.0.1:${await freePort()}`, '1.2.3');
    onTestFinished(() => nobody.close());
    expect(await nobody.send([ended()])).toEqual({ kind: 'unreachable', why: 'ECONNREFUSED' });
    expect(await nobody.send([ended()])).toMatchObject({ kind: 'unreachable' });
  });

  it('that is closed ends what is under way', async () => {
    const { url } = await collector(0);
    const thread = openTraceThread(url, '1.2.3');
    const sent = thread.send([ended()]);
    await thread.close();
    expect(await sent).toMatchObject({ kind: 'unreachable' });
  });
});

function follower(answers: string[] = [], settings = new Map<string, string>()) {
  const clock = settlingClock();
  const log = { messages: [] as EndedMessage[], last: 0, fails: null as Error | null };
  const sent: string[][] = [];
  const faults: unknown[] = [];
  const parts: TraceFollowerParts = {
    clock,
    logger: silentLogger,
    share: 1,
    store: {
      endedAfter: async ({ after, limit }) => {
        if (log.fails) throw log.fails;
        const position = Math.min(log.last, after + limit);
        return { ended: log.messages.slice(after, position), position };
      },
      getSetting: async (name) => settings.get(name) ?? null,
      putSetting: async (name, value) => void settings.set(name, value),
      eventPosition: async () => log.last,
    },
    send: async (messages) => {
      sent.push(messages.map(({ messageId }) => messageId));
      return { kind: (answers.shift() ?? 'taken') as 'taken', why: 'HTTP 500' };
    },
    broken: (error) => faults.push(error),
  };
  const happen = (...ids: string[]) => {
    log.messages.push(...ids.map((messageId) => ended({ messageId })));
    log.last += ids.length;
  };
  return { follower: createTraceFollower(parts), clock, log, sent, settings, happen, faults };
}

describe('the follower', () => {
  it('begins with what happens from now on, then goes on where it stopped', async () => {
    const first = follower();
    first.happen('before');
    await first.follower.start();
    first.happen('a', 'b');
    await first.clock.pass(5_000);
    expect(first.sent).toEqual([['a', 'b']]);
    await first.follower.stop();
    const second = follower([], first.settings);
    second.happen('before', 'a', 'b', 'c');
    await second.follower.start();
    await second.clock.pass(5_000);
    expect(second.sent).toEqual([['c']]);
  });

  it('sends a page again until the collector takes it, and leaves out what it refuses', async () => {
    const { follower: own, sent, happen, clock } = follower(['unreachable', 'unreachable', 'refused']);
    await own.start();
    happen('a');
    await clock.pass(65_000);
    expect(sent).toEqual([['a'], ['a'], ['a']]);
    happen('b');
    await clock.pass(5_000);
    expect(sent.slice(3)).toEqual([['b']]);
  });

  it('waits for the store, and says what is no passing fault', async () => {
    const { follower: own, sent, happen, clock, log, faults } = follower();
    await own.start();
    happen('a');
    log.fails = new StoreUnavailable('busy', 'busy');
    await clock.pass(5_000);
    expect([sent, faults]).toEqual([[], []]);
    log.fails = null;
    await clock.pass(5_000);
    expect(sent).toEqual([['a']]);
    log.fails = new Error('a bug');
    await clock.pass(5_000);
    expect(faults).toEqual([log.fails]);
  });
});
