/** Fixture for tests of accepting: one account, numbers in every condition, and a store in memory. */
import type { PartStyle } from '@heliograph/smpp';
import { buildDirectory } from '../../carriers/directory.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineClock, machineRandom } from '../../kernel/machine.ts';
import type { Claim } from '../../model/delivery.ts';
import { defaultLimits, type Limits } from '../../model/limits.ts';
import type { Account } from '../../model/records.ts';
import type { AcceptedSend, Caller, SendContext, SendOutcome, SendRequest } from '../../model/send.ts';
import { acme, campaign, carrier, keyOf, newPair, number, recordsWith, route } from '../../model/world-fixture.ts';
import { onlyNode } from '../../store/engine.ts';
import { runSync } from '../../store/query.ts';
import { type DayGrant, type DayRequest, takeOfDay } from '../../store/system/operations.ts';
import type { AcceptItem, AcceptResult } from '../store/items.ts';
import { createAcceptor } from './accept.ts';
import type { TooLong } from './backlog.ts';
import { createReferences } from './reference.ts';

export const caller: Caller = {
  account: acme,
  key: keyOf(newPair('live'), { keyId: 'k1', accountId: acme.accountId, environment: 'live' }),
};

interface WorldChanges {
  clock?: Clock;
  limits?: Partial<Limits>;
  account?: Partial<Account>;
  up?: string[];
  /** Carriers `m` and `n`, which accept MMS, are on the route too. */
  mms?: boolean;
  hasMediaCapacity?(): Promise<boolean> | boolean;
  hasSpace?: () => boolean;
  /** `SCOPE CONTACT` of each opt-out. */
  optedOut?: string[];
  /** How the carriers take texts; messages to 1415… go over `b` only. */
  smpp?: { a?: Partial<PartStyle>; b?: Partial<PartStyle> };
  /** With other processes: whether one of them has entered an opt-out of a recipient. */
  stopped?(items: AcceptItem[]): boolean;
  /** A new message would wait too long behind those that wait for these carriers. */
  late?: TooLong;
  /** A new message would wait too long at every carrier. */
  lateEverywhere?: boolean;
  /** Called when the list in memory has what other processes entered. */
  caughtUp?(): void;
}

const plain = { longMessage: 'udh8', defaultAlphabet: 'gsm' } as const;

export function world(more: WorldChanges = {}) {
  const records = recordsWith({
    accounts: [{ ...acme, ...more.account }],
    numbers: [
      number('12025550199'),
      number('12025550198', { smsEnabled: false }),
      number('12025550197', { campaignId: null }),
      number('12025550196', { campaignId: 'SUSPENDED' }),
      number('12025550195', { campaignId: 'REVIEW' }),
      number('12025550194', { mmsEnabled: false }),
      number('12025550193', { accountId: 'other' }),
      number('12025550192', { environment: 'sandbox' }),
      number('12025550191', { messagesPerSecond: 2 }),
      number('12345'),
      number('12346', { campaignId: null, verified: true }),
      number('12347', { campaignId: null }),
      number('18885550100', { campaignId: null, verified: true }),
      number('18885550101', { campaignId: null }),
      number('18885550102', { campaignId: 'REVIEW', verified: true }),
      number('18885550103'),
      number('12025550190', { campaignId: null, verified: true }),
      number('Acme Shop', { campaignId: null, mmsEnabled: false, countries: ['DO', 'JM'] }),
    ],
    campaigns: [
      campaign('C1'),
      campaign('SUSPENDED', { status: 'suspended' }),
      campaign('REVIEW', { status: 'in_review' }),
    ],
    carriers: [
      ...(['a', 'b'] as const).map((id) => carrier(id, 'smpp', { smpp: { ...plain, ...more.smpp?.[id] } })),
      carrier('m', 'mm7'),
      carrier('n', 'mm4'),
    ],
    routes: [
      route('r', ['a', 'b', ...(more.mms === true ? ['m', 'n'] : [])], { prefix: '1' }),
      route('only b', ['b'], { prefix: '1415' }),
    ],
  });
  const clock = more.clock ?? machineClock;
  const directory = buildDirectory(records);
  const stored: AcceptItem[] = [];
  const answers = new Map<string, { bodyHash: string; answer: string; requestId: string }>();
  const settings = new Map<string, string>();
  /** Lanes; `media` for the media worker. */
  const nudged: string[] = [];
  /** What the lanes have room for, and what was handed to them without being queued. */
  const slots: { free: number; taken: Claim[] } = { free: 0, taken: [] };
  const memory = { version: 3 };
  const gate: { closed: Promise<void> | null; fails: Error | null; waits: boolean } = {
    closed: null,
    fails: null,
    waits: false,
  };
  const acceptor = createAcceptor({
    clock,
    random: machineRandom,
    ids: createIds(clock, machineRandom),
    limits: { ...defaultLimits, ...more.limits },
    directory: () => directory,
    consent: {
      isOptedOut: (scope, contact) => more.optedOut?.includes(`${scope} ${contact}`) === true,
      version: () => memory.version,
    },
    memory: {
      catchUp: async () => {
        memory.version += 1;
        more.caughtUp?.();
      },
    },
    nextReference: createReferences(machineRandom),
    mediaWork: { nudge: () => nudged.push('media') },
    hasMediaCapacity: more.hasMediaCapacity,
    hasSpace: more.hasSpace,
    backlog: {
      tooLong: () => (more.lateEverywhere === true ? null : (more.late ?? null)),
      tooLongEverywhere: () => (more.lateEverywhere === true ? more.late! : null),
    },
    lanes: {
      figures: () => ({ handed: 0, waiting: 0 }),
      up: (carrierId) => (more.up ?? ['a', 'b', 'm', 'n']).includes(carrierId),
      nudge: (lane) => nudged.push(lane),
      reserve: (_, wanted) => {
        const count = Math.min(slots.free, wanted);
        if (count === 0) return null;
        slots.free -= count;
        return {
          count,
          take: (claims) => slots.taken.push(...claims),
          release: () => {
            slots.free += count;
          },
        };
      },
    },
    store: {
      place: onlyNode,
      isBusy: () => false,
      takeOfDay: (request) => grantOfDay(settings, request),
      answerFor: async (accountId, key) => answers.get(`${accountId} ${key}`) ?? null,
      newest: () => (more.stopped === undefined ? null : { records: 1, consent: 9 }),
      accept: async (items): Promise<AcceptResult[]> => {
        await gate.closed;
        if (gate.fails !== null) throw gate.fails;
        if (more.stopped?.(items) === true) return items.map(() => ({ kind: 'opted out' }));
        stored.push(...items);
        for (const { idempotency, message } of items) {
          if (idempotency !== null) {
            const { key, bodyHash, answer } = idempotency;
            answers.set(`${message.accountId} ${key}`, { bodyHash, answer, requestId: message.requestId });
          }
        }
        return items.map(() => (gate.waits ? { kind: 'stored', waits: true } : { kind: 'stored' }));
      },
    },
  });
  let requests = 0;
  const send = async (
    request: Partial<SendRequest>,
    context: Partial<SendContext> = {},
    from: Caller = { ...caller, account: records.accounts[0]! },
  ): Promise<SendOutcome> =>
    acceptor.accept(
      {
        from: '12025550199',
        to: ['12025550100'],
        text: 'Hi',
        mediaUrls: [],
        referenceId: null,
        validityMinutes: null,
        ...request,
      },
      from,
      { requestId: `req_${++requests}`, dryRun: false, idempotency: null, ...context },
      (accepted) => JSON.stringify(accepted),
    );
  const refusesUnread = () => acceptor.refusesUnread({ ...caller, account: records.accounts[0]! });
  return { send, refusesUnread, stored, nudged, gate, slots, settings };
}

/** The answer of an accepted request; fails the test when it was rejected. */
export function answer(outcome: SendOutcome): AcceptedSend {
  if (outcome.kind === 'rejected') throw new Error(`rejected: ${outcome.reason} ${outcome.detail}`);
  return JSON.parse(outcome.body);
}

export function reason(outcome: SendOutcome): string {
  return outcome.kind === 'rejected' ? outcome.reason : 'SUCCESS';
}

/** The store's operation, on settings in memory. */
export async function grantOfDay(settings: Map<string, string>, request: DayRequest): Promise<DayGrant> {
  const [grant] = runSync(takeOfDay([request]), ({ statement, rows: [row] }) => {
    const { name, value } = row as { name: string; value: string };
    if (statement.name === 'put_setting') settings.set(name, value);
    else if (settings.has(name)) return [{ value: settings.get(name) }];
    return [];
  });
  return grant!;
}
