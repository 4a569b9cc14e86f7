/** Old rows move to the database piece by piece, while further texts are accepted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { catalogue } from '../../app/modules.ts';
import { openStore } from '../../app/open-store.ts';
import { journaledMessages } from '../../messaging/store/journaled/recover.ts';
import type { Claimed } from '../../messaging/store/operations/claim.ts';
import type { Claim, Settlement } from '../../model/delivery.ts';
import type { WriteCall } from '../catalogue.ts';
import { createPositions } from '../context.ts';
import { acceptItem, minute, receipt, settlement, start } from '../contract/fixture.ts';
import { migrateAll } from '../migrate.ts';
import { openSqliteWriter, type SqliteConnection } from '../sqlite-connection.ts';
import { beginNode, journalGeneration, lastPosition, nodeToken } from '../system/operations.ts';
import { copyFiles, statesOf } from './crash-fixture.ts';
import { openJournal } from './journal.ts';
import { JournaledWriter } from './writer.ts';

/** Late enough for everything accepted at `start` to be old. */
const later = start + minute;
const count = 300;

let folder: string;
let connection: SqliteConnection;
let closes: (() => void)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-writer-'));
  closes = [];
});

afterEach(() => {
  for (const close of closes) close();
  rmSync(folder, { recursive: true });
});

/** Opens the writer like the thread of a node. */
function openWriter(pagesMax?: number) {
  connection = openSqliteWriter(join(folder, 'store.db'), pagesMax === undefined ? {} : { pagesMax });
  closes.push(connection.close);
  migrateAll(connection, start);
  const generation = connection.read(journalGeneration()) + 2;
  const journal = openJournal(join(folder, 'store.journal'), generation);
  closes.push(journal.close);
  expect(journal.freeBytes()).toBeGreaterThan(0);
  const token = connection.write(beginNode(generation - 1, true));
  connection.began(token);
  const context = { token, positions: createPositions(connection.read(lastPosition())), sending: new Map() };
  const buffer = journaledMessages.openBuffer(token);
  return new JournaledWriter({ catalogue, buffer, connection, journal, generation, isNoted: true, context });
}

/** Accepts texts that are sent at once; returns their ids. */
function send(writer: JournaledWriter, texts: number, { at = start, answered = true } = {}): string[] {
  const items = Array.from({ length: texts }, () => acceptItem(at, {}));
  const deliveries = items.flatMap((item) => item.deliveries);
  for (const delivery of deliveries) delivery.sending = true;
  writer.commit([{ kind: 'accept', items }], at);
  if (answered) writer.commit([answers(deliveries.map(({ messageId }) => messageId))], at);
  return deliveries.map(({ messageId }) => messageId);
}

const answers = (ids: readonly string[], fields: Partial<Settlement> = {}): WriteCall => ({
  kind: 'settle',
  items: ids.map((messageId) => settlement({ messageId, attempt: 1, lane: 'c1' } as Claim, start, fields)),
});

const claims = (limit: number): WriteCall => ({
  kind: 'claim',
  items: [{ lane: 'c1', limit, now: later, token: connection.read(nodeToken()) }],
});

const counts = (from: number, to: number): WriteCall => ({ kind: 'addUsage', items: [{ from, to, rows: [] }] });

function rowsIn(table: 'deliveries' | 'parts' | 'events', path = folder): number {
  const database = new DatabaseSync(join(path, 'store.db'), { readOnly: true });
  try {
    return Number(database.prepare(`select count(*) as rows from ${table}`).get()!.rows);
  } finally {
    database.close();
  }
}

/** Sent texts, of which the first ones are half written to the database. */
function halfWay(writer: JournaledWriter): string[] {
  const ids = send(writer, count);
  send(writer, 1, { at: later });
  writer.relieve(1);
  for (let pieces = 0; pieces < 8; pieces += 1) writer.piece();
  expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([true, 0]);
  return ids;
}

function end(writer: JournaledWriter): void {
  for (let pieces = 0; writer.isWriting(); pieces += 1) {
    expect(pieces).toBeLessThan(100);
    writer.piece();
  }
}

describe('texts that were sent long ago', () => {
  it('are written while others are accepted, which stay in memory', () => {
    const writer = openWriter();
    halfWay(writer);
    send(writer, 3, { at: later });
    expect(writer.isWriting()).toBe(true);
    end(writer);
    expect([rowsIn('deliveries'), rowsIn('parts'), rowsIn('events')]).toEqual([256, 256, 256]);
    writer.relieve(1);
    end(writer);
    expect(rowsIn('deliveries')).toBe(count + 4);
    writer.flush();
    expect([rowsIn('deliveries'), rowsIn('parts')]).toEqual([count + 4, count + 4]);
  });

  it('are left alone until they are old, when they are too few to be written together', () => {
    const writer = openWriter();
    send(writer, 200);
    send(writer, 100, { answered: false });
    send(writer, 1, { at: start + 9_000 });
    writer.relieve(1);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, 0]);
  });

  it('are all written before anything that the database must do', () => {
    const writer = openWriter();
    const [first] = halfWay(writer);
    // A second result for a text that is being written: the database knows that it is too late.
    expect(writer.commit([answers([first!], { to: 'failed', code: 'CARRIER_REJECTED', parts: [] })], later)).toEqual([
      [[]],
    ]);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, 256 + 32]);
    halfWayAgain(writer);
    writer.flush();
    expect([writer.isWriting(), writer.holds()]).toEqual([false, false]);
    expect(rowsIn('parts')).toBe(rowsIn('deliveries'));
  });

  it('are written at once after a large group, and when one of them has no answer yet', () => {
    const writer = openWriter();
    halfWay(writer);
    send(writer, 50, { at: later });
    writer.relieve(50);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, count + 51]);
    send(writer, 1, { at: later, answered: false });
    send(writer, 99, { at: later });
    send(writer, 1, { at: later + minute });
    writer.relieve(1);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, count + 51 + 32]);
  });
});

describe('a write in pieces', () => {
  it('goes on after the groups that one of its pieces has held up, and is ended by a burst of them', () => {
    const writer = openWriter();
    halfWay(writer);
    const goesOn = (rows: number) => {
      writer.relieve(rows);
      return writer.isWriting();
    };
    expect([20, 40, 20].map(goesOn)).toEqual([true, true, true]);
    expect(Array.from({ length: 8 }, () => goesOn(20)).at(-1)).toBe(false);
    expect(rowsIn('deliveries')).toBe(count + 1);
  });

  it('goes on beside a claim for which the database has nothing', () => {
    const writer = openWriter();
    halfWay(writer);
    expect(writer.commit([claims(5)], later)).toEqual([[{ requests: [], deliveries: [] }]]);
    expect(writer.isWriting()).toBe(true);
    writer.commit([counts(0, 1), claims(5)], later);
    expect(writer.isWriting()).toBe(false);
  });
});

describe('a claim', () => {
  const claimed = (results: unknown[][]) => (results.at(-1)![0] as Claimed).deliveries.length;

  it('begins no transaction while the database has nothing due, and gets what has become due there', () => {
    const writer = openWriter();
    const synced = vi.spyOn(connection, 'write');
    expect(claimed(writer.commit([claims(5)], start))).toBe(0);
    expect(synced).not.toHaveBeenCalled();
    writer.commit([{ kind: 'accept', items: [acceptItem(start, {}), acceptItem(start, {})] }], start);
    writer.flush();
    expect(claimed(writer.commit([claims(1)], start))).toBe(1);
    expect(claimed(writer.commit([counts(0, 1), claims(5)], start))).toBe(1);
  });

  it('gets what the same commit makes due in the database', () => {
    const writer = openWriter();
    const other = acceptItem(start, {});
    writer.commit([{ kind: 'accept', items: [other] }], start);
    writer.flush();
    const { messageId } = other.deliveries[0]!;
    expect(claimed(writer.commit([claims(1)], start))).toBe(1);
    const back = settlement({ messageId, attempt: 1, lane: 'c1' } as Claim, start, {
      to: 'queued',
      parts: [],
      dueAt: start,
    });
    expect(claimed(writer.commit([{ kind: 'settle', items: [back] }, claims(1)], start))).toBe(1);
  });
});

describe('the sync of a commit', () => {
  /** How the database was written to. */
  function ways(calls: (writer: JournaledWriter) => WriteCall[]): string {
    const writer = openWriter();
    const used: string[] = [];
    for (const way of ['write', 'writeBehind', 'sync'] as const) {
      const real = connection[way] as (...all: unknown[]) => unknown;
      vi.spyOn(connection, way).mockImplementation(((...all: unknown[]) => {
        used.push(way);
        return real(...all);
      }) as never);
    }
    writer.commit(calls(writer), start);
    return used.join(', ');
  }

  const fanOut = (deliveries: object[]): WriteCall => ({ kind: 'fanOut', items: [{ from: 0, to: 1, deliveries }] });
  const setting: WriteCall = { kind: 'putSetting', items: [{ name: 'one', value: 'x' }] };
  const delivery = {
    ...{ endpointId: 'whk1', accountId: 'acc1', position: 1, eventId: 'evt1', type: 'message.sent', at: start },
  };

  const failing = (writer: JournaledWriter) =>
    answers(send(writer, 1, { answered: false }), { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });

  it.each<[string, (writer: JournaledWriter) => WriteCall[], string]>([
    ['left out for counts, which are made again', () => [counts(0, 1)], 'writeBehind'],
    ['left out for a mark of webhooks without any', () => [fanOut([])], 'writeBehind'],
    ['left out where a claim beside them finds nothing', () => [counts(0, 1), claims(3)], 'writeBehind'],
    ['made for webhooks', () => [fanOut([delivery])], 'write'],
    ['made for a setting', () => [setting], 'write'],
    ['made for what leaves memory beside counts', (writer) => [failing(writer), counts(0, 1)], 'write'],
    ['made for a setting beside counts', () => [setting, counts(0, 1)], 'writeBehind, sync'],
  ])('is %s', (_, calls, expected) => {
    expect(ways(calls)).toBe(expected);
  });

  it('changes nothing about whose results are whose', () => {
    const writer = openWriter();
    const [[stored], [counted]] = [writer.commit([setting], start), writer.commit([counts(0, 1)], start)];
    expect(stored).not.toEqual(counted);
    expect(writer.commit([setting, counts(1, 2)], start)).toEqual([stored, counted]);
    expect(writer.commit([counts(2, 3), setting], start)).toEqual([counted, stored]);
  });
});

describe('texts that have just been sent', () => {
  it('are written as soon as there are enough of them, whatever older ones are under way', () => {
    const writer = openWriter();
    send(writer, 10, { answered: false });
    send(writer, count);
    writer.relieve(1);
    end(writer);
    expect([rowsIn('deliveries'), rowsIn('parts')]).toEqual([256, 256]);
    writer.relieve(1);
    expect(writer.isWriting()).toBe(false);
    writer.flush();
    expect([rowsIn('deliveries'), rowsIn('parts')]).toEqual([count + 10, count]);
  });

  it('stay in memory after a large group, and while memory holds a burst', () => {
    const writer = openWriter();
    send(writer, count);
    writer.relieve(50);
    expect(writer.isWriting()).toBe(false);
    for (let groups = 0; groups < 16; groups += 1) send(writer, 256);
    writer.relieve(1);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, 0]);
  });
});

describe('a commit that the database has to sync', () => {
  const unknown: WriteCall = {
    kind: 'receipts',
    items: [receipt(start, { carrierMessageId: 'x', to: '14155550199' })],
  };

  it('takes along some of the texts that have ended', () => {
    const writer = openWriter();
    send(writer, 3);
    const [open] = send(writer, 1, { answered: false });
    send(writer, 40);
    writer.commit([unknown], start);
    expect([rowsIn('deliveries'), rowsIn('parts')]).toEqual([32, 32]);
    writer.commit([unknown], start);
    expect([rowsIn('deliveries'), rowsIn('parts')]).toEqual([43, 43]);
    writer.commit([answers([open!])], start);
    expect(rowsIn('deliveries')).toBe(43);
  });

  it('leaves them while a burst lasts', () => {
    const writer = openWriter();
    send(writer, 40);
    for (let groups = 0; groups < 16; groups += 1) writer.relieve(40);
    writer.commit([unknown], start);
    expect(rowsIn('deliveries')).toBe(0);
  });
});

describe('texts of a burst', () => {
  it('stay in memory after a small group too, and are written once groups are small again', () => {
    const writer = openWriter();
    send(writer, count);
    for (let groups = 0; groups < 90; groups += 1) writer.relieve(groups % 10 === 9 ? 1 : 40);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, 0]);
    let small = 0;
    while (!writer.isWriting() && small < 99) {
      writer.relieve(3);
      small += 1;
    }
    expect(small).toBeGreaterThan(9);
    end(writer);
    expect(rowsIn('deliveries')).toBe(256);
  });

  it('are written at once when they are old, also after a small group', () => {
    const writer = openWriter();
    send(writer, count);
    for (let groups = 0; groups < 16; groups += 1) writer.relieve(40);
    send(writer, 1, { at: later });
    writer.relieve(4);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, 32]);
    writer.relieve(9);
    expect([writer.isWriting(), rowsIn('deliveries')]).toEqual([false, 160]);
  });
});

describe('a write that does not end', () => {
  it('leaves all texts to the journal when the process dies', async () => {
    const writer = openWriter();
    const ids = halfWay(writer);
    const copy = await openStore({
      dataDir: copyFiles(folder, join(folder, 'copy')),
      role: 'node',
      clock: movedClock(later),
    });
    expect(new Set(await statesOf(copy, ids))).toEqual(new Set(['sent']));
    await copy.close();
    expect(rowsIn('deliveries', join(folder, 'copy'))).toBe(count + 1);
  });

  it('leaves all texts in memory and in the journal when the disk is full', async () => {
    openWriter();
    const pages = pagesOf();
    for (const close of closes.splice(0)) close();
    const writer = openWriter(pages + 20);
    const ids = send(writer, count);
    send(writer, 1, { at: later });
    writer.relieve(1);
    end(writer);
    expect([rowsIn('deliveries'), writer.holds(), writer.takes([answers([])])]).toEqual([0, true, false]);
    const copy = await openStore({
      dataDir: copyFiles(folder, join(folder, 'copy')),
      role: 'node',
      clock: movedClock(later),
    });
    expect(new Set(await statesOf(copy, ids))).toEqual(new Set(['sent']));
    await copy.close();
  });
});

function halfWayAgain(writer: JournaledWriter): void {
  send(writer, 20, { at: later });
  send(writer, 1, { at: later + minute });
  writer.relieve(1);
  writer.piece();
  expect(writer.isWriting()).toBe(true);
}

function pagesOf(): number {
  const database = new DatabaseSync(join(folder, 'store.db'), { readOnly: true });
  const [pages] = Object.values(database.prepare('pragma page_count').get()!);
  database.close();
  return Number(pages);
}
