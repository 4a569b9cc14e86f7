import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import type { MessageView } from '../../model/message-view.ts';
import type { Caller, SendContext, SendRequest } from '../../model/send.ts';
import { number, recordsWith } from '../../model/world-fixture.ts';
import type { Acceptor } from './accept.ts';
import { createResend, notAgain } from './resend.ts';

const message = {
  messageId: 'msg_1',
  direction: 'outbound',
  from: '1',
  to: '2',
  text: 'hello',
  mediaUrls: [],
  referenceId: 'r',
  state: 'failed',
  carrier: 'c1',
} as const;
const changed = (changes: object) => ({ ...message, ...changes }) as unknown as MessageView;
const caller = { account: { accountId: 'a' }, key: { environment: 'sandbox' } } as Caller;

function resend(accept: Acceptor['accept']) {
  const directory = buildDirectory(recordsWith({ numbers: [number('1')] }));
  return createResend({ ids: { request: () => 'req_1' }, acceptor: { accept }, directory: () => directory });
}

describe('sending again', () => {
  it("requests the same with its own carrier, or a new one by the rules; in the number's environment", async () => {
    const requests: [SendRequest, Caller, SendContext][] = [];
    const send = resend(async (request, who, context, render) => {
      requests.push([request, who, context]);
      const results = [{ to: '2', status: 'SUCCESS', messageId: 'msg_2' }];
      return { kind: 'accepted', replayed: false, body: render({ results } as never, who) };
    });
    const request = { message: message as never, caller, onceAs: 'bulk 1' };
    expect(await send({ ...request, way: 'same' })).toEqual({ kind: 'sent', messageId: 'msg_2' });
    await send({ ...request, way: 'fresh', onceAs: null });
    const [[same, who, once], [fresh, , free]] = requests as [(typeof requests)[0], (typeof requests)[0]];
    expect(same).toMatchObject({ from: '1', to: ['2'], text: 'hello', referenceId: 'r', carrier: 'c1' });
    expect(who.key.environment).toBe('live');
    expect(once.idempotency).toEqual({ key: 'bulk 1', bodyHash: 'same msg_1' });
    expect(fresh.referenceId).toBeNull();
    expect(fresh.carrier).toBeUndefined();
    expect(free.idempotency).toBeNull();
  });

  it('passes on what the rules of today refuse', async () => {
    const whole = resend(async () => ({ kind: 'rejected', reason: 'CAMPAIGN_REQUIRED', detail: 'No campaign.' }));
    const request = { message: message as never, way: 'fresh', caller, onceAs: null } as const;
    expect(await whole(request)).toEqual({ kind: 'refused', code: 'CAMPAIGN_REQUIRED', detail: 'No campaign.' });
    const one = resend(async (_, who, __, render) => ({
      kind: 'accepted',
      replayed: false,
      body: render({ results: [{ to: '2', status: 'NO_ROUTE' }] } as never, who),
    }));
    expect(await one(request)).toMatchObject({ kind: 'refused', code: 'NO_ROUTE' });
  });

  it.each([
    [{ state: 'sent' }, 'STILL_UNDER_WAY'],
    [{ state: 'held' }, 'STILL_UNDER_WAY'],
    [{ direction: 'inbound' }, 'RECEIVED'],
    [{ bodyDeletedAt: 1 }, 'TEXT_GONE'],
    [{ carrier: null }, 'NO_CARRIER'],
    [{ state: 'delivered' }, undefined],
  ] as const)('judges %j', (changes, code) => expect(notAgain(changed(changes), 'same')?.code).toBe(code));

  it('needs no carrier of then for a new one', () => expect(notAgain(changed({ carrier: null }), 'fresh')).toBeNull());
});
