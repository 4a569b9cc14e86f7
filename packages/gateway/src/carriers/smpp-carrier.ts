/**
 * The SMPP adapter: wires sender, binds and inbox of one carrier together and tells the flow of them in batches, one for
 * everything that came in one socket read. It never decides what an outcome means for a message.
 */
import type { Clock } from '../domain/clock.ts';
import { type CarrierRecord, carrierAbilities } from '../domain/records.ts';
import type { Carrier, CarrierSink } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import { oncePerTick } from './once-per-tick.ts';
import { createPace } from './pace.ts';
import { createBinds } from './smpp-binds.ts';
import { createSmppInbox } from './smpp-inbox.ts';
import { createSmppSender } from './smpp-sender.ts';
import { wordRulesOf } from './smpp-words.ts';

/** Waking for each single token of the rate budget would cost more than it sends. */
const paceWakeMsMin = 20;

export function createSmppCarrier(record: CarrierRecord, deps: CarrierDeps): Carrier {
  const { carrierId, smpp } = record;
  const { clock } = deps;
  const pace = createPace(smpp.messagesPerSecond, clock.monotonicMs());
  const inbox = createSmppInbox(wordRulesOf(record), deps);
  const flushSoon = oncePerTick(flush);
  const binds = createBinds(smpp, deps, {
    changed: linkChanged,
    request: (request) => {
      inbox.add(request);
      flushSoon();
    },
  });
  const sender = createSmppSender({ record, clock, pace, binds, changed: grown });
  const wake = createWake(clock, grown);
  let sink: CarrierSink | null = null;
  let mayHaveGrown = false;
  let linkUp: boolean | null = null;
  let stopped = false;

  function grown(): void {
    mayHaveGrown = true;
    flushSoon();
  }

  function flush(): void {
    if (sink === null) return;
    sender.pump();
    const ready = capacity() > 0 && mayHaveGrown;
    mayHaveGrown = false;
    const results = sender.takeResults();
    // Outcomes before receipts: both may be in one read, and then the receipt finds its message `sent`.
    if (results.length > 0) sink.results(results);
    else if (ready) sink.ready();
    inbox.flush(sink);
  }

  function linkChanged(): void {
    const up = binds.up();
    if (!up) sender.giveBack();
    grown();
    if (up === linkUp || stopped) return;
    linkUp = up;
    sink?.link(up, up ? 'bound' : binds.detail());
  }

  function capacity(): number {
    if (stopped || !binds.up()) return 0;
    const now = clock.monotonicMs();
    const room = Math.min(binds.free(), pace.left(now)) - sender.waiting();
    // A slot comes free with an answer, which wakes us anyway; rate comes back only with time.
    if (room <= 0) wake.within(pace.waitMs(now));
    return Math.max(0, room);
  }

  return {
    carrierId,
    abilities: { kinds: carrierAbilities[record.kind] },
    start: (given) => {
      sink = given;
      binds.start();
    },
    capacity,
    submit: (batch) => {
      for (const submission of batch) sender.add(submission);
      sender.pump();
      // For its side effect: what waits for rate now has to be woken.
      capacity();
    },
    stop: async (drainMs) => {
      stopped = true;
      wake.cancel();
      sender.close();
      await binds.stop(drainMs);
      flush();
    },
    status: () => ({ carrierId, up: binds.up(), binds: binds.status() }),
  };
}

/** One timer at a time; none when there is nothing to wait for. */
function createWake(clock: Clock, run: () => void) {
  let cancel: (() => void) | null = null;
  return {
    within: (waitMs: number): void => {
      if (waitMs === 0 || cancel !== null) return;
      cancel = clock.after(Math.max(paceWakeMsMin, waitMs), () => {
        cancel = null;
        run();
      });
    },
    cancel: (): void => cancel?.(),
  };
}
