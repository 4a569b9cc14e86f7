import { encodePdu, type PduInput } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import type { TimelineEvent } from '../../model/delivery.ts';
import type { LoggedPdu } from '../../model/logged-pdu.ts';
import type { MessageView } from '../../model/message-view.ts';
import type { WireEntry } from '../../model/sandbox-wire.ts';
import { fromPduLog, fromWire, pdusOf } from './message-pdus.ts';

const own = '12025550199';
const to = '12025550100';

function message(states: [TimelineEvent['state'], number][], ids: string[] = []): MessageView {
  const events = states.map(([state, at], i) => ({
    sequence: i + 1,
    state,
    at,
    code: null,
    carrier: 'c1',
    carrierCode: null,
    detail: null,
  }));
  const parts = ids.map((carrierMessageId, i) => ({ part: i + 1, carrierMessageId }));
  return { from: own, to, events, parts } as unknown as MessageView;
}

let serial = 0;
function wire(command: string, more: Partial<WireEntry>): WireEntry {
  return {
    id: `pdu_${String(++serial).padStart(26, '0')}`,
    at: 0,
    link: 'smpp',
    direction: 'to_carrier',
    command,
    sequence: null,
    status: null,
    own,
    handset: to,
    messageId: null,
    data_coding: null,
    esm_class: null,
    text: null,
    sizeBytes: 0,
    hex: '',
    ...more,
  } as WireEntry;
}

function octets(pdu: PduInput): Pick<WireEntry, 'hex' | 'sizeBytes'> {
  const bytes = encodePdu(pdu) as Buffer;
  return { hex: bytes.toString('hex'), sizeBytes: bytes.length };
}

describe('PDUs of a message', () => {
  it('are found by the carrier’s ids: the try, its answer, the receipt, each with its event', async () => {
    const pdu = { command: 'submit_sm', sequence_number: 41, destination_addr: to, registered_delivery: 1 } as const;
    const entries = [
      wire('bind_transceiver', { own: null, handset: null, at: 1, sequence: '1' }),
      wire('submit_sm', { at: 105, sequence: '41', ...octets({ ...pdu, short_message: Buffer.from('hi') }) }),
      wire('submit_sm', { at: 106, sequence: '42' }),
      wire('submit_sm_resp', { at: 107, sequence: '42', direction: 'to_gateway', status: 'ESME_ROK', messageId: 'b' }),
      wire('submit_sm_resp', { at: 108, sequence: '41', direction: 'to_gateway', status: 'ESME_ROK', messageId: 'a' }),
      wire('deliver_sm', { at: 300, sequence: '7', direction: 'to_gateway', messageId: 'a', text: 'id:a' }),
      wire('deliver_sm_resp', { at: 301, sequence: '7', status: 'ESME_ROK' }),
      wire('deliver_sm', { at: 302, sequence: '8', direction: 'to_gateway', text: 'a reply' }),
    ];
    const found = pdusOf(
      message(
        [
          ['accepted', 90],
          ['queued', 90],
          ['sending', 100],
          ['sent', 110],
          ['delivered', 305],
        ],
        ['a'],
      ),
      await fromWire(entries),
    );
    expect(found.map(({ command, sequence, event }) => [command, sequence, event])).toEqual([
      ['submit_sm', '41', 4],
      ['submit_sm_resp', '41', 4],
      ['deliver_sm', '7', 5],
      ['deliver_sm_resp', '7', 5],
    ]);
    expect(found[0]!.fields).toMatchObject({ destination_addr: to, registered_delivery: 1, short_message: '2 octets' });
    expect(found[0]!.hex).toMatch(/^[0-9a-f]+$/);
  });

  it('of a refused try are found by its numbers and its time alone', async () => {
    const view = message([
      ['accepted', 90],
      ['queued', 90],
      ['sending', 1_000],
      ['failed', 1_010],
    ]);
    const entries = (at: number, more: Partial<WireEntry> = {}) => [
      wire('submit_sm', { at, sequence: '1', ...more }),
      wire('submit_sm_resp', {
        at: at + 1,
        sequence: '1',
        direction: 'to_gateway',
        status: 'ESME_RTHROTTLED',
        messageId: '',
      }),
    ];
    expect(pdusOf(view, await fromWire(entries(1_005))).map(({ event }) => event)).toEqual([4, 4]);
    expect(pdusOf(view, await fromWire(entries(5_000)))).toEqual([]);
    expect(pdusOf(view, await fromWire(entries(1_005, { handset: '12025550101' })))).toEqual([]);
  });

  it('come out of a carrier’s log too, where a sequence is one of its bind', () => {
    const entry = (bind: number, direction: 'out' | 'in', command: string, fields: LoggedPdu['fields']): LoggedPdu => ({
      at: 105,
      bind,
      direction,
      command,
      sequence: 3,
      status: null,
      fields,
      hex: null,
    });
    const addresses = { source_addr: own, destination_addr: to };
    const found = pdusOf(
      message(
        [
          ['queued', 90],
          ['sending', 100],
          ['sent', 110],
        ],
        ['a'],
      ),
      fromPduLog([
        entry(1, 'out', 'submit_sm', addresses),
        entry(2, 'out', 'submit_sm', addresses),
        entry(2, 'in', 'submit_sm_resp', { message_id: 'a' }),
        entry(1, 'in', 'submit_sm_resp', { message_id: 'other' }),
        entry(2, 'in', 'deliver_sm', {
          source_addr: to,
          destination_addr: own,
          short_message: 'id:a stat:DELIVRD text:…',
        }),
      ]),
    );
    expect(found.map(({ command, sequence }) => [command, sequence])).toEqual([
      ['submit_sm', '2/3'],
      ['submit_sm_resp', '2/3'],
      ['deliver_sm', '2/3'],
    ]);
    expect(found[0]).toMatchObject({ text: null, hex: null, fields: addresses });
  });

  it('are none of garbage: what cannot be decoded shows what was noted of it', async () => {
    const broken = wire('submit_sm', { at: 105, sequence: '1', hex: 'ffff', sizeBytes: 2 });
    const answer = wire('submit_sm_resp', { at: 106, sequence: '1', direction: 'to_gateway', messageId: 'a' });
    const [found] = pdusOf(
      message(
        [
          ['sending', 100],
          ['sent', 110],
        ],
        ['a'],
      ),
      await fromWire([broken, answer]),
    );
    expect(found).toMatchObject({ hex: 'ffff', fields: { own, handset: to, sizeBytes: 2 } });
    expect(pdusOf(message([['queued', 1]]), await fromWire([answer]))).toEqual([]);
  });
});
