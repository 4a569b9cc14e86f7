/** The MM4 adapter: connects the pool, listener and inbox of one carrier. */
import type { Mm4Response } from '@heliograph/mms';
import { createSummedLog } from '../../kernel/summed-log.ts';
import type { Carrier, CarrierSink } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { createMmsSender } from '../mms-sender.ts';
import { createPace } from '../pace.ts';
import { createMm4Answers } from './answers.ts';
import { createMm4Exchange } from './exchange.ts';
import { createMm4Inbox, reportOn } from './inbox.ts';
import { createLateResponses } from './late.ts';
import { createMm4Listener } from './listener.ts';
import { createMm4Pool } from './pool.ts';
import { type Mm4CarrierRecord, mm4Takes } from './profile.ts';

export function createMm4Carrier(record: Mm4CarrierRecord, deps: CarrierDeps): Carrier {
  const { carrierId, mm4 } = record;
  const { clock, logger } = deps;
  const pace = createPace(mm4.messagesPerSecond, clock.monotonicMs(), deps.rateShare);
  const pool = createMm4Pool(mm4, deps, changed);
  const exchange = createMm4Exchange({ profile: mm4, clock, pace, pool, mayHandOver: deps.mayHandOver });
  const answers = createMm4Answers({ record, clock, logger, pool, changed });
  const lines = createSummedLog(deps);
  const late = createLateResponses({ carrierId, deps, lines, exchange, sink: () => sink! });
  const { responded } = exchange;
  const inbox = createMm4Inbox({ record, deps, lines, sink: () => sink!, answers, responded, late });
  const listener = createMm4Listener(record, deps, inbox, changed);
  const sender = createMmsSender({
    clock,
    pace,
    window: mm4.window,
    up,
    send: exchange.send,
    cut: exchange.cut,
    results: (results) => sink?.results(results),
    ready: () => sink?.ready(),
  });
  let sink: CarrierSink | null = null;
  let linkUp: boolean | null = null;
  let stopped = false;
  /** Set while `stop` waits until nothing is owed to the peer. */
  let quiet: (() => void) | null = null;

  /** Without a listener no RES can arrive, and every message would end uncertain. */
  function up(): boolean {
    return pool.up() && (!mm4.acknowledgement || listener.listening() !== null);
  }

  /** A connection, the listener or the number of owed mails has changed. */
  function changed(): void {
    reportLink();
    sender.linkChanged();
    if (listener.busy() === 0 && (answers.owed() === 0 || !pool.up())) quiet?.();
  }

  function reportLink(): void {
    if (stopped || up() === linkUp) return;
    // Before the first connection there is nothing to report; a failed first attempt is reported.
    if (linkUp === null && !up() && !pool.failed()) return;
    linkUp = up();
    sink?.link(linkUp, linkUp ? 'connected' : pool.up() ? 'the port for responses is not open' : pool.detail());
  }

  /** An answer that reached another node. */
  function answered(response: Mm4Response): boolean {
    if (responded(response)) return true;
    void late(response).catch((err: unknown) => {
      lines.warn('not stored', { err, carrier: carrierId }, 'what the carrier sent was not stored');
    });
    return false;
  }

  /** Resolves when nothing is owed to the peer, or after `drainMs`. */
  function settled(drainMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(drainMs, resolve);
      quiet = () => {
        cancel();
        resolve();
      };
      changed();
    });
  }

  return {
    carrierId,
    abilities: { kinds: mm4Takes, mediaBytesMax: mm4.mediaBytesMax },
    start: (given) => {
      sink = given;
      listener.start();
      pool.start(deps.takesOnly === true);
    },
    capacity: sender.capacity,
    submit: sender.submit,
    stop: async (drainMs) => {
      stopped = true;
      await Promise.all([sender.stop(drainMs), settled(drainMs)]);
      await Promise.all([pool.stop(), listener.stop()]);
    },
    ...(mm4.readReports !== false && {
      reportRead: (message) =>
        answers.report({ ...reportOn(message, deps, 'rr'), type: 'MM4_read_reply_report.REQ', readStatus: 'Read' }),
    }),
    answered: (body) => answered(JSON.parse(body) as Mm4Response),
    status: () => ({ carrierId, up: up(), ...pool.status(), listening: listener.listening() }),
  };
}
