/**
 * Planted bug: a text goes to the carrier before the journal marks it `sending`; its acceptance is journaled in time.
 * The crash suites must find copies without dupRisk.
 */
import type { Entry } from '../../../packages/gateway/src/messaging/store/journaled/memtable.ts';
import { lateFrames, lateJournal, type Split } from './late-journal.ts';
import { plantFrames, plantJournal } from './plant.ts';

const markLaterMs = 1_000;

const marks: Split = (entry) => ({
  atOnce: { ...entry, accepted: entry.accepted.map(waiting), settled: [], claimed: [] },
  // Outcomes are delayed too: they can be recorded only for a message that is `sending`.
  later: { ...entry, accepted: [], claimed: [...sendingAtOnce(entry), ...entry.claimed] },
});

plantJournal((journal) => lateJournal(journal, markLaterMs, marks));
plantFrames((addFrame) => lateFrames(addFrame, markLaterMs, marks));

function waiting(item: Entry['accepted'][number]): Entry['accepted'][number] {
  return { ...item, deliveries: item.deliveries.map((delivery) => ({ ...delivery, sending: false })) };
}

function sendingAtOnce({ accepted }: Entry): string[] {
  return accepted.flatMap(({ deliveries }) => deliveries.filter(({ sending }) => sending).map((one) => one.messageId));
}
