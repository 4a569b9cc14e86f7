/**
 * Planted bug: a text goes to the carrier before the journal says that it is `sending`; that it was accepted is there in
 * time. The crash suites must find copies without dupRisk with it.
 */
import type { Entry } from '../../../packages/gateway/src/messaging/store/journaled/memtable.ts';
import { lateJournal } from './late-journal.ts';
import { plantJournal } from './plant.ts';

const markLaterMs = 1_000;

plantJournal((journal) =>
  lateJournal(journal, markLaterMs, (entry) => ({
    atOnce: { ...entry, accepted: entry.accepted.map(waiting), settled: [], claimed: [] },
    // Outcomes wait with it: they can be written of what is `sending` only.
    later: { ...entry, accepted: [], claimed: [...sendingAtOnce(entry), ...entry.claimed] },
  })),
);

function waiting(item: Entry['accepted'][number]): Entry['accepted'][number] {
  return { ...item, deliveries: item.deliveries.map((delivery) => ({ ...delivery, sending: false })) };
}

function sendingAtOnce({ accepted }: Entry): string[] {
  return accepted.flatMap(({ deliveries }) => deliveries.filter(({ sending }) => sending).map((one) => one.messageId));
}
