import { type PduOf, receiptFields, tlv } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { boundedId } from '../../model/carrier-id.ts';
import { codecRulesOf, readCarrierWord } from './codec.ts';
import { smppRecord } from './smpp-fixture.ts';

const rules = codecRulesOf(smppRecord(2775));
const sandboxRules = codecRulesOf({ ...smppRecord(2775), environment: 'sandbox' });
const when = new Date(1_700_000_000_000);

function deliver(fields: object): PduOf<'deliver_sm'> {
  const blank = { source_addr: '12025550100', destination_addr: '12025550199', esm_class: 0, data_coding: 0 };
  return {
    command: 'deliver_sm',
    ...blank,
    short_message: Buffer.alloc(0),
    tlvs: [],
    ...fields,
  } as unknown as PduOf<'deliver_sm'>;
}

function receiptText(text: string, fields: object = {}): PduOf<'deliver_sm'> {
  return deliver({ esm_class: 0x04, short_message: Buffer.from(text, 'latin1'), ...fields });
}

const receiptOf = (pdu: PduOf<'deliver_sm' | 'data_sm'>, by = rules) => {
  const word = readCarrierWord(pdu, by, 5);
  if (word.kind !== 'receipt') throw new Error('no receipt');
  return word.receipt;
};
const inboundOf = (pdu: PduOf<'deliver_sm' | 'data_sm'>) => {
  const word = readCarrierWord(pdu, rules, 5);
  if (word.kind !== 'inbound') throw new Error('no text');
  return word.inbound;
};

describe('a receipt', () => {
  it('in the words of the standard', () => {
    const fields = receiptFields(
      { source_addr: '12025550199', destination_addr: '12025550100' },
      { id: '00AB', state: 'UNDELIVERABLE', err: 27, submitDate: when, doneDate: when, text: 'Hi' },
    );
    expect(receiptOf(deliver(fields))).toEqual({
      carrier: 'car_test',
      carrierMessageId: '00AB',
      idKeys: ['ab'],
      to: '12025550100',
      state: 'undelivered',
      code: 'UNREACHABLE',
      carrierCode: 'UNDELIV err:027',
      raw: expect.stringMatching(/^id:00AB .*stat:UNDELIV err:027 text:Hi$/),
      receivedAt: 5,
      doneAt: Math.floor(when.getTime() / 60_000) * 60_000,
    });
  });

  it('is about the whole text where the carrier splits texts itself', () => {
    const payload = codecRulesOf(smppRecord(2775, { longMessage: 'payload' }));
    expect(receiptOf(receiptText('id:1 stat:DELIVRD'), payload).ofWhole).toBe(true);
    expect(receiptOf(receiptText('id:1 stat:DELIVRD'))).not.toHaveProperty('ofWhole');
  });

  it('is read by the err table of its carrier', () => {
    const pdu = receiptText('id:1 stat:UNDELIV err:034');
    expect(receiptOf(pdu).code).toBe('UNREACHABLE');
    expect(receiptOf(pdu, sandboxRules).code).toBe('CARRIER_FILTERED');
  });

  it('is looked up under the id of the TLV and the id in the text', () => {
    const pdu = receiptText('id:1234567890 stat:DELIVRD err:000', { tlvs: [tlv('receipted_message_id', '499602d2')] });
    const { carrierMessageId, idKeys } = receiptOf(pdu, codecRulesOf(smppRecord(2775, { idBase: 'string' })));
    expect({ carrierMessageId, idKeys }).toEqual({ carrierMessageId: '499602d2', idKeys: ['499602d2', '1234567890'] });
    expect(new Set(receiptOf(pdu).idKeys).size).toBe(receiptOf(pdu).idKeys.length);
  });

  it('as an intermediate notification or with a state that is not final, settles nothing', () => {
    expect(receiptOf(receiptText('id:1 stat:ENROUTE', { esm_class: 0x20 })).state).toBe('interim');
    expect(receiptOf(receiptText('id:1 stat:ACCEPTD')).state).toBe('interim');
    expect(receiptOf(receiptText('id:1 stat:UNKNOWN err:999'))).toMatchObject({
      state: 'interim',
      code: null,
      carrierCode: 'UNKNOWN err:999',
    });
  });

  it('as an intermediate notification settles nothing, even when it says delivered', () => {
    expect(receiptOf(receiptText('id:1 stat:DELIVRD err:000', { esm_class: 0x20 }))).toMatchObject({
      state: 'interim',
      code: null,
      carrierCode: 'DELIVRD err:000',
    });
  });

  it('with an id that no index takes has its hash instead', () => {
    const id = 'A'.repeat(4_000);
    const named = { tag: tlv('receipted_message_id', 'x').tag, value: Buffer.from(`${id}\0`) };
    const receipt = receiptOf(deliver({ tlvs: [named, tlv('message_state', 2)] }));
    expect(receipt.carrierMessageId).toBe(boundedId(id));
    expect(receipt.idKeys).toEqual([boundedId(id)]);
  });

  it('shows the word of the TLV when the text contradicts it', () => {
    const tlvs = [tlv('message_state', 5)];
    expect(receiptOf(receiptText('id:1 stat:DELIVRD err:001', { tlvs }))).toMatchObject({
      state: 'undelivered',
      carrierCode: 'UNDELIV err:001',
    });
    expect(receiptOf(receiptText('id:1 stat:BLOCKED err:001', { tlvs })).carrierCode).toBe('BLOCKED err:001');
  });

  it('keeps a word the carrier made up, cut to a size', () => {
    expect(receiptOf(receiptText('id:1 stat:DND_REJECTED err:x')).carrierCode).toBe('DND_REJECTED err:x');
    expect(receiptOf(receiptText(`id:1 stat:${'Z'.repeat(200)} err:0`)).carrierCode).toHaveLength(64 + ' err:0'.length);
  });

  it('shows the network error of the TLV when there is no err', () => {
    const tlvs = [
      tlv('message_state', 5),
      tlv('network_error_code', Buffer.from([3, 0, 27])),
      tlv('receipted_message_id', 'A'),
    ];
    expect(receiptOf(deliver({ esm_class: 0x04, tlvs }))).toMatchObject({
      carrierCode: 'UNDELIV network:3/27',
      raw: '',
    });
  });

  it('without an id is kept under a name of its own, with its handset, and matches nothing', () => {
    const of = (text: string, fields: object = {}, at = 5) => {
      const word = readCarrierWord(receiptText(text, fields), rules, at);
      return word.kind === 'receipt' ? word.receipt : null;
    };
    const first = of('stat:DELIVRD err:000');
    expect(first).toMatchObject({ idKeys: [], to: '12025550100', state: 'delivered', raw: 'stat:DELIVRD err:000' });
    expect(first?.carrierMessageId).toMatch(/^\(none\) [0-9a-f]{16}$/);
    const others = [
      of('stat:DELIVRD err:001'),
      of('stat:DELIVRD err:000', { source_addr: '12025550101' }),
      of('stat:DELIVRD err:000', { destination_addr: '12025550198' }),
      of('stat:DELIVRD err:000', {}, 6),
      of('', { tlvs: [tlv('message_state', 2)] }),
      of('', { tlvs: [tlv('message_state', 2), tlv('network_error_code', Buffer.from([3, 0, 27]))] }),
    ];
    expect(new Set([first, ...others].map((one) => one?.carrierMessageId)).size).toBe(7);
    expect(of('stat:DELIVRD err:000')).toEqual(first);
  });

  it('of any length keeps 512 characters', () => {
    const tlvs = [tlv('message_payload', Buffer.from(`stat:DELIVRD ${'x'.repeat(60_000)}`))];
    expect(receiptOf(deliver({ esm_class: 0x04, tlvs })).raw).toHaveLength(512);
  });

  it('names the handset only when it is a number', () => {
    expect(receiptOf(receiptText('id:1 stat:DELIVRD', { source_addr: '+12025550100' })).to).toBe('12025550100');
    expect(receiptOf(receiptText('id:1 stat:DELIVRD', { source_addr: '0012025550100' })).to).toBe('12025550100');
    expect(receiptOf(receiptText('id:1 stat:DELIVRD', { source_addr: '' })).to).toBeNull();
    expect(receiptOf(receiptText('id:1 stat:DELIVRD', { source_addr: 'INFO' })).to).toBeNull();
  });
});

describe('a text', () => {
  it('is read with its addresses in digits', () => {
    const pdu = deliver({ source_addr: '+12025550100', short_message: Buffer.from('YES') });
    expect(inboundOf(pdu)).toEqual({
      carrier: 'car_test',
      from: '12025550100',
      to: '12025550199',
      text: 'YES',
      octets: null,
      encoding: 'GSM-7',
      concat: null,
      receivedAt: 5,
    });
  });

  it.each(['STOP', 'Yes please, Tuesday at 9', 'Text: see you', '\x05 caf\xe9'])(
    'of a handset is a text although the message centre marks it as a receipt: %s',
    (text) => {
      const marked = inboundOf(receiptText(text));
      expect(marked).toMatchObject({ from: '12025550100', to: '12025550199' });
      expect(marked).toEqual(inboundOf(receiptText(text, { esm_class: 0 })));
    },
  );

  it('that looks like a receipt is a text', () => {
    const text = 'id:1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:hi';
    expect(inboundOf(deliver({ short_message: Buffer.from(text) })).text).toBe(text);
  });

  it('comes in a data_sm too', () => {
    const { short_message: _, ...rest } = deliver({ tlvs: [tlv('message_payload', Buffer.from('hi'))] });
    expect(inboundOf({ ...rest, command: 'data_sm' } as unknown as PduOf<'data_sm'>).text).toBe('hi');
  });
});

describe('a text in the form of a receipt that nothing else calls one', () => {
  const body = 'id:77AB sub:001 dlvrd:001 submit date:2607010900 done date:2607010901 stat:DELIVRD err:000 text:Hi';
  const pdu = deliver({ short_message: Buffer.from(body) });
  const rulesWith = (smpp: object) => codecRulesOf(smppRecord(2775, smpp));
  const kindBy = (own: ReturnType<typeof rulesWith>, sent = pdu) => readCarrierWord(sent, own, 5).kind;

  it('is a receipt when a message for that handset was answered with its id', () => {
    const own = rulesWith({});
    expect(kindBy(own)).toBe('inbound');
    own.ids.answered('77AB', '12025550100');
    expect(readCarrierWord(pdu, own, 5)).toMatchObject({
      kind: 'receipt',
      receipt: { carrierMessageId: '77AB', to: '12025550100', state: 'delivered' },
    });
    const turned = { source_addr: '12025550199', destination_addr: '+12025550100' };
    expect(kindBy(own, { ...pdu, ...turned })).toBe('receipt');
    // Another person's text, though the id is ours.
    expect(kindBy(own, { ...pdu, source_addr: '12025550177' })).toBe('inbound');
    expect(kindBy(own, deliver({ short_message: Buffer.from('My id:77AB, thanks') }))).toBe('inbound');
  });

  it('otherwise goes along with its text, for the store to decide by older messages', () => {
    const [own, fresh] = [rulesWith({}), rulesWith({})];
    const word = readCarrierWord(pdu, own, 5);
    expect(word).toMatchObject({
      kind: 'inbound',
      inbound: { text: body, perhaps: { carrierMessageId: '77AB', idKeys: ['77ab'], to: '12025550100' } },
    });
    // Nothing is learnt from what may be a person's text: a real receipt is read as if those had never come.
    for (let i = 0; i < 20; i++)
      readCarrierWord(deliver({ short_message: Buffer.from(`id:${i} stat:DELIVRD`) }), own, 5);
    const real = receiptText('id:1234567890 stat:DELIVRD');
    expect(receiptOf(real, own)).toEqual(receiptOf(real, fresh));
    const nameless = deliver({ source_addr: 'INFO', short_message: Buffer.from(body) });
    expect(readCarrierWord(nameless, own, 5)).not.toHaveProperty('inbound.perhaps');
  });

  it('is always or never one where the record says so', () => {
    expect(kindBy(rulesWith({ trustText: 'always' }))).toBe('receipt');
    const own = rulesWith({ trustText: 'never' });
    own.ids.answered('77AB', '12025550100');
    expect(kindBy(own)).toBe('inbound');
    expect(readCarrierWord(pdu, own, 5)).not.toHaveProperty('inbound.perhaps');
    expect(kindBy(own, { ...pdu, esm_class: 4 })).toBe('receipt');
  });

  it('ACCEPTD is the last word where the record says so', () => {
    const accepted = receiptText('id:1 stat:ACCEPTD');
    expect(receiptOf(accepted)).toMatchObject({ state: 'interim', code: null });
    const last = receiptOf(accepted, rulesWith({ acceptedIsFinal: true }));
    expect(last).toMatchObject({ state: 'delivered', code: 'DELIVERED' });
  });

  it('its dates are read in the zone of the record', () => {
    const dated = receiptText(body);
    expect(receiptOf(dated).doneAt).toBe(Date.parse('2026-07-01T09:01:00Z'));
    const berlin = receiptOf(dated, rulesWith({ receiptTimeZone: 'Europe/Berlin' }));
    expect(berlin.doneAt).toBe(Date.parse('2026-07-01T07:01:00Z'));
  });
});
