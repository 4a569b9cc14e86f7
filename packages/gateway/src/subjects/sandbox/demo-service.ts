/**
 * Adds and removes generated traffic for a company in the sandbox. Refuses a company with a live number; nothing is
 * sent, billed or notified.
 */
import { segment } from '@heliograph/text';
import { type Clock, dayMs, type EpochMs, type Random } from '../../kernel/clock.ts';
import { type AccountId, createIds, type Ids, type LaneId, type MessageId } from '../../kernel/ids.ts';
import { judgeSender } from '../../messaging/accept/sender.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import { demoDaysMax, demoKeyId } from '../../model/demo.ts';
import type { Directory } from '../../model/directory.ts';
import type { Account, MessageKind } from '../../model/records.ts';
import { retentionOf } from '../../model/retention.ts';
import { sandboxNumbers } from '../../model/sandbox.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { CarrierHistoryStore } from '../carrier-history/store/module.ts';
import type { ThreadStore } from '../conversations/store/module.ts';
import type { UsageStore } from '../usage/store/module.ts';
import { demoHistory } from './demo-history.ts';
import {
  type DemoContact,
  type DemoReply,
  type DemoSent,
  type DemoTraffic,
  demoContacts,
  demoTraffic,
} from './demo-traffic.ts';
import type { DemoStore } from './store/module.ts';

/** The generated data of a company. */
export interface DemoData {
  from: EpochMs;
  until: EpochMs;
  /** Recipients and replies together. */
  messages: number;
}

export type DemoRefusal = 'live numbers' | 'no number' | 'there already' | 'busy';

export interface DemoService {
  data(accountId: AccountId): Promise<DemoData | null>;
  seed(account: Account): Promise<DemoData | DemoRefusal>;
  /** How many messages were deleted; 0 when there were none. */
  remove(accountId: AccountId): Promise<number | Extract<DemoRefusal, 'busy'>>;
  /** Calls `listener` when the lists of an account have changed. */
  onChanged(listener: (accountId: AccountId) => void): void;
}

export interface DemoServiceParts {
  store: Pick<DemoStore, 'addDemo' | 'removeDemo'> &
    Pick<ThreadStore, 'thread' | 'markThread'> &
    Pick<SystemStore, 'getSetting' | 'putSetting'> &
    Pick<EventStore, 'eventPosition'> &
    Pick<UsageStore, 'countedTo' | 'hourlyCountedTo'> &
    Pick<CarrierHistoryStore, 'addCarrierHistory'>;
  clock: Clock;
  random: Random;
  directory(): Directory;
}

/** Messages of one transaction. */
const addedAtOnce = 150;
const removedAtOnce = 300;
const historyRowsAtOnce = 500;
const validityMs = 72 * 3_600_000;
/** Usage is counted about every second; usage that is not counted yet cannot be removed. */
const countedTries = 100;
const countedEveryMs = 100;
/** The newest conversations that stay unread. */
const unreadThreads = 3;
/** Older conversations count as read. */
const recentMs = 3_600_000;
const doneAfterMs = 6 * dayMs;

type Added = Parameters<DemoStore['addDemo']>[0];
type DemoRequest = Added['sent'][number];
type DemoReceived = Added['received'][number];
type Thread = Pick<DemoReply, 'from' | 'to' | 'at'> & { messageId: MessageId };

export function createDemoService({ store, clock, random, directory }: DemoServiceParts): DemoService {
  const settingOf = (accountId: AccountId) => `demo traffic ${accountId}`;
  /** One run at a time, over all companies. */
  let busy = false;
  const listeners: ((accountId: AccountId) => void)[] = [];

  function notifyChanged(accountId: AccountId): void {
    for (const listener of listeners) listener(accountId);
  }

  async function data(accountId: AccountId): Promise<DemoData | null> {
    const kept = await store.getSetting(settingOf(accountId));
    return kept === null || kept === '' ? null : JSON.parse(kept);
  }

  async function alone<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    if (busy) return 'busy';
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  }

  async function seed(account: Account): Promise<DemoData | DemoRefusal> {
    const { accountId } = account;
    const own = directory().records.numbers.filter((one) => one.accountId === accountId);
    if (own.some(({ environment }) => environment === 'live')) return 'live numbers';
    const [first, ...others] = readyNumbers(directory(), accountId);
    if (first === undefined) return 'no number';
    if ((await data(accountId)) !== null) return 'there already';
    const numbers = [first, ...others] as const;
    // No older messages than retention allows, because it has already passed that time.
    const days = Math.min(demoDaysMax, retentionOf(account).bodyDays);
    const contacts = await strangers(accountId, numbers);
    const traffic = demoTraffic({ now: clock.now(), days, numbers: [...numbers], contacts, random });
    const messages = traffic.reduce((sum, one) => sum + (one.what === 'sent' ? one.recipients.length : 1), 0);
    const made: DemoData = { from: traffic[0]!.at, until: clock.now() + 1, messages };
    // Before the first message, so that an interrupted run can be removed.
    await store.putSetting(settingOf(accountId), JSON.stringify(made));
    const carriers = carriersOf(directory(), first, clock.now());
    await write(accountId, traffic, carriers);
    for (const { stepMs, rows } of demoHistory({ traffic, carriers, from: made.from, now: clock.now() })) {
      for (const some of inPieces(rows, historyRowsAtOnce))
        await store.addCarrierHistory({ rows: some, demo: accountId, stepMs });
    }
    notifyChanged(accountId);
    return made;
  }

  /** Handsets without a real conversation with the company. */
  async function strangers(accountId: AccountId, numbers: readonly string[]): Promise<DemoContact[]> {
    const known = await Promise.all(
      demoContacts.map(async ({ number: peer }) => {
        const threads = await Promise.all(numbers.map((own) => store.thread({ accountId, own, peer })));
        return threads.some((thread) => thread !== null);
      }),
    );
    return demoContacts.filter((_, i) => !known[i]);
  }

  async function write(accountId: AccountId, traffic: readonly DemoTraffic[], carriers: Carriers): Promise<void> {
    const begins = traffic[0]!.at;
    const threads = new Map<string, Thread>();
    let at = begins;
    const ids = createIds({ ...clock, now: () => at }, random);

    async function add(some: readonly DemoTraffic[]): Promise<void> {
      const sent: DemoRequest[] = [];
      const received: DemoReceived[] = [];
      for (const one of some) {
        at = one.at;
        if (one.what === 'sent') sent.push(asRequest(one, accountId, carriers, ids, random));
        else {
          const text = asReceived(one, accountId, carriers.sms, ids);
          received.push(text);
          threads.set(`${one.to} ${one.from}`, { ...one, messageId: text.messageId });
        }
      }
      await store.addDemo({ begins, sent, received });
    }

    const recentAt = clock.now() - recentMs;
    const isRecent = (one: DemoTraffic) => one.at > recentAt;
    for (const some of inPieces(traffic.filter((one) => !isRecent(one)))) await add(some);
    await readThreads(accountId, threads, 0);
    for (const some of inPieces(traffic.filter(isRecent))) await add(some);
    await readThreads(accountId, threads, unreadThreads);
  }

  /** Marks all but the newest conversations as read. */
  async function readThreads(
    accountId: AccountId,
    threads: ReadonlyMap<string, Thread>,
    unread: number,
  ): Promise<void> {
    const newestFirst = [...threads.values()].sort((a, b) => b.at - a.at);
    for (const { to: own, from: peer, at, messageId } of newestFirst.slice(unread)) {
      const key = { accountId, own, peer };
      const done = clock.now() - at > doneAfterMs;
      await store.markThread({ ...key, readTo: messageId, done, assignedTo: null, snoozedUntil: null });
    }
  }

  async function remove(accountId: AccountId): Promise<number | 'busy'> {
    const there = await data(accountId);
    if (there === null) return 0;
    if (!(await isCounted())) return 'busy';
    let deleted = 0;
    for (let cursor: string | null = null; ; ) {
      const { from, until } = there;
      const step = await store.removeDemo({ accountId, from, until, limit: removedAtOnce, cursor });
      deleted += step.deleted;
      cursor = step.cursor;
      if (cursor === null) break;
    }
    await store.putSetting(settingOf(accountId), '');
    notifyChanged(accountId);
    return deleted;
  }

  /** Waits until everything in the log is counted: usage counted later would stay. */
  async function isCounted(): Promise<boolean> {
    const last = (await store.eventPosition({ accountId: '', eventId: 'latest' })) ?? 0;
    for (let tries = 0; tries < countedTries; tries++) {
      const marks = await Promise.all([store.countedTo(), store.hourlyCountedTo().then(({ mark }) => mark)]);
      if (Math.min(...marks) >= last) return true;
      await new Promise<void>((resolve) => clock.after(countedEveryMs, resolve));
    }
    return false;
  }

  return {
    data,
    seed: (account) => alone(() => seed(account)),
    remove: (accountId) => alone(() => remove(accountId)),
    onChanged: (listener) => {
      listeners.push(listener);
    },
  };
}

function inPieces<T>(list: readonly T[], size = addedAtOnce): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/** The seeded one first, because the documentation uses it. */
function readyNumbers(directory: Directory, accountId: AccountId): string[] {
  const ready = directory.records.numbers
    .map(({ number }) => number)
    .filter((number) => judgeSender(directory, number, accountId, 'sandbox', 'SMS').kind === 'ready');
  return ready.sort((a, b) => Number(b === sandboxNumbers.ready) - Number(a === sandboxNumbers.ready));
}

type Carriers = Record<'sms' | 'mms', string>;

/** The carriers that the sandbox's rules choose for texts and MMS of this number. */
function carriersOf(directory: Directory, from: string, at: EpochMs): Carriers {
  const to = demoContacts[0]!.number;
  const first = (kind: MessageKind) => directory.carriersFor({ environment: 'sandbox', from, to, kind, at }, 0)[0];
  const sms = first('SMS') ?? 'sandbox';
  return { sms, mms: first('MMS') ?? sms };
}

function asRequest(sent: DemoSent, accountId: AccountId, carriers: Carriers, ids: Ids, random: Random): DemoRequest {
  const { at, from, text, mediaUrls, referenceId, recipients } = sent;
  const outcomes = recipients.map(({ outcome }) => outcome);
  const direction = 'outbound' as const;
  const message = {
    requestId: ids.request(),
    accountId,
    keyId: demoKeyId,
    direction,
    referenceId,
    from,
    text,
    acceptedAt: at,
  };
  const delivery = (to: string, lane: LaneId) => ({ messageId: ids.message(), to, lane, expiresAt: at + validityMs });
  if (mediaUrls.length > 0) {
    const deliveries = recipients.map(({ to }) => delivery(to, carriers.mms));
    return { message: { ...message, messageType: 'MMS', mediaUrls }, deliveries, outcomes };
  }
  const deliveries = recipients.map(({ to }) => ({
    ...delivery(to, carriers.sms),
    concatReference: Math.floor(random.fraction() * 65_536),
  }));
  const sms = { messageType: 'SMS', wireText: null, ...sizeOf(text) } as const;
  return { message: { ...message, ...sms, mediaUrls: [] }, deliveries, outcomes };
}

function asReceived({ at, from, to, text }: DemoReply, accountId: AccountId, carrier: string, ids: Ids): DemoReceived {
  const requestId = ids.request();
  const messageId = ids.message();
  return { messageId, requestId, accountId, carrier, from, to, text, ...sizeOf(text), receivedAt: at };
}

function sizeOf(text: string) {
  const { encoding, segments } = segment(text);
  return { encoding, segments };
}
