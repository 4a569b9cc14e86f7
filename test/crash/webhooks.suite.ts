/**
 * W-02 and W-08: kill -9 under load with a webhook endpoint, at random moments and between the steps of a notification.
 * Each state that has an event arrives at least once under one id; the customer's server, the feed and the timelines
 * agree.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, type TestOptions } from 'vitest';
import { callApi } from '../props/api.ts';
import { type EventVerdict, judgeEvents } from '../props/event-judge.ts';
import { readEventLog } from '../props/event-log.ts';
import type { Gateway } from '../props/gateway.ts';
import { type LoggedMessage, readMessageLog } from '../props/message-log.ts';
import { startWebhookSink, type WebhookSink } from '../props/webhook-sink.ts';
import {
  failpoint,
  killAtRandom,
  planted,
  type Round,
  type RoundsOptions,
  type RoundsResult,
  report,
  runRounds,
  untilMore,
} from './rounds.ts';

const window = 10;
/** After this long without an arrival, nothing more will come. */
const quietMs = 2_000;
/** Longer than the delay after a first failed attempt. */
const retryMs = 7_000;
const toldWithinMs = 45_000;

/** Where the rounds end, in turn; null = at a random moment. */
type Place = 'recordAttempts:before' | 'fanOut:after' | 'recordAttempts:after' | 'settle:after' | null;
const allPlaces: Place[] = ['recordAttempts:before', 'fanOut:after', null, 'recordAttempts:after', 'settle:after'];

export interface WebhookCounts {
  kills: number;
  /** All places by default. */
  places?: Place[];
  /** Kills with a planted bug. 0 = not tried. */
  plantedKills: number;
  how?: TestOptions;
}

interface Load extends Pick<RoundsOptions, 'rounds' | 'requestsPerSecond' | 'start' | 'fromSpawn'> {
  end(round: Round, sink: WebhookSink): Promise<unknown>;
}

interface WebhookRounds extends RoundsResult {
  events: EventVerdict;
  /** Both directions. */
  messages: LoggedMessage[];
  /** Replies that the gateway acknowledged to the carrier and that are not on record. */
  lostReplies: string[];
}

const endingAt = (places: Place[]): Pick<Load, 'start' | 'end' | 'fromSpawn'> => ({
  fromSpawn: true,
  start: (index) => {
    const place = places[index % places.length]!;
    return place === null ? {} : failpoint(place);
  },
  end: (round) => (places[round.index % places.length] === null ? killAtRandom(round) : round.gateway.exited),
});

/** `databaseUrl` resolves to an empty PostgreSQL database; left out, the store is SQLite. */
export function webhookSuite(engine: string, counts: WebhookCounts, databaseUrl?: () => Promise<string>): void {
  const places = counts.places ?? allPlaces;
  const run = async (options: Load, refusals: number) =>
    await runWebhooks(
      { ...options, ...(databaseUrl === undefined ? {} : { databaseUrl: await databaseUrl() }) },
      refusals,
    );

  describe(`kill -9 with webhooks, ${engine}`, counts.how ?? {}, () => {
    it('W-02 W-08 every event arrives under one id, and server, feed and timelines agree', async () => {
      const { verdict, events, lostReplies, messages } = await run(
        { rounds: counts.kills, requestsPerSecond: 400, ...endingAt(places) },
        counts.kills,
      );
      report(`W-02 W-08 ${engine}`, { ...verdict, ...events });
      expect(verdict.lost).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      expect(lostReplies).toEqual([]);
      expect(events).toMatchObject(noFault);
      expect(events.messages).toBeGreaterThan(counts.kills * 20);
      // Otherwise no kill came between an attempt and its record.
      expect(events.repeated).toBeGreaterThanOrEqual(Math.ceil(counts.kills / places.length));
      const states = new Set(messages.map(({ state }) => state));
      expect([...states].sort()).toEqual(['delivered', 'received', 'undelivered']);
    });

    if (counts.plantedKills === 0) return;

    it.each([
      ['W-08', 'the mark is moved before the deliveries are stored', 'mark-early'],
      ['W-02', 'recorded as delivered before it is sent', 'record-early'],
    ] as const)('%s finds the planted bug: %s', async (_name, _bug, plant) => {
      const start = () => ({ nodeArguments: planted(plant) });
      const load = { rounds: counts.plantedKills, requestsPerSecond: 100, start, end: killWhileTold };
      const { events, verdict } = await run(load, 0);
      expect(verdict.lost).toEqual([]);
      expect(events.missing.length).toBeGreaterThan(0);
      expect(events.invented).toEqual([]);
    });
  });
}

/** Ends a round with kill -9 while the events behind the first that arrived in it are under way. */
async function killWhileTold({ gateway }: Round, { arrivals }: WebhookSink): Promise<void> {
  await untilMore(() => arrivals.length, toldWithinMs);
  await wait(Math.random() * 500);
  await gateway.kill();
}

const noFault = { missing: [], invented: [], feedDiffers: [], changed: [], forged: [], finals: [] };

async function runWebhooks(options: Load, refusals: number): Promise<WebhookRounds> {
  const sink = await startWebhookSink({ refusals, answerDelayMs: 5 });
  let found: Pick<WebhookRounds, 'events' | 'lostReplies' | 'messages'> | null = null;
  try {
    const result = await runRounds({
      window,
      receipts: true,
      env: { HELIO_ALLOW_PRIVATE_URLS: '1' },
      behaviour: { receipts: 'after', receiptDelayMs: 20, undeliveredEvery: 7, replyEvery: 5 },
      ...options,
      end: (round) => options.end(round, sink),
      prepare: async ({ port }) => {
        const body = { url: sink.url };
        const { data } = await callApi<{ secret: string }>(port, { path: '/api/v1/endpoints', body });
        sink.trust(data.secret);
      },
      atEnd: async (gateway, { smsc }) => {
        const { messages, events } = await settledEvents(gateway, sink);
        const texts = new Set(messages.map(({ text }) => text));
        found = { events, messages, lostReplies: [...smsc.repliesTaken].filter((text) => !texts.has(text)) };
      },
    });
    return { ...result, ...found! };
  } finally {
    await sink.stop();
  }
}

/** The verdict once nothing is missing, or once nothing more arrived during a whole look. */
async function settledEvents({ port }: Gateway, sink: WebhookSink) {
  for (;;) {
    await quiet(sink);
    const count = sink.arrivals.length;
    const log = readMessageLog(port);
    const messages: LoggedMessage[] = [...(await log.all()), ...(await log.all('inbound'))];
    const events = judgeEvents({ arrivals: sink.arrivals, feed: await readEventLog(port), messages });
    const isWhole = events.missing.length === 0 && events.finals.length === 0;
    if (isWhole || sink.arrivals.length === count) return { messages, events };
  }
}

/** Resolves when nothing arrives any more, retries of refused webhooks included. */
async function quiet(sink: WebhookSink): Promise<void> {
  let count = -1;
  let sinceMs = 0;
  for (;;) {
    const now = performance.now();
    if (sink.arrivals.length !== count) {
      count = sink.arrivals.length;
      sinceMs = now;
    }
    if (now - sinceMs > (sink.owed() > 0 ? retryMs : quietMs)) return;
    await wait(50);
  }
}
