/**
 * Matching receipts by hand, over HTTP and a real store: candidates, assignment, refusals with sentences, audit
 * entries.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { Receipt } from '../../model/delivery.ts';
import { acceptItem, settlement } from '../../store/contract/fixture.ts';
import { unmatchedRoutes } from './unmatched-routes.ts';
import { createUnmatchedService } from './unmatched-service.ts';

const name = { carrier: 'telco', carrierMessageId: '0A3F', to: '12025550100', state: 'delivered' } as const;

let world: PortalWorld;
let operator: Browser;
beforeEach(async () => {
  world = await openPortalWorld({ modules: (parts) => [unmatchedRoutes(createUnmatchedService(parts))] });
  operator = await world.as('Owner');
});
afterEach(() => world.close());

const post = (path: string, body: object) => operator.call('POST', path, body);
const received = (more: Partial<Receipt> = {}) =>
  world.store.receipts([
    {
      ...name,
      idKeys: ['0A3F'],
      code: 'DELIVERED',
      carrierCode: '000',
      receivedAt: world.clock.now(),
      raw: 'id:0A3F stat:DELIVRD text:Secret words',
      ...more,
    },
  ]);

async function sent(carrierMessageId: string, to = '12025550100'): Promise<string> {
  const { store, clock } = world;
  await store.accept([
    acceptItem(clock.now(), { lane: 'telco', to, text: 'Secret words of ours', accountId: 'acc_two' }),
  ]);
  const [claim] = await store.claim({ lane: 'telco', limit: 1, now: clock.now(), token: store.token });
  await store.settle([settlement(claim!, clock.now(), { parts: [{ part: 1, carrierMessageId }] })]);
  return claim!.messageId;
}

describe('receipts that match nothing', () => {
  it('are shown as they came', async () => {
    await received();
    expect((await operator.call('GET', '/unmatched')).json.data).toMatchObject([
      { carrier: 'telco', carrierMessageId: '0A3F', receivedAt: expect.stringMatching(/Z$/) },
    ]);
  });

  it('are offered what they may be about, likely ones first, without its text', async () => {
    const likely = await sent('other');
    await received();
    const settled = await sent('settled');
    await received({ carrierMessageId: 'settled', idKeys: ['settled'] });
    const { data } = (await post('/unmatched/candidates', { receipt: name })).json;
    expect(data.receipt).toMatchObject({ carrierMessageId: '0A3F' });
    expect(data.candidates[0]).toMatchObject({
      messageId: likely,
      accountId: 'acc_two',
      state: 'sent',
      part: 1,
      partCount: 1,
      refusal: null,
      clues: expect.arrayContaining([{ speaks: 'for', what: 'text fits' }]),
    });
    const named = await post('/unmatched/candidates', { receipt: name, messageId: ` ${settled} ` });
    expect(named.json.data.candidates).toMatchObject([
      { messageId: settled, refusal: 'It has its last word already, and that is never taken back.' },
    ]);
    expect(JSON.stringify([data.candidates, named.json.data.candidates])).not.toContain('Secret');
    expect((await post('/unmatched/candidates', { receipt: name, messageId: 'msg_x' })).json.data.candidates).toEqual(
      [],
    );
  });

  it('are assigned to a message, which moves, and are recorded', async () => {
    const messageId = await sent('other');
    await received();
    const answer = await post('/unmatched/match', { receipt: name, messageId, part: 1 });
    expect(answer.json).toMatchObject({ success: true, detail: 'The message is delivered now.' });
    expect((await world.store.message('acc_two', messageId))?.state).toBe('delivered');
    expect((await operator.call('GET', '/unmatched')).json.data).toEqual([]);
    const rows = await world.store.auditRows({ after: 0, limit: 9 });
    expect(JSON.parse(rows.at(-1)!.body)).toMatchObject({
      what: 'carrier.receipt_matched',
      target: 'telco 0A3F',
      who: world.user('Owner').email,
      before: { messageId, state: 'sent' },
      after: { state: 'delivered' },
    });
    const again = await post('/unmatched/match', { receipt: name, messageId, part: 1 });
    expect([again.status, again.json.detail]).toEqual([409, expect.stringContaining('not kept any more')]);
    expect((await post('/unmatched/candidates', { receipt: name })).status).toBe(409);
  });

  it('that do not fit are refused in words; so is garbage', async () => {
    const messageId = await sent('other', '12025550101');
    await received();
    const refused = await post('/unmatched/match', { receipt: name, messageId, part: 1 });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('another handset')]);
    expect((await post('/unmatched/match', { receipt: name, messageId: 'msg_none', part: 1 })).status).toBe(404);
    for (const body of [{}, { receipt: { ...name, state: 'lost' } }, { receipt: { ...name, to: 1 } }]) {
      expect((await post('/unmatched/match', body)).json.fields).toHaveProperty('receipt');
      expect((await post('/unmatched/candidates', body)).json.fields).toHaveProperty('receipt');
    }
    expect((await post('/unmatched/match', { receipt: name })).json.fields).toHaveProperty('messageId');
    expect((await post('/unmatched/match', { receipt: name, messageId, part: 0 })).json.fields).toHaveProperty('part');
    const support = await world.as('Support');
    expect((await support.call('POST', '/unmatched/match', {})).status).toBe(403);
  });
});
