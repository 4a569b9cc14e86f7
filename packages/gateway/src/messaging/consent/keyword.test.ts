import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import type { Records } from '../../model/records.ts';
import { acme, contact, own } from '../../model/world-fixture.ts';
import type { ConsentCommand } from '../store/items.ts';
import { consentRecords, consentStore, consentWorld, part } from './consent-fixture.ts';

function commandOf(text: string, to = own, records: Partial<Records> = {}, up = ['a', 'b']): ConsentCommand | null {
  const { consent, world } = consentWorld(consentStore(), up);
  world.directory = buildDirectory(consentRecords(records));
  const owner = world.directory.number(to);
  if (owner === undefined) throw new Error(`no number ${to}`);
  return consent.commandFor(part(text, { to }), owner);
}

describe('a keyword', () => {
  it.each([
    ['STOP', 'out', 'Acme: you are unsubscribed and will get no more messages. Reply START to rejoin.'],
    ['yes', 'in', 'Acme: you are subscribed.'],
    ['Ayuda', 'help', 'Acme: for help contact help@acme.example.'],
  ])('%s is confirmed by a message of the own number', (text, keyword, beginning) => {
    const command = commandOf(text);
    expect(command).toMatchObject({ keyword, scope: 'campaign:C1' });
    const { message, deliveries, idempotency } = command!.confirmation!;
    expect(message).toMatchObject({
      accountId: 'acc1',
      keyId: `consent:${keyword}`,
      direction: 'outbound',
      from: own,
      messageType: 'SMS',
      encoding: 'GSM-7',
      segments: 1,
      wireText: null,
      mediaUrls: [],
    });
    expect(message.text.startsWith(beginning)).toBe(true);
    expect(message.requestId).toMatch(/^req_/);
    expect(message.referenceId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(deliveries).toMatchObject([{ to: contact, lane: 'a', concatReference: 0 }]);
    expect(deliveries[0]!.expiresAt - message.acceptedAt).toBe(4 * 3_600_000);
    expect(idempotency).toBeNull();
  });

  it('is no keyword in an ordinary reply', () => {
    expect(commandOf('stop it')).toBeNull();
  });

  it('is answered with the campaign’s registered texts', () => {
    expect(commandOf('STOP', '12025550198')?.confirmation?.message.text).toBe('Registered: you are out. Bye.');
    expect(commandOf('HELP', '12025550198')?.confirmation?.message.text).toBe('Registered: €uro help.');
    expect(commandOf('START', '12025550198')?.confirmation?.message.text).toMatch(/^Acme: you are subscribed/);
  });

  it('counts a long answer like any other text, smart encoding included', () => {
    const long = { accounts: [{ ...acme, name: 'Büro “Ж” '.repeat(12).trim() }] };
    const { message, deliveries } = commandOf('STOP', own, long)!.confirmation!;
    expect(message).toMatchObject({ encoding: 'UCS-2', segments: 3 });
    expect(deliveries[0]!.concatReference).toBe(77);
    const smart = { accounts: [{ ...acme, name: 'Acme’s', smartEncoding: true }] };
    const replaced = commandOf('STOP', own, smart)!.confirmation!.message;
    expect([replaced.encoding, replaced.text.slice(0, 6), replaced.wireText?.slice(0, 6)]).toEqual([
      'GSM-7',
      'Acme’s',
      "Acme's",
    ]);
  });

  it('goes by the first carrier that is up', () => {
    expect(commandOf('STOP', own, {}, ['b'])?.confirmation?.deliveries[0]?.lane).toBe('b');
    expect(commandOf('STOP', own, {}, [])?.confirmation?.deliveries[0]?.lane).toBe('a');
  });

  it('counts, but is not confirmed, where the number may not send', () => {
    const silent = (to: string, records: Partial<Records> = {}) => {
      for (const text of ['STOP', 'START', 'HELP']) {
        const command = commandOf(text, to, records);
        expect(command?.confirmation, `${text} to ${to}`).toBeNull();
      }
      return commandOf('STOP', to, records)?.scope;
    };
    expect(silent('12025550197')).toBe('campaign:C1');
    expect(silent('12025550196')).toBe('campaign:SUSPENDED');
    expect(silent('12025550195')).toBe('number:12025550195');
    expect(silent('18005550100')).toBe('number:18005550100');
    expect(silent(own, { routes: [] })).toBe('campaign:C1');
    expect(silent(own, { accounts: [] })).toBe('campaign:C1');
    expect(silent(own, { accounts: [{ ...acme, status: 'suspended' }] })).toBe('campaign:C1');
    expect(silent(own, { accounts: [{ ...acme, destinations: ['GB'] }] })).toBe('campaign:C1');
    expect(silent(contact, { numbers: [{ ...consentRecords().numbers[0]!, number: contact }] })).toBe('campaign:C1');
  });

  it('to a short code is confirmed by the short code', () => {
    expect(commandOf('STOP', '12345')).toMatchObject({
      scope: 'number:12345',
      confirmation: { message: { from: '12345' } },
    });
  });
});
