/** Which endpoints get which events: environments, types, filters, levels. */
import { describe, expect, it } from 'vitest';
import type { Endpoint, Records } from '../../model/records.ts';
import type { CustomerEvent } from '../../model/webhook-event.ts';
import { directoryOf, endpoint } from '../../model/world-fixture.ts';
import { delivered, message } from './notify/outbox-fixture.ts';
import { environmentOf, route } from './webhook-routing.ts';

const numbers = [
  { number: '12025550199', accountId: 'acc1', environment: 'live', campaignId: 'C1' },
  { number: '12025550188', accountId: 'acc1', environment: 'sandbox', campaignId: null },
] as Records['numbers'];

function to(event: Partial<CustomerEvent>, ...endpoints: Endpoint[]): string[] {
  const directory = directoryOf({ endpoints, numbers });
  return route(delivered(1, event), directory).map(({ endpointId }) => endpointId);
}

const reply = (more = {}): Partial<CustomerEvent> => ({
  type: 'message.received',
  message: message(1, { direction: 'inbound', from: '12025550100', to: '12025550199', state: 'received', ...more }),
});
const about = (type: CustomerEvent['type'], data: Record<string, unknown>): Partial<CustomerEvent> => ({
  type,
  data,
  message: null,
});

const account = endpoint('account');
const campaign = endpoint('campaign', { campaignId: 'C1' });
const number = endpoint('number', { number: '12025550199' });
const sandbox = endpoint('sandbox', { environment: 'sandbox' });
const flat = endpoint('flat', { format: 'flat' });

describe('an event that repeats another', () => {
  const again = about('message.received', { resend: { endpointId: 'flat', position: 7 } });

  it('goes to that endpoint alone, whatever it is set to, and never to another company', () => {
    expect(to(again, account, campaign, flat)).toEqual(['flat']);
    expect(to(again, account, endpoint('flat', { accountId: 'acc2' }))).toEqual([]);
  });

  it('is in nobody’s list of events', () => {
    expect(environmentOf(delivered(1, again), directoryOf({ endpoints: [flat], numbers }))).toBeNull();
  });
});

describe('an event of a message', () => {
  it('goes to every endpoint that fits', () => {
    const others = [
      endpoint('other account', { accountId: 'acc2' }),
      endpoint('other number', { number: '12025550111' }),
    ];
    expect(to({}, account, campaign, number, sandbox, flat, ...others)).toEqual([
      'account',
      'campaign',
      'number',
      'flat',
    ]);
  });

  it('stays in the environment of the own number, else of the carrier', () => {
    const from = (own: string) => ({ message: message(1, { from: own }) });
    expect(to(from('12025550188'), account, sandbox)).toEqual(['sandbox']);
    expect(to(from('12025559999'), account, sandbox)).toEqual(['account']);
  });

  it('goes to those who want its type, disabled ones too, deleted ones not', () => {
    const disabled = endpoint('disabled', { disabled: { at: 0, why: 'by hand' } });
    const deleted = endpoint('deleted', { deletedAt: 1 });
    const some = endpoint('some', { types: ['message.delivered'] });
    const none = endpoint('none', { types: ['message.sent'] });
    expect(to({}, disabled, deleted, some, none)).toEqual(['disabled', 'some']);
  });
});

describe('a reply', () => {
  it('goes to the most specific level that has an endpoint for it', () => {
    expect(to(reply(), account, campaign, number)).toEqual(['number']);
    expect(to(reply(), account, campaign)).toEqual(['campaign']);
    expect(to(reply(), account, flat)).toEqual(['account', 'flat']);
    expect(to(reply())).toEqual([]);
  });

  it('is not swallowed by an endpoint that does not want it', () => {
    const receiptsOnly = endpoint('receipts', { number: '12025550199', types: ['message.delivered'] });
    expect(to(reply(), account, receiptsOnly)).toEqual(['account']);
  });
});

describe('consent', () => {
  it('goes by its number, or by the campaign when it names none', () => {
    const data = { contact: '12025550100', number: '12025550199', scope: 'campaign:C1' };
    expect(to(about('contact.opted_out', data), account, campaign, number, flat)).toEqual(['number']);
    expect(to(about('contact.opted_out', { ...data, number: null }), account, campaign, number)).toEqual(['campaign']);
    expect(to(about('contact.opted_in', { scope: 'number:12025550188' }), account, sandbox)).toEqual(['sandbox']);
    expect(to(about('contact.opted_in', { scope: 'campaign:gone' }), account)).toEqual([]);
    expect(to(about('contact.opted_in', {}), account)).toEqual([]);
  });
});

describe('other events', () => {
  it('of an alert go by the environment that they say, to endpoints of the whole account that take such types', () => {
    const disk = about('alert.disk', { state: 'firing', environment: 'live', carrierId: null });
    const links = endpoint('ep_links', { types: ['alert.link'] });
    expect(to(disk, account, sandbox, number, campaign, flat, links)).toEqual(
      to(about('carrier.down', { carrierId: 'a' }), account, sandbox, number, campaign, flat, links),
    );
    expect(to({ ...disk, type: 'alert.link' }, links)).toEqual(['ep_links']);
    expect(to(about('alert.disk', {}), account)).toEqual([]);
  });

  it('of a carrier go by its environment, to endpoints of the whole account', () => {
    expect(to(about('carrier.down', { carrierId: 'a' }), account, sandbox, number, campaign, flat)).toEqual([
      'account',
    ]);
    expect(to(about('carrier.down', { carrierId: 'unknown' }), account)).toEqual([]);
  });

  it('of a disabled endpoint go to the others of its environment', () => {
    const event = about('endpoint.disabled', { endpointId: 'account' });
    expect(to(event, account, campaign, number, sandbox, flat)).toEqual(['campaign', 'number']);
    expect(to(event, campaign)).toEqual([]);
  });

  it('of a test go to the one it is for, whatever its types', () => {
    const wants = endpoint('wants', { types: ['message.sent'], number: '1' });
    expect(to(about('webhook.test', { endpointId: 'wants' }), account, wants)).toEqual(['wants']);
    expect(to(about('webhook.test', { endpointId: 'flat' }), account, flat)).toEqual([]);
  });
});

describe('examples made on demand', () => {
  const example = (type: CustomerEvent['type'], data: object) =>
    about(type, { ...data, environment: 'sandbox', triggered: true });

  it('go to endpoints that want their type in their environment, by their number', () => {
    const own = endpoint('own', { environment: 'sandbox', number: '12025550188' });
    expect(to(example('message.sent', { from: '12025550188' }), account, sandbox, own)).toEqual(['sandbox', 'own']);
    expect(to(example('message.received', { to: '12025550188' }), sandbox, own)).toEqual(['own']);
    expect(to(example('contact.opted_in', { number: '12025550188' }), sandbox, own)).toEqual(['own']);
    for (const type of ['webhook.test', 'endpoint.disabled', 'carrier.up'] as const) {
      expect(to(example(type, { endpointId: 'ep_x', carrierId: 'c' }), account, sandbox)).toEqual(['sandbox']);
    }
    expect(to(about('carrier.up', { triggered: true }), account, sandbox)).toEqual([]);
  });
});

describe('environmentOf', () => {
  it("is the environment of the event's subject", () => {
    const directory = directoryOf({ endpoints: [sandbox], numbers });
    const of = (event: Partial<CustomerEvent>) => environmentOf(delivered(1, event), directory);
    expect(of({})).toBe('live');
    expect(of(about('webhook.test', { endpointId: 'sandbox' }))).toBe('sandbox');
    expect(of(about('endpoint.disabled', { endpointId: 'gone' }))).toBeNull();
    expect(of(about('carrier.down', { carrierId: 'a' }))).toBe('live');
  });
});
