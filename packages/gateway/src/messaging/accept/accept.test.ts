import { type PartStyle, textToParts } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { isSmsItem } from '../store/items.ts';
import { answer, caller, reason, world } from './accept-fixture.ts';

describe('sender', () => {
  it.each([
    ['12025550199', 'SUCCESS'],
    ['12345', 'SUCCESS'],
    ['+12025550199', 'INVALID_SENDER'],
    ['HELIO', 'SENDER_NOT_FOUND'],
    ['HELIO & FRIENDS', 'INVALID_SENDER'],
    ['HELIO!', 'INVALID_SENDER'],
    [' HELIO', 'INVALID_SENDER'],
    ['', 'INVALID_SENDER'],
    ['12025550180', 'SENDER_NOT_FOUND'],
    ['12025550193', 'SENDER_NOT_FOUND'],
    ['12025550192', 'SENDER_NOT_FOUND'],
    ['12025550198', 'SENDER_NOT_ENABLED'],
    ['12025550197', 'CAMPAIGN_REQUIRED'],
    ['12025550195', 'CAMPAIGN_REQUIRED'],
    ['12025550196', 'CAMPAIGN_NOT_ACTIVE'],
    // Short codes and toll-free numbers, verified or not, also beside a campaign; only they can be.
    ['12346', 'SUCCESS'],
    ['12347', 'CAMPAIGN_REQUIRED'],
    ['18885550100', 'SUCCESS'],
    ['18885550101', 'CAMPAIGN_REQUIRED'],
    ['18885550102', 'SUCCESS'],
    ['18885550103', 'SUCCESS'],
    ['12025550190', 'CAMPAIGN_REQUIRED'],
  ])('%s answers %s', async (from, expected) => {
    const { send, stored } = world();
    const outcome = await send({ from });
    expect(reason(outcome)).toBe(expected);
    expect(stored).toHaveLength(expected === 'SUCCESS' ? 1 : 0);
    if (outcome.kind === 'rejected') expect(outcome.detail).toMatch(/Nothing was sent or billed\.$/);
  });

  it.each([false, true])(
    'is refused as long as it would wait too long for its carrier; everywhere: %s',
    async (lateEverywhere) => {
      const late = { limitSeconds: 30, retrySeconds: 4 };
      const { send, refusesUnread, stored } = world({ late, lateEverywhere });
      // Known before the recipients only where it holds for all queues.
      expect(refusesUnread()).toEqual(lateEverywhere ? late : null);
      expect(await send({})).toEqual({
        kind: 'rejected',
        reason: 'TEMPORARILY_UNAVAILABLE',
        detail: expect.stringMatching(/longer than the 30 seconds .* Nothing was sent or billed\.$/),
        retrySeconds: 4,
      });
      expect(stored).toEqual([]);
      expect(reason(await send({}, { dryRun: true }))).toBe('SUCCESS');
    },
  );

  it('answers the same for a number of another account as for an unknown one', async () => {
    const { send } = world();
    const other = await send({ from: '12025550193' });
    const unknown = await send({ from: '12025550180' });
    expect(JSON.stringify(other).replace('12025550193', 'N')).toBe(JSON.stringify(unknown).replace('12025550180', 'N'));
  });

  it('says that MMS is off when only MMS is', async () => {
    const { send } = world();
    const outcome = await send({ from: '12025550194', mediaUrls: ['https://example.com/a.jpg'] });
    expect(reason(outcome)).toBe('SENDER_NOT_ENABLED');
    expect(outcome.kind === 'rejected' && outcome.detail).toContain('MMS is off');
    expect(reason(await send({ from: '12025550194' }))).toBe('SUCCESS');
  });

  it('refuses above the rate of the number', async () => {
    const { send } = world();
    const from = '12025550191';
    expect(reason(await send({ from, to: ['12025550100', '12025550101'] }))).toBe('SUCCESS');
    expect(await send({ from, to: ['12025550100', '12025550101'] })).toMatchObject({
      reason: 'RATE_LIMITED',
      detail: expect.stringContaining('2 texts a second'),
      retrySeconds: 1,
    });
  });

  it('says how long to wait after many recipients', async () => {
    const { send } = world();
    const from = '12025550191';
    const to = Array.from({ length: 20 }, (_, nth) => `12025550${100 + nth}`);
    expect(reason(await send({ from, to }))).toBe('SUCCESS');
    // 18 owed, two to be there: at two a second.
    expect(await send({ from, to })).toMatchObject({ reason: 'RATE_LIMITED', retrySeconds: 10 });
    expect(await send({ from, to }, { dryRun: true })).toMatchObject({ reason: 'RATE_LIMITED', retrySeconds: 10 });
  });

  it('takes from the rates only what it stores', async () => {
    const { send, gate } = world({ limits: { recipientMessagesPerSecond: 0.001, recipientBurst: 1 } });
    const from = '12025550191';
    const two = { from, to: ['12025550100', '12025550101', 'nobody', '12025550100'] };
    for (let nth = 0; nth < 3; nth += 1) {
      expect(answer(await send(two, { dryRun: true })).results[0]!.status).toBe('SUCCESS');
      expect(reason(await send({ ...two, text: 'a'.repeat(2_000) }))).toBe('TEXT_TOO_LONG');
      expect(reason(await send({ from, to: ['nobody', 'no one'] }))).toBe('SUCCESS');
    }
    gate.fails = new Error('disk');
    await expect(send(two)).rejects.toThrow('disk');
    gate.fails = null;
    expect(answer(await send(two)).results.map(({ status }) => status)).toEqual([
      ...['SUCCESS', 'SUCCESS', 'INVALID_NUMBER', 'DUPLICATE_RECIPIENT'],
    ]);
    expect(reason(await send(two))).toBe('SUCCESS');
    expect(answer(await send(two)).results[0]!.status).toBe('RATE_LIMITED');
  });

  it('keeps a long sender out of the detail', async () => {
    const { send } = world();
    const outcome = await send({ from: `${'9'.repeat(5_000)}\n` });
    expect(outcome.kind === 'rejected' && outcome.detail.length).toBeLessThan(300);
  });
});

describe('text', () => {
  it.each([
    ['', 'TEXT_EMPTY'],
    ['  \n\t ', 'TEXT_EMPTY'],
    ['a'.repeat(1_530), 'SUCCESS'],
    ['a'.repeat(1_531), 'TEXT_TOO_LONG'],
    ['я'.repeat(670), 'SUCCESS'],
    ['я'.repeat(671), 'TEXT_TOO_LONG'],
    ['a'.repeat(200_000), 'TEXT_TOO_LONG'],
  ])('%# answers %s', async (text, expected) => {
    expect(reason(await world().send({ text }))).toBe(expected);
  });

  it('may be blank beside media, up to 1,600 characters', async () => {
    const { send } = world();
    const mediaUrls = ['https://example.com/a.jpg'];
    expect(reason(await send({ text: '', mediaUrls }))).toBe('SUCCESS');
    expect(reason(await send({ text: '🎉'.repeat(1_600), mediaUrls }))).toBe('SUCCESS');
    expect(reason(await send({ text: '🎉'.repeat(1_601), mediaUrls }))).toBe('TEXT_TOO_LONG');
  });

  it('reports encoding and segments, and keeps the text unit by unit', async () => {
    const { send, stored } = world();
    const text = 'curly ’ quote\u00a0';
    const accepted = answer(await send({ text }));
    expect(accepted).toMatchObject({ text, messageType: 'SMS', encoding: 'UCS-2', segments: 1 });
    expect(stored[0]!.message).toMatchObject({ text, wireText: null });
  });

  it('counts a text in a national table where its carriers take it, and in UCS-2 where not', async () => {
    const text = 'şğı'.repeat(40);
    const taking = (...nationalLanguages: string[]) => world({ smpp: { a: { nationalLanguages } } });
    const national = taking('turkish');
    expect(answer(await national.send({ text }))).toMatchObject({ encoding: 'GSM-7', segments: 1 });
    expect(national.stored[0]!.message).toMatchObject({ text, wireText: null, encoding: 'GSM-7', segments: 1 });
    expect(answer(await world().send({ text }))).toMatchObject({ encoding: 'UCS-2', segments: 2 });
    expect(answer(await taking('hindi').send({ text }))).toMatchObject({ encoding: 'UCS-2', segments: 2 });
  });

  it('may have as many segments as its carriers make of it, no more', async () => {
    const national = world({ smpp: { a: { nationalLanguages: ['turkish'] } } });
    expect(answer(await national.send({ text: `ş${'a'.repeat(1_400)}` }))).toMatchObject({ encoding: 'GSM-7' });
    const smart = world({ account: { smartEncoding: true } });
    expect(answer(await smart.send({ text: 'e\u0301'.repeat(1_530) }))).toMatchObject({ segments: 10 });
    expect(reason(await smart.send({ text: 'e\u0301'.repeat(1_531) }))).toBe('TEXT_TOO_LONG');
    expect(reason(await smart.send({ text: '\u200b'.repeat(100_000) }))).toBe('TEXT_TOO_LONG');
    const wide = world({ smpp: { a: { longMessage: 'udh16' } } });
    expect(answer(await wide.send({ text: 'a'.repeat(1_520) }))).toMatchObject({ segments: 10 });
    expect(reason(await wide.send({ text: 'a'.repeat(1_521) }))).toBe('TEXT_TOO_LONG');
  });

  const styles: Partial<PartStyle>[] = [
    {},
    { longMessage: 'udh16' },
    { longMessage: 'sar' },
    { defaultAlphabet: 'latin1' },
    { defaultAlphabet: 'ascii', longMessage: 'udh16' },
    { nationalLanguages: ['turkish'], longMessage: 'udh16' },
    { nationalLanguages: ['turkish'], defaultAlphabet: 'latin1' },
  ];
  const plain = { longMessage: 'udh8', defaultAlphabet: 'gsm' } as const;
  const texts = [
    'a'.repeat(306),
    'я'.repeat(133),
    `é${'a'.repeat(150)}`,
    `Δ${'a'.repeat(150)}`,
    '€'.repeat(77),
    'ş'.repeat(149),
  ];

  it.each(styles)('has as many segments as go out to a carrier with %o', async (style) => {
    const { send } = world({ smpp: { a: style } });
    for (const text of texts) {
      const { encoding, parts } = textToParts(text, 1, { ...plain, ...style })!;
      expect(answer(await send({ text })), text.slice(0, 2)).toMatchObject({ encoding, segments: parts.length });
    }
  });

  it('has the segments of the carrier that makes the most, where it goes to several', async () => {
    const { send } = world({ smpp: { b: { longMessage: 'udh16' } } });
    const text = 'a'.repeat(306);
    expect(answer(await send({ text }))).toMatchObject({ segments: 2 });
    expect(answer(await send({ text, to: ['12025550100', '14155550100'] }))).toMatchObject({ segments: 3 });
    expect(answer(await send({ text, to: ['12025550100', '1415'] }))).toMatchObject({ segments: 2 });
  });

  it('smart encoding changes only what goes on the wire', async () => {
    const { send, stored } = world({ account: { smartEncoding: true } });
    const accepted = answer(await send({ text: 'it’s' }));
    expect(accepted).toMatchObject({ text: 'it’s', encoding: 'GSM-7', segments: 1 });
    expect(stored[0]!.message).toMatchObject({ text: 'it’s', wireText: "it's" });
  });
});

describe('recipients', () => {
  it('get one entry each, in request order, decided in the documented order', async () => {
    const { send, stored } = world();
    const to = [
      '12025550100',
      '+12025550101',
      '12025550199',
      '12025550100',
      '447700900123',
      '12025550102',
      '18765550100',
      '+12025550101',
    ];
    const accepted = answer(await send({ to }));
    expect(accepted.results.map((entry) => [entry.to, entry.status])).toEqual([
      ['12025550100', 'SUCCESS'],
      ['+12025550101', 'INVALID_NUMBER'],
      ['12025550199', 'SENDER_EQUALS_RECIPIENT'],
      ['12025550100', 'DUPLICATE_RECIPIENT'],
      ['447700900123', 'DESTINATION_NOT_ALLOWED'],
      ['12025550102', 'SUCCESS'],
      ['18765550100', 'DESTINATION_NOT_ALLOWED'],
      ['+12025550101', 'INVALID_NUMBER'],
    ]);
    expect(stored[0]!.deliveries.map((delivery) => delivery.to)).toEqual(['12025550100', '12025550102']);
    for (const entry of accepted.results) {
      expect(entry.messageId !== undefined).toBe(entry.status === 'SUCCESS');
      expect(entry.detail !== undefined).toBe(entry.status !== 'SUCCESS');
    }
  });

  it('who opted out of the campaign get nothing, decided after the destination and before the route', async () => {
    const optedOut = ['campaign:C1 12025550100', 'campaign:C1 447700900123', 'campaign:C1 15145550100'];
    const { send, stored } = world({ optedOut: [...optedOut, 'campaign:C2 12025550101'] });
    const to = ['12025550100', '447700900123', '12025550101', '12025550100'];
    const { results } = answer(await send({ to }));
    expect(results.map(({ status }) => status)).toEqual([
      'OPTED_OUT',
      'DESTINATION_NOT_ALLOWED',
      'SUCCESS',
      'DUPLICATE_RECIPIENT',
    ]);
    expect(results[0]!.detail).toMatch(/opted out.*START.*Nothing was sent or billed for it\.$/);
    expect(results[0]!.detail?.length).toBeLessThan(300);
    expect(stored[0]!.deliveries.map((delivery) => delivery.to)).toEqual(['12025550101']);
    const unroutable = world({ optedOut, account: { destinations: ['*'] } });
    expect(answer(await unroutable.send({ to: ['447700900123'] })).results[0]!.status).toBe('OPTED_OUT');
    const mms = await unroutable.send({ mediaUrls: ['https://example.com/a.jpg'] });
    expect(answer(mms).results[0]!.status).toBe('OPTED_OUT');
  });

  it('are stopped by the fraud guard last of all, unless it is off and may be', async () => {
    const to = ['19005551234', '12129765555', '12025550100', '15005550006'];
    const statuses = async (fields: object) => {
      const { send, stored } = world({ account: fields });
      const { results } = answer(await send({ to }));
      expect(results.find(({ to: one }) => one === to[0])?.detail ?? 'off').toMatch(/premium.*for it\.$|^off$/);
      expect(stored[0]!.deliveries).toHaveLength(results.filter(({ status }) => status === 'SUCCESS').length);
      return results.map(({ status }) => status);
    };
    const [stopped, sent] = ['BLOCKED_BY_FRAUD_GUARD', 'SUCCESS'];
    expect(await statuses({})).toEqual([stopped, stopped, sent, stopped]);
    expect(await statuses({ fraudGuard: 'off' })).toEqual([stopped, stopped, sent, stopped]);
    expect(await statuses({ fraudGuard: 'on', fraudGuardOptional: true })).toEqual([stopped, stopped, sent, stopped]);
    expect(await statuses({ fraudGuard: 'off', fraudGuardOptional: true })).toEqual([sent, sent, sent, sent]);
    const { send } = world({ account: { destinations: ['*'] } });
    expect(answer(await send({ to: ['979123456789'] })).results[0]!.status).toBe('NO_ROUTE');
  });

  it('are in a country that the operator allows and the account chose', async () => {
    const { send } = world({ account: { destinations: ['US', 'CA'], destinationsMax: ['US', 'MX'] } });
    const { results } = answer(await send({ to: ['12025550100', '16045550100', '525512345678'] }));
    const refused = 'DESTINATION_NOT_ALLOWED';
    expect(results.map(({ status }) => status)).toEqual(['SUCCESS', refused, refused]);
  });

  it('who opted out count in a dry run, and for each number of their campaign, or the one number, only', async () => {
    const alone = ['number:12345 12025550101', 'number:12025550194 12025550101'];
    const { send } = world({ optedOut: ['campaign:C1 12025550100', ...alone] });
    const statuses = async (from: string) => {
      const { results } = answer(await send({ from, to: ['12025550100', '12025550101'] }, { dryRun: true }));
      return results.map(({ status }) => status);
    };
    expect(await statuses('12025550199')).toEqual(['OPTED_OUT', 'SUCCESS']);
    expect(await statuses('12025550194')).toEqual(['OPTED_OUT', 'OPTED_OUT']);
    expect(await statuses('12345')).toEqual(['SUCCESS', 'OPTED_OUT']);
  });

  it('have no route where no rule fits, and for an MMS while no carrier takes one', async () => {
    const { send } = world({ account: { destinations: ['*'] } });
    expect(answer(await send({ to: ['447700900123'] })).results[0]!.status).toBe('NO_ROUTE');
    const mms = answer(await send({ mediaUrls: ['https://example.com/a.jpg'] }));
    expect(mms).toMatchObject({ messageType: 'MMS', encoding: null, results: [{ status: 'NO_ROUTE' }] });
  });

  it('go over the requested carrier where a rule names it, and else nowhere', async () => {
    const { send, stored } = world({ up: ['a', 'b'] });
    await send({ carrier: 'b' });
    expect(stored[0]!.deliveries[0]!.lane).toBe('b');
    const [refused] = answer(await send({ carrier: 'unknown' })).results;
    expect(refused).toMatchObject({ status: 'NO_ROUTE', detail: expect.stringContaining('over unknown') });
  });

  it('go to the first carrier that is up, else the first', async () => {
    const down = world({ up: ['b'] });
    await down.send({});
    expect(down.stored[0]!.deliveries[0]!.lane).toBe('b');
    expect(down.nudged).toEqual(['b']);
    const dead = world({ up: [] });
    await dead.send({});
    expect(dead.stored[0]!.deliveries[0]!.lane).toBe('a');
  });

  it('are limited by the rate to one recipient', async () => {
    const { send } = world({ limits: { recipientMessagesPerSecond: 0.001, recipientBurst: 1 } });
    expect(answer(await send({})).results[0]!.status).toBe('SUCCESS');
    expect(answer(await send({})).results[0]!.status).toBe('RATE_LIMITED');
    expect(answer(await send({ to: ['12025550101'] })).results[0]!.status).toBe('SUCCESS');
  });
});

describe('what is stored', () => {
  it('is nothing when all recipients are refused or in a dry run', async () => {
    const { send, stored } = world();
    await send({ to: ['1'] });
    const dry = answer(await send({}, { dryRun: true }));
    expect(dry).toMatchObject({ dryRun: true, results: [{ to: '12025550100', status: 'SUCCESS' }] });
    expect(dry.results[0]).not.toHaveProperty('messageId');
    expect(stored).toEqual([]);
  });

  it('holds refused recipients beside accepted ones at their places, and nothing of them otherwise', async () => {
    const { send, stored } = world();
    await send({ to: ['+1 202 555 0100', '12025550100', '12025550100'] });
    await send({});
    const refused = [
      { place: 0, to: '+1 202 555 0100', status: 'INVALID_NUMBER', detail: expect.stringContaining('plus sign') },
      { place: 2, to: '12025550100', status: 'DUPLICATE_RECIPIENT', detail: expect.any(String) },
    ];
    expect(stored[0]?.refused).toEqual(refused);
    expect(stored[1]).not.toHaveProperty('refused');
  });

  it('echoes a referenceId and makes one up when there is none', async () => {
    const { send } = world();
    expect(answer(await send({ referenceId: 'order 77 é' })).referenceId).toBe('order 77 é');
    expect(answer(await send({})).referenceId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('counts concatenation references per recipient, for long texts only', async () => {
    const { send, stored } = world();
    await send({ text: 'a'.repeat(200) });
    await send({ text: 'a'.repeat(200) });
    await send({ text: 'short' });
    const references = stored.filter(isSmsItem).map((item) => item.deliveries[0]!.concatReference);
    expect(references[1]).toBe((references[0]! + 1) % 65_536);
    expect(references[2]).toBe(0);
  });

  it('waits in the queue for the requested validity', async () => {
    const { send, stored } = world();
    await send({ validityMinutes: 1 });
    await send({});
    const waits = stored.map((item) => Math.round((item.deliveries[0]!.expiresAt - item.message.acceptedAt) / 60_000));
    expect(waits).toEqual([1, 240]);
  });
});

describe('idempotency', () => {
  const idempotency = { key: 'k', bodyHash: 'h' };

  it('answers a repeat with the stored bytes, whatever has changed since', async () => {
    const { send, stored } = world();
    const first = await send({}, { idempotency });
    const second = await send({ from: '12025550198' }, { idempotency });
    expect(second).toEqual({ ...first, replayed: true });
    expect(stored).toHaveLength(1);
  });

  it('refuses the key with another body and names the first request', async () => {
    const { send } = world();
    await send({}, { idempotency });
    const second = await send({}, { idempotency: { key: 'k', bodyHash: 'other' } });
    expect(second).toMatchObject({ kind: 'rejected', reason: 'IDEMPOTENCY_KEY_REUSED' });
    expect(second.kind === 'rejected' && second.detail).toContain('req_1');
  });

  it('lets 200 twins wait for the first', async () => {
    const { send, stored, gate } = world();
    let open = (): void => {};
    gate.closed = new Promise<void>((resolve) => {
      open = resolve;
    });
    const all = Array.from({ length: 200 }, () => send({}, { idempotency }));
    open();
    const outcomes = await Promise.all(all);
    expect(stored).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => outcome.kind === 'accepted' && outcome.body)).size).toBe(1);
    expect(outcomes.filter((outcome) => outcome.kind === 'accepted' && outcome.replayed)).toHaveLength(199);
  });

  it('stores nothing for a rejected request, so that a twin is judged on its own', async () => {
    const { send } = world();
    expect(reason(await send({ from: '12025550198' }, { idempotency }))).toBe('SENDER_NOT_ENABLED');
    expect(reason(await send({}, { idempotency }))).toBe('SUCCESS');
  });

  it('lets the next twin try when the store failed the first', async () => {
    const { send, stored, gate } = world();
    gate.fails = new Error('disk full');
    await expect(send({}, { idempotency })).rejects.toThrow('disk full');
    gate.fails = null;
    expect(reason(await send({}, { idempotency }))).toBe('SUCCESS');
    expect(stored).toHaveLength(1);
  });

  it('keeps the keys of two accounts apart', async () => {
    const { send, stored } = world();
    await send({}, { idempotency });
    const other = { ...caller, account: { ...caller.account, accountId: 'acc2' } };
    expect(reason(await send({}, { idempotency }, other))).toBe('SENDER_NOT_FOUND');
    expect(stored).toHaveLength(1);
  });

  it('keeps the answer even when every recipient was refused', async () => {
    const { send, stored } = world();
    await send({ to: ['1'] }, { idempotency });
    expect(stored).toMatchObject([{ deliveries: [] }]);
    expect(await send({ to: ['1'] }, { idempotency })).toMatchObject({ replayed: true });
  });
});

describe('what a key pair may', () => {
  const withKey = (key: Partial<typeof caller.key>) => ({ ...caller, key: { ...caller.key, ...key } });

  it('sends only from the numbers it may send from', async () => {
    const { send, stored } = world();
    const only = withKey({ numbers: ['12345'] });
    const outcome = await send({}, {}, only);
    expect(reason(outcome)).toBe('SENDER_NOT_ENABLED');
    expect(outcome.kind === 'rejected' && outcome.detail).toContain('key pair');
    expect(reason(await send({ from: '12025550180' }, {}, only))).toBe('SENDER_NOT_FOUND');
    expect(stored).toHaveLength(0);
    expect(reason(await send({ from: '12345' }, {}, only))).toBe('SUCCESS');
    expect(reason(await send({}, {}, withKey({ numbers: [] })))).toBe('SUCCESS');
  });

  it('sends no more than its daily cap, all recipients of a request or none', async () => {
    const { send, stored, settings, gate } = world();
    const capped = withKey({ dailyCap: 3 });
    const two = { to: ['12025550100', '12025550101', 'nobody'] };
    expect(reason(await send(two, { dryRun: true }, capped))).toBe('SUCCESS');
    gate.fails = new Error('disk');
    await expect(send(two, {}, capped)).rejects.toThrow('disk');
    gate.fails = null;
    expect(reason(await send(two, {}, capped))).toBe('SUCCESS');
    const outcome = await send(two, {}, capped);
    expect(reason(outcome)).toBe('SPEND_LIMIT_REACHED');
    expect(outcome.kind === 'rejected' && outcome.detail).toContain('1 is left');
    expect(reason(await send({}, {}, capped))).toBe('SUCCESS');
    expect(stored).toHaveLength(2);
    expect([...settings.keys()]).toEqual(['key_day:k1']);
  });

  it('gives the daily cap once to a pair and those that replace it', async () => {
    const { send } = world();
    const old = withKey({ dailyCap: 2 });
    const fresh = withKey({ keyId: 'k2', dailyCap: 2, countsWith: 'k1' });
    expect(reason(await send({}, {}, old))).toBe('SUCCESS');
    expect(reason(await send({}, {}, fresh))).toBe('SUCCESS');
    for (const one of [old, fresh]) expect(reason(await send({}, {}, one))).toBe('SPEND_LIMIT_REACHED');
    expect(reason(await send({}, {}, withKey({ keyId: 'k3', dailyCap: 2 })))).toBe('SUCCESS');
  });

  it('costs nothing without a cap', async () => {
    const { send, settings } = world();
    await send({});
    expect(settings.size).toBe(0);
  });
});
