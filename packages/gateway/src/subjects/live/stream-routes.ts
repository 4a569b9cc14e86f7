/**
 * `GET /stream`: live updates as server-sent events (HTML Standard §9.2). The event id is the position in the log, so
 * a returning browser resumes; too old a position gets a `gap`. Contains no message text. Ends with the session and
 * with the gateway.
 */
import { rejection, type Streaming, streamed } from '../../http/exchange.ts';
import { busy } from '../../http/long-poll.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalCall } from '../../http/portal/portal-guard.ts';
import { answersRaw } from '../../http/route.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { sessionEnd } from '../../model/people.ts';
import type { PeopleStore } from '../people/store/module.ts';
import type { Live, LiveEvent } from './live.ts';

export const streamLimits = {
  streams: 500,
  /** A browser has one, or one for each tab if it has no shared workers. */
  perSession: 8,
  pingMs: 15_000,
  /** How often the session is checked. */
  sessionMs: 750,
  /** Events are written together at this interval; too many at once become a gap. */
  flushMs: 100,
  eventsPerFlush: 100,
  /** A client that falls this far behind is disconnected; it reconnects and resumes. */
  waitingBytes: 256 * 1_024,
} as const;

export interface StreamParts {
  live: Live;
  store: Pick<PeopleStore, 'session'>;
}

const retryMs = 2_000;

export function streamRoutes({ live, store }: StreamParts): PortalModule {
  const open = new Map<string, number>();
  let count = 0;

  /** Null when there are too many; else the function that frees the place. */
  function takePlace(sessionId: string): (() => void) | null {
    const own = open.get(sessionId) ?? 0;
    if (count >= streamLimits.streams || own >= streamLimits.perSession) return null;
    count++;
    open.set(sessionId, own + 1);
    return () => {
      count--;
      const left = (open.get(sessionId) ?? 1) - 1;
      if (left === 0) open.delete(sessionId);
      else open.set(sessionId, left);
    };
  }

  return (routes, { clock }) => {
    async function sessionCounts({ idHash }: PortalCall['person']['session']): Promise<boolean> {
      const found = await store.session(idHash);
      return found !== null && found.user.disabledAt === null && sessionEnd(found.session, clock.now()) === null;
    }

    routes.add({
      method: 'GET',
      path: '/stream',
      access: 'read',
      answer: answersRaw('text/event-stream', 'Events as they happen (Server-Sent Events)'),
      work: async (call) => {
        const { exchange, person } = call;
        const from = lastEventId(exchange.request.headers['last-event-id']);
        if (from === undefined) return rejection('INVALID_FIELD', 'The header Last-Event-ID is no place in the log.');
        const leave = takePlace(person.session.sessionId);
        if (leave === null) return busy('Too many pages of this session, or of this gateway, are open already.');
        const stream = exchange.stream({
          contentType: 'text/event-stream; charset=utf-8',
          // Keeps nginx from buffering events.
          headers: ['X-Accel-Buffering', 'no'],
        });
        if (stream === null) {
          leave();
          return streamed;
        }
        const watch = createWatch(stream, clock);
        const stopWatching = live.watch({
          accountId: call.account.accountId,
          operator: call.may('operator'),
          notify: watch.notify,
          end: () => watch.end('restart'),
        });
        exchange.whenOver(() => {
          leave();
          stopWatching?.();
          watch.stop();
        });
        if (stopWatching === null) watch.end('restart');
        else {
          // If the store is unreachable, the client reconnects.
          await watch.begin(from, live, call.account.accountId).catch(() => watch.end('restart'));
          watch.keep(() => sessionCounts(person.session));
        }
        return streamed;
      },
    });
  };
}

/** Null without one; undefined for an invalid one. */
function lastEventId(header: string | string[] | undefined): number | null | undefined {
  if (header === undefined || header === '') return null;
  return typeof header === 'string' && /^[0-9]{1,15}$/.test(header) ? Number(header) : undefined;
}

/** Writes events to one client, each once, in the order of the log. */
function createWatch(stream: Streaming, clock: Pick<Clock, 'after'>) {
  let waiting: LiveEvent[] = [];
  let begun = false;
  let over = false;
  let written = 0;
  let cancelFlush: (() => void) | null = null;
  let cancelPing = (): void => {};
  let cancelLook = (): void => {};

  function write(text: string): void {
    if (over) return;
    stream.write(text);
    if (stream.waitingBytes() > streamLimits.waitingBytes) end(null);
  }

  function flush(): void {
    cancelFlush = null;
    const events = waiting;
    waiting = [];
    if (events.length > streamLimits.eventsPerFlush) {
      for (const { position } of events) written = Math.max(written, position ?? 0);
      write(`id: ${written}\nevent: gap\ndata: {}\n\n`);
      return;
    }
    let text = '';
    for (const { position, type, data } of events) {
      if (position !== null) {
        // An event that was already read from the log may arrive once more.
        if (position <= written) continue;
        written = position;
        text += `id: ${position}\n`;
      }
      text += `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    }
    if (text !== '') write(text);
  }

  /** `why` is sent before closing; null = cut without a message. */
  function end(why: 'restart' | 'session' | null): void {
    if (over) return;
    if (why !== null) stream.write(`event: bye\ndata: ${JSON.stringify({ why })}\n\n`);
    over = true;
    stop();
    stream.end();
  }

  function stop(): void {
    over = true;
    cancelFlush?.();
    cancelPing();
    cancelLook();
  }

  return {
    end,
    stop,
    notify: (event: LiveEvent): void => {
      if (over || waiting.length > streamLimits.eventsPerFlush) return;
      waiting.push(event);
      if (begun) cancelFlush ??= clock.after(streamLimits.flushMs, flush);
    },
    /** First the events after `from`, then those that came meanwhile. */
    begin: async (from: number | null, live: Live, accountId: AccountId): Promise<void> => {
      const missed = from === null ? [] : await live.since(accountId, from);
      const last = await live.position();
      if (over) return;
      // A new stream gets everything published from now on, even with a position before `last`.
      written = missed === null ? last : (from ?? 0);
      const start = missed === null || from === null ? last : from;
      write(`retry: ${retryMs}\nid: ${start}\nevent: ${missed === null ? 'gap' : 'ready'}\ndata: {}\n\n`);
      waiting = [...(missed ?? []), ...waiting];
      begun = true;
      flush();
    },
    keep: (counts: () => Promise<boolean>): void => {
      const ping = (): void => {
        write('event: ping\ndata: {}\n\n');
        if (!over) cancelPing = clock.after(streamLimits.pingMs, ping);
      };
      const look = (): void => {
        counts().then(
          (still) => {
            if (!still) end('session');
            else if (!over) cancelLook = clock.after(streamLimits.sessionMs, look);
          },
          // If the store is unreachable, the client reconnects, and is checked then.
          () => end('restart'),
        );
      };
      if (over) return;
      cancelPing = clock.after(streamLimits.pingMs, ping);
      cancelLook = clock.after(streamLimits.sessionMs, look);
    },
  };
}
