/** The PDU log of a real bind: off until requested, ended after its time, bounded, and without any message text. */
import { encodePdu, receiptFields } from '@heliograph/smpp';
import { afterEach, describe, expect, it } from 'vitest';
import { movedClock, until } from '../../../../../test/props/clock.ts';
import { recordingSink, submission } from '../carrier-fixture.ts';
import { createPduLog } from './pdu-log.ts';
import { openSmpp, type SmppUnderTest } from './smpp-fixture.ts';

let subject: SmppUnderTest;
afterEach(() => subject?.close());

const secret = 'the code is 4711';

async function open() {
  subject = await openSmpp();
  const sink = recordingSink();
  subject.carrier.start(sink);
  await until(() => subject.carrier.status().up);
  return { log: subject.carrier.log!, sink };
}

async function sendOne(n: number): Promise<void> {
  subject.carrier.submit([submission(n, { text: secret })]);
  await until(() => subject.peer.submits.length === n);
  subject.peer.submits[n - 1]!.answer(0, `id-${n}`);
}

describe('the PDU log', () => {
  it('keeps nothing until a reader subscribes', async () => {
    const { log, sink } = await open();
    await sendOne(1);
    await until(() => sink.outcomeOf('msg_1') !== undefined || subject.carrier.status().binds[0]!.inFlight === 0);
    expect([log.until(), log.entries()]).toEqual([null, []]);
  });

  it('shows what goes out and what comes in, texts as their length', async () => {
    const { log } = await open();
    log.keep(subject.clock.now() + 60_000);
    await sendOne(1);
    await until(() => log.entries().length === 2);
    const addresses = { source_addr: '12025550199', destination_addr: '12025550100' };
    subject.peer.deliver({
      source_addr: '12025550100',
      destination_addr: '12025550199',
      short_message: Buffer.from(secret),
    });
    const about = {
      id: 'id-1',
      state: 'DELIVERED',
      submitDate: new Date(0),
      doneDate: new Date(0),
      text: secret,
    } as const;
    subject.peer.deliver(receiptFields(addresses, about));
    await until(() => log.entries().length === 6);
    const entries = log.entries();
    expect(entries.map(({ direction, command }) => `${direction} ${command}`)).toEqual([
      ...['out submit_sm', 'in submit_sm_resp', 'in deliver_sm', 'in deliver_sm', 'out deliver_sm_resp'],
      'out deliver_sm_resp',
    ]);
    // TLVs follow the fields, under the standard's names of their tags.
    expect(entries[3]?.fields).toMatchObject({ receipted_message_id: '5 octets', message_state: '1 octet' });
    expect(entries[0]).toMatchObject({ bind: 1, status: null, fields: { short_message: `${secret.length} octets` } });
    expect(entries[1]).toMatchObject({
      status: 'ESME_ROK',
      fields: { message_id: 'id-1' },
      sequence: entries[0]!.sequence,
    });
    expect(entries[3]!.fields.short_message).toMatch(/id:id-1 .*stat:DELIVRD .*text:…$/);
    expect(JSON.stringify(entries)).not.toContain('4711');
    const spelt = Buffer.from(secret).toString('hex');
    expect(entries.filter(({ hex }) => hex?.includes(spelt))).toEqual([]);
    expect(entries[0]!.hex).toMatch(/^000000[0-9a-f]{2}00000004.*31323032353535303130300.*(?:xx){16}$/);
    expect(entries[0]!.hex).toHaveLength(2 * Number.parseInt(entries[0]!.hex!.slice(0, 8), 16));
    // The receipt's own text is recorded unchanged.
    expect(entries[3]!.hex).toContain(Buffer.from('stat:DELIVRD').toString('hex'));
  });

  it('hides the password of a bind, and what it cannot read but for the header', () => {
    const clock = movedClock();
    const log = createPduLog(clock);
    log.keep(clock.now() + 1_000);
    const bind = encodePdu({
      command: 'bind_transceiver',
      sequence_number: 1,
      system_id: 'acme',
      password: 'geheim',
    }) as Buffer;
    const strange = Buffer.concat([
      Buffer.from('0000001800000fff0000000000000002', 'hex'),
      Buffer.from(secret.slice(-8)),
    ]);
    log.ofBind(1).wire('out', Buffer.concat([bind, strange]), 0, bind.length + strange.length);
    const [first, second] = log.entries();
    expect(first).toMatchObject({ command: 'bind_transceiver', fields: { system_id: 'acme', password: 'hidden' } });
    expect(first!.hex).toContain(`${Buffer.from('acme\0').toString('hex')}${'xx'.repeat(6)}00`);
    expect(second).toMatchObject({ command: 'unknown', hex: '0000001800000fff0000000000000002' });
    const whole = JSON.stringify(log.entries());
    for (const word of ['geheim', Buffer.from('geheim').toString('hex'), '4711']) expect(whole).not.toContain(word);
  });

  it('goes on where the carrier was opened anew: what was kept stays, and the time it ends', () => {
    const clock = movedClock();
    const before = createPduLog(clock);
    before.keep(clock.now() + 1_000);
    before.ofBind(1).logEvent('in', 'unbind', {});
    const log = createPduLog(clock);
    log.goOn(before);
    log.ofBind(1).logEvent('out', 'bind_transceiver', {});
    expect(log.until()).toBe(before.until());
    expect(log.entries().map(({ command }) => command)).toEqual(['unbind', 'bind_transceiver']);
    clock.pass(1_000);
    const later = createPduLog(clock);
    later.goOn(log);
    expect([later.until(), later.entries().length]).toEqual([null, 2]);
  });

  it('ends by itself, and keeps no more than the newest', () => {
    const clock = movedClock();
    const log = createPduLog(clock);
    const bind = log.ofBind(1);
    log.keep(clock.now() + 1_000);
    for (let i = 0; i < 5_000; i++) bind.logEvent('in', `n${i}`, {});
    expect(log.entries()).toHaveLength(2_000);
    expect(log.entries().at(-1)?.command).toBe('n4999');
    clock.pass(1_000);
    bind.logEvent('in', 'late', {});
    expect([log.until(), log.entries().at(-1)?.command]).toEqual([null, 'n4999']);
  });
});
