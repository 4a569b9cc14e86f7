/** Generated traffic for a company: what is refused, one run at a time, and cleaning up after an interrupted run. */
import { beforeEach, describe, expect, it } from 'vitest';
import { dice, steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { CarrierRecord, Environment, Route, SendingNumber } from '../../model/records.ts';
import { carrier, recordsWith } from '../../model/world-fixture.ts';
import { sandboxAccount, sandboxCampaigns, sandboxRoutes, sandboxSendingNumbers } from '../records/sandbox-records.ts';
import { createDemoService, type DemoService, type DemoServiceParts } from './demo-service.ts';
import { demoContacts } from './demo-traffic.ts';

const { accountId } = sandboxAccount;
const dayMs = 86_400_000;
type Added = Parameters<DemoServiceParts['store']['addDemo']>[0];

let clock: ReturnType<typeof movedClock>;
let numbers: SendingNumber[];
let carriers: CarrierRecord[];
let routes: Route[];
let kept: Map<string, string>;
let added: Added[];
let history: Parameters<DemoServiceParts['store']['addCarrierHistory']>[0][];
let marked: unknown[];
let counted: number;
let known: string[];
let notified: string[];
let write: () => Promise<void>;
let service: DemoService;

beforeEach(() => {
  clock = movedClock();
  numbers = [...sandboxSendingNumbers];
  [carriers, routes] = [[], []];
  kept = new Map();
  [added, marked, known, notified, history] = [[], [], [], [], []];
  counted = 7;
  write = async () => {};
  let rest = 3;
  const store: DemoServiceParts['store'] = {
    addDemo: async (request) => {
      await write();
      added.push(request);
    },
    addCarrierHistory: async (some) => void history.push(some),
    removeDemo: async ({ cursor }) => ({ deleted: 5, cursor: rest-- > 1 ? `${cursor}+` : null }),
    thread: async ({ peer }) => (known.includes(peer) ? ({} as never) : null),
    markThread: async (request) => {
      marked.push(request);
      return true;
    },
    getSetting: async (name) => kept.get(name) ?? null,
    putSetting: async (name, value) => void kept.set(name, value),
    eventPosition: async () => 7,
    countedTo: async () => counted,
    hourlyCountedTo: async () => ({ mark: counted, last: counted }),
  };
  const records = () =>
    recordsWith({ accounts: [sandboxAccount], numbers, campaigns: sandboxCampaigns, carriers, routes });
  service = createDemoService({
    store,
    clock,
    random: { ...steadyRandom(), fraction: dice(7) },
    directory: () => buildDirectory(records()),
  });
  service.onChanged((account) => notified.push(account));
});

const extra = (environment: Environment): SendingNumber => ({
  ...sandboxSendingNumbers[0]!,
  number: '13125550177',
  environment,
});

describe('demo traffic of a company', () => {
  it.each([
    ['the carriers that the rules of the sandbox give it', sandboxRoutes, ['SMS sim-carrier', 'MMS sim-mm7']],
    ['no carrier by name where no rule fits', [], ['SMS sandbox', 'MMS sandbox']],
  ])('goes over %s', async (_, rules, expected) => {
    const kinds = [['sim-carrier', 'smpp'] as const, ['sim-mm4', 'mm4'] as const, ['sim-mm7', 'mm7'] as const];
    carriers = kinds.map(([carrierId, kind]) => carrier(carrierId, kind, { environment: 'sandbox' }));
    routes = rules;
    await service.seed(sandboxAccount);
    const lanes = added.flatMap(({ sent }) =>
      sent.flatMap(({ message, deliveries }) => deliveries.map(({ lane }) => `${message.messageType} ${lane}`)),
    );
    expect(new Set(lanes)).toEqual(new Set(expected));
  });

  it('counts in the history of its carriers as it would if it were real', async () => {
    const made = (await service.seed(sandboxAccount)) as { from: number };
    expect(new Set(history.map(({ demo }) => demo))).toEqual(new Set([accountId]));
    const hours = history.filter(({ stepMs }) => stepMs === 3_600_000).flatMap(({ rows }) => rows);
    const total = (name: 'taken' | 'refused' | 'delivered' | 'undelivered') =>
      hours.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0);
    const outcomes = added.flatMap(({ sent }) => sent.flatMap((one) => one.outcomes));
    const ended = (to: string) => outcomes.filter((one) => one.to === to).length;
    expect(['delivered', 'undelivered', 'refused'].map((name) => total(name as 'taken'))).toEqual([
      ...[ended('delivered'), ended('undelivered'), ended('failed')],
    ]);
    expect(total('taken')).toBe(outcomes.length - ended('failed'));
    expect(ended('failed')).toBeGreaterThan(0);
    const delays = hours.flatMap(({ counts }) => counts.filter(({ part }) => part === 'delay'));
    expect(delays.reduce((sum, { count }) => sum + count, 0)).toBe(ended('delivered') + ended('undelivered'));
    // Covers the time from the first message to now, by the minute for the hours that are compared by the minute.
    const [first] = hours;
    expect(first!.at).toBe(Math.floor(made.from / 3_600_000) * 3_600_000);
    const minutes = history.filter(({ stepMs }) => stepMs === 60_000).flatMap(({ rows }) => rows);
    expect(minutes.filter(({ figures }) => figures.taken !== undefined).length).toBeGreaterThan(5);
    expect(minutes[0]!.at).toBeGreaterThan(clock.now() - 13 * 3_600_000);
  });

  it('is written in pieces, in the order of time, and reported', async () => {
    const made = await service.seed(sandboxAccount);
    expect(made).toEqual(await service.data(accountId));
    expect(added.length).toBeGreaterThan(3);
    const times = added.map(({ sent }) => sent[0]!.message.acceptedAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const ids = added.flatMap(({ sent }) => sent.flatMap(({ deliveries }) => deliveries.map((one) => one.messageId)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(added.flatMap(({ sent }) => sent.map(({ message }) => message.keyId)))).toEqual(
      new Set(['demo:traffic']),
    );
    expect(marked.length).toBeGreaterThan(10);
    expect(notified).toEqual([accountId]);
  });

  it('is refused beside live numbers, without a number that may send, and twice', async () => {
    numbers.push(extra('live'));
    expect(await service.seed(sandboxAccount)).toBe('live numbers');
    numbers = numbers.filter(({ smsEnabled }) => !smsEnabled);
    expect(await service.seed(sandboxAccount)).toBe('no number');
    numbers = [extra('sandbox')];
    expect(await service.seed(sandboxAccount)).toMatchObject({ messages: expect.any(Number) });
    const before = added.length;
    expect(await service.seed(sandboxAccount)).toBe('there already');
    expect(added.length).toBe(before);
  });

  it('begins no earlier than the company keeps texts, and leaves its own conversations alone', async () => {
    known = demoContacts.map(({ number }) => number);
    const made = await service.seed({ ...sandboxAccount, retention: { bodyDays: 4, metadataDays: 40 } });
    expect(made).toMatchObject({ from: expect.any(Number) });
    expect((made as { from: number }).from).toBeGreaterThan(clock.now() - 4 * dayMs);
    expect(added.flatMap(({ received }) => received)).toEqual([]);
  });

  it('is made and removed by one at a time, and can be removed after a half-way end', async () => {
    let fail: (error: Error) => void = () => {};
    write = () => new Promise((_, reject) => (fail = reject));
    const seeding = service.seed(sandboxAccount);
    expect(await service.seed(sandboxAccount)).toBe('busy');
    expect(await service.remove(accountId)).toBe('busy');
    while ((await service.data(accountId)) === null) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    fail(new Error('the disk is full'));
    await expect(seeding).rejects.toThrow('the disk is full');
    expect(await service.remove(accountId)).toBe(15);
    expect(await service.data(accountId)).toBeNull();
    expect(await service.remove(accountId)).toBe(0);
  });

  it('stays while its usage is not counted', async () => {
    await service.seed(sandboxAccount);
    counted = 6;
    let answer: unknown = null;
    void service.remove(accountId).then((value) => {
      answer = value;
    });
    for (let tries = 0; tries < 200 && answer === null; tries++) {
      clock.pass(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(answer).toBe('busy');
    expect(await service.data(accountId)).not.toBeNull();
  });
});
