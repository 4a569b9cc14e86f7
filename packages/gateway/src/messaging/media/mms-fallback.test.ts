import { describe, expect, it } from 'vitest';
import { settlingClock, t0 } from '../../../../../test/props/clock.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { createIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { defaultLimits } from '../../model/limits.ts';
import type { Account, Records } from '../../model/records.ts';
import type { CustomerEvent, EventMessage } from '../../model/webhook-event.ts';
import { acme, contact, own } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { delivered, message } from '../../subjects/webhooks/notify/outbox-fixture.ts';
import { consentRecords } from '../consent/consent-fixture.ts';
import type { AcceptItem, AcceptResult } from '../store/items.ts';
import { createMmsFallback } from './mms-fallback.ts';

const links = { accounts: [{ ...acme, mmsFallback: 'links' as const }] };
const mediaUrls = ['https://example.com/a.jpg', 'https://example.com/b.png?x=1'];

function ended(more: Partial<EventMessage> = {}, event: Partial<CustomerEvent> = {}): CustomerEvent {
  const mms = {
    code: 'MMS_NOT_SUPPORTED',
    messageType: 'MMS',
    mediaUrls,
    from: own,
    to: contact,
  } as const;
  const failed = message(1, { ...mms, ...more } as Partial<EventMessage>);
  return delivered(1, { type: 'message.failed', message: failed, ...event });
}

function fallback(more: Partial<Records> = {}, { optedOut = [] as string[], up = ['a', 'b'] } = {}) {
  const clock = settlingClock();
  const directory = buildDirectory(consentRecords({ ...links, ...more }));
  const stored: AcceptItem[] = [];
  const keys = new Map<string, string>();
  const nudged: string[] = [];
  const warned: object[] = [];
  const state: { fails: Error | null } = { fails: null };
  const one = createMmsFallback({
    clock,
    random: machineRandom,
    ids: createIds(clock, machineRandom),
    logger: { ...silentLogger, warn: (fields) => warned.push(fields) },
    limits: defaultLimits,
    directory: () => directory,
    carrierUp: (carrierId) => up.includes(carrierId),
    nextReference: () => 77,
    consent: { isOptedOut: (scope, to) => optedOut.includes(`${scope} ${to}`) },
    store: {
      accept: async ([item]): Promise<AcceptResult[]> => {
        await Promise.resolve();
        if (state.fails !== null) throw state.fails;
        const { key, answer } = item!.idempotency!;
        if (keys.has(key)) return [{ kind: 'replay', answer }];
        keys.set(key, answer);
        stored.push(item!);
        return [{ kind: 'stored' }];
      },
    },
    nudge: (lane, count) => nudged.push(`${lane} ${count}`),
  });
  return { ...one, clock, stored, nudged, warned, state };
}

describe('an MMS that its recipient cannot take', () => {
  it.each(['message.failed', 'message.undelivered'] as const)('%s: is followed by its text and links', async (type) => {
    const f = fallback();
    await f.follow(ended({ text: 'Look at this ' }, { type }));
    expect(f.stored).toHaveLength(1);
    const [{ message: sent, deliveries, idempotency }] = f.stored as [AcceptItem];
    expect(sent).toMatchObject({
      accountId: 'acc1',
      keyId: 'fallback:msg_1',
      direction: 'outbound',
      referenceId: 'order 1',
      from: own,
      text: `Look at this\n${mediaUrls[0]}\n${mediaUrls[1]}`,
      mediaUrls: [],
      messageType: 'SMS',
      encoding: 'GSM-7',
      segments: 1,
    });
    expect(deliveries).toMatchObject([{ to: contact, lane: 'a' }]);
    expect(deliveries[0]!.messageId).toMatch(/^msg_\w{26}$/);
    expect(idempotency!.key).toContain('msg_1');
    expect(idempotency!.key).not.toMatch(/^[ -~]+$/);
    expect(f.nudged).toEqual(['a 1']);
  });

  it('is followed by the links alone when it had no text, in as many segments as that takes', async () => {
    const f = fallback();
    const long = [`https://example.com/${'x'.repeat(300)}.jpg`];
    await f.follow(ended({ text: ' \n', mediaUrls: long }));
    expect(f.stored[0]!.message).toMatchObject({ text: long[0], segments: 3 });
    expect(f.stored[0]!.deliveries[0]).toMatchObject({ concatReference: 77 });
  });

  it('is followed once, however often it is reported', async () => {
    const f = fallback();
    f.state.fails = new StoreUnavailable('down', 'down');
    await expect(f.follow(ended())).rejects.toBe(f.state.fails);
    f.state.fails = null;
    await Promise.all([f.follow(ended()), f.follow(ended())]);
    await f.clock.pass(3_600_000);
    await f.follow(ended());
    expect([f.stored.length, f.nudged]).toEqual([1, ['a 1']]);
    await f.follow(ended({ messageId: 'msg_2' }));
    expect(f.stored).toHaveLength(2);
  });

  it('is followed by nothing when that would come too late, which is before its mark is forgotten', async () => {
    const f = fallback();
    await f.clock.pass(defaultLimits.validityMinutesDefault * 60_000 - (f.clock.now() - t0));
    await f.follow(ended());
    expect(f.stored).toEqual([]);
    expect(f.warned).toMatchObject([{ messageId: 'msg_1', why: 'EXPIRED' }]);
    expect(defaultLimits.validityMinutesDefault).toBeLessThan(defaultLimits.idempotencyKeptHours * 60);
  });

  it.each<[string, Partial<EventMessage>, Partial<CustomerEvent>]>([
    ['another code', { code: 'UNREACHABLE' }, {}],
    ['an SMS', { messageType: 'SMS' }, {}],
    ['a reply', { direction: 'inbound' }, {}],
    ['another state', {}, { type: 'message.sent' }],
    ['no message', {}, { message: null, data: { code: 'MMS_NOT_SUPPORTED' } }],
    ['an account that wants none', {}, { accountId: 'acc2' }],
    ['an account that is gone', {}, { accountId: 'acc9' }],
  ])('is not meant by %s', async (_, more, event) => {
    const f = fallback({ accounts: [...links.accounts, { ...acme, accountId: 'acc2' }] });
    await f.follow(ended(more, event));
    expect([f.stored, f.warned]).toEqual([[], []]);
  });

  const suspended: Account = { ...links.accounts[0]!, status: 'suspended' };
  it.each<[string, Partial<Records>, Partial<EventMessage>, string[]]>([
    ['TEXT_TOO_LONG', {}, { text: 'x'.repeat(1_500) }, []],
    ['OPTED_OUT', {}, {}, [`campaign:C1 ${contact}`]],
    ['ACCOUNT_SUSPENDED', { accounts: [suspended] }, {}, []],
    ['CAMPAIGN_REQUIRED', {}, { from: '12025550195' }, []],
    ['CAMPAIGN_NOT_ACTIVE', {}, { from: '12025550196' }, []],
    ['SENDER_NOT_ENABLED', {}, { from: '12025550197' }, []],
    ['SENDER_NOT_FOUND', {}, { from: '12025550190' }, []],
    ['SENDER_NOT_FOUND', {}, { from: '12025550111' }, []],
    ['DESTINATION_NOT_ALLOWED', {}, { to: '447700900123' }, []],
    ['NO_ROUTE', { routes: [] }, {}, []],
  ])('is followed by nothing, and a warning names the reason: %s', async (why, records, more, optedOut) => {
    const f = fallback(records, { optedOut });
    await f.follow(ended(more));
    expect(f.stored).toEqual([]);
    expect(f.warned).toEqual([{ messageId: 'msg_1', why }]);
  });
});

it('the text counts in a national table where its carrier takes it', async () => {
  const { carriers } = consentRecords(links);
  const smpp = { defaultAlphabet: 'gsm', nationalLanguages: ['turkish'] };
  const national = carriers.map((carrier) => ({ ...carrier, smpp })) as unknown as Records['carriers'];
  const text = 'şğı'.repeat(24);
  for (const [more, encoding, segments] of [
    [{ carriers: national }, 'GSM-7', 1],
    [{}, 'UCS-2', 2],
  ] as const) {
    const w = fallback(more);
    await w.follow(ended({ text, mediaUrls: mediaUrls.slice(0, 1) }));
    expect(w.stored[0]!.message).toMatchObject({ encoding, segments });
  }
});
