/** The SMPP adapter: connects sender, binds and inbox of one carrier, and reports in batches, one per socket read. */
import type { ProtocolError } from '@heliograph/smpp';
import { oncePerTick } from '../../kernel/once-per-tick.ts';
import { createSummedLog } from '../../kernel/summed-log.ts';
import type { Carrier, CarrierSink } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { createPace, createWake } from '../pace.ts';
import { createBinds } from './binds.ts';
import { codecRulesOf } from './codec.ts';
import { createSmppInbox } from './inbox.ts';
import { createPduLog } from './pdu-log.ts';
import { type SmppCarrierRecord, smppTakes } from './profile.ts';
import { createSmppSender } from './sender.ts';

/**
 * The most results reported at once; the rest follow in the next turn. While the store writes the first, the carrier
 * already works on the messages that took their slots.
 */
const resultsPerReport = 50;

export function createSmppCarrier(record: SmppCarrierRecord, deps: CarrierDeps): Carrier {
  const { carrierId, smpp } = record;
  const { clock } = deps;
  const pace = createPace(smpp.messagesPerSecond, clock.monotonicMs(), deps.rateShare);
  const rules = codecRulesOf(record);
  const reportSoon = oncePerTick(report);
  const log = createPduLog(clock);
  const lines = createSummedLog(deps);
  const inbox = createSmppInbox(rules, deps, lines, () => sink!);
  const binds = createBinds(smpp, deps, { changed: linkChanged, request: inbox, broke }, log);
  const sender = createSmppSender({ record, clock, pace, binds, changed: reportSoon, answered: rules.ids.answered });
  const wake = createWake(clock, reportSoon);
  let sink: CarrierSink | null = null;
  let linkUp: boolean | null = null;
  let stopped = false;

  function broke({ what, detail }: ProtocolError): void {
    lines.warn(what, { carrier: carrierId, what, detail }, 'the carrier broke the protocol');
  }

  /** Results may be ready, or capacity may have grown. */
  function report(): void {
    pump();
    const results = sender.takeResults(resultsPerReport);
    if (sender.untaken() > 0) setImmediate(reportSoon);
    if (results.length > 0) sink?.results(results);
    else if (capacity() > 0) sink?.ready();
  }

  function pump(): void {
    if (stopped) return;
    if (deps.mayHandOver?.() === false) sender.giveBack();
    const nowMs = clock.monotonicMs();
    sender.pump(nowMs);
    // A freed slot wakes us with its answer; rate returns only with time.
    wake.within(pace.waitMs(nowMs));
  }

  function linkChanged(): void {
    const up = binds.up();
    if (!up) sender.giveBack();
    reportSoon();
    if (up === linkUp || stopped) return;
    linkUp = up;
    sink?.link(up, up ? 'bound' : binds.detail());
  }

  function capacity(): number {
    if (stopped || !binds.up()) return 0;
    // A window slot is reusable only after its result is reported, so the outcome commits no later than the next message in that slot.
    const places = binds.free() - sender.untaken();
    return Math.max(0, Math.min(places, pace.left(clock.monotonicMs())) - sender.waiting());
  }

  return {
    carrierId,
    abilities: { kinds: smppTakes, mediaBytesMax: 0 },
    start: (given) => {
      sink = given;
      binds.start();
    },
    capacity,
    submit: (batch) => {
      for (const submission of batch) sender.add(submission);
      pump();
    },
    stop: async (drainMs) => {
      stopped = true;
      wake.cancel();
      sender.giveBack();
      await binds.stop(drainMs);
      do report();
      while (sender.untaken() > 0);
      lines.close();
    },
    status: () => ({ carrierId, up: binds.up(), ...binds.status() }),
    retry: binds.retry,
    log,
  };
}
