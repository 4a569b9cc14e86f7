/** Binding, states, unbinding and errors of a session, on either side. */
import { describe, expect, it } from 'vitest';
import type { BindName, RequestName } from './commands.ts';
import { encodePdu } from './encode.ts';
import type { PduInput } from './pdu.ts';
import { boundEsme, boundMc, Probe } from './session-probe.ts';
import { tlv } from './tlvs.ts';

const binds: [BindName, string][] = [
  ['bind_transmitter', 'BOUND_TX'],
  ['bind_receiver', 'BOUND_RX'],
  ['bind_transceiver', 'BOUND_TRX'],
];

describe('binding as an ESME', () => {
  it.each(binds)('%s leads to %s', (bind, state) => {
    const probe = new Probe('esme');
    expect(probe.session.state).toBe('OPEN');
    probe.session.bind(bind, { system_id: 'esme', password: 'secret' }, probe.nowMs);
    expect(probe.session.state).toBe('BINDING');
    expect(probe.written()).toMatchObject([
      { command: bind, sequence_number: 1, interface_version: 0x34, password: 'secret' },
    ]);
    probe.peer({ command: `${bind}_resp`, sequence_number: 1, system_id: 'mc' } as PduInput);
    expect(probe.session.state).toBe(state);
    expect(probe.newEvents()).toEqual([
      { type: 'bound', system_id: 'mc', interface_version: undefined, takesTlvs: false },
    ]);
  });

  it.each([0x0d, 0x0e, 0x0f, 0x05, 0x58])('refused with %i: reported, closed, no more accepted', (command_status) => {
    const probe = new Probe('esme');
    probe.session.bind('bind_transceiver', {}, probe.nowMs);
    probe.peer({ command: 'bind_transceiver_resp', sequence_number: 1, command_status });
    expect(probe.newEvents()).toEqual([
      { type: 'bind_refused', command_status },
      { type: 'closed', cause: 'bind_refused' },
    ]);
    expect(probe.session.state).toBe('CLOSED');
    expect(probe.submit('late')).toBe('not_bound');
  });

  it('a generic_nack refuses it too', () => {
    const probe = new Probe('esme');
    probe.session.bind('bind_transceiver', {}, probe.nowMs);
    probe.peer({ command: 'generic_nack', sequence_number: 1, command_status: 3 });
    expect(probe.newEvents()).toMatchObject([{ type: 'bind_refused', command_status: 3 }, { type: 'closed' }]);
  });

  it('the answer to another kind of bind ends it', () => {
    const probe = new Probe('esme');
    probe.session.bind('bind_transceiver', {}, probe.nowMs);
    probe.peer({ command: 'bind_receiver_resp', sequence_number: 1 });
    const types = probe.newEvents().map((event) => event.type);
    expect(types).toEqual(['protocol_error', 'bind_refused', 'closed']);
  });

  it('never answered: closes after bindTimeoutMs', () => {
    const probe = new Probe('esme', { bindTimeoutMs: 10_000 });
    probe.session.bind('bind_transceiver', {}, probe.nowMs);
    probe.pass(9_999);
    expect(probe.newEvents()).toEqual([]);
    probe.pass(1);
    expect(probe.cause()).toBe('bind_timeout');
  });

  it('sends nothing before the answer, and nothing after the end', () => {
    const probe = new Probe('esme');
    expect(probe.submit('before')).toBe('not_bound');
    probe.session.bind('bind_transceiver', {}, probe.nowMs);
    expect(probe.submit('while')).toBe('not_bound');
    expect(probe.written()).toHaveLength(1);
    expect(probe.session.free).toBe(0);
  });

  it('a bind_resp and a deliver_sm in one read are handled in that order', () => {
    const probe = new Probe('esme');
    probe.session.bind('bind_receiver', {}, probe.nowMs);
    probe.peer({ command: 'deliver_sm', sequence_number: 1 }, { command: 'bind_receiver_resp', sequence_number: 1 });
    expect(probe.newEvents().map((event) => event.type)).toEqual(['bound', 'request']);
  });
});

describe('binding to an MC', () => {
  it.each(binds)('%s is an event and leads to %s', (bind, state) => {
    const probe = new Probe('mc');
    probe.peer({
      command: bind,
      sequence_number: 7,
      system_id: 'esme',
      password: 'pw',
      interface_version: 0x34,
    } as PduInput);
    expect(probe.newEvents()).toMatchObject([{ type: 'bind_request', pdu: { system_id: 'esme', password: 'pw' } }]);
    expect(probe.written()).toEqual([]);
    probe.session.answerBind(0, 'mc', probe.nowMs);
    expect(probe.session.state).toBe(state);
    const tlvs = [tlv('sc_interface_version', 0x34)];
    expect(probe.written()).toMatchObject([{ command: `${bind}_resp`, sequence_number: 7, system_id: 'mc', tlvs }]);
  });

  it('a bind that cannot be read is refused, and the session closed', () => {
    const probe = new Probe('mc');
    const bytes = encodePdu({ command: 'bind_transceiver', sequence_number: 7, system_id: 'esme' }) as Buffer;
    const cut = bytes.subarray(0, 20);
    cut.writeUInt32BE(cut.length, 0);
    probe.peerBytes(cut);
    expect(probe.written()).toMatchObject([
      { command: 'bind_transceiver_resp', sequence_number: 7, command_status: 2 },
    ]);
    expect(probe.newEvents().map((event) => event.type)).toEqual(['protocol_error', 'closed']);
    expect(probe.session.state).toBe('CLOSED');
  });

  it('refused: the status goes out before the close', () => {
    const probe = new Probe('mc');
    probe.peer({ command: 'bind_receiver', sequence_number: 1 });
    probe.session.answerBind(0x0e, 'mc', probe.nowMs);
    expect(probe.written()).toMatchObject([{ command: 'bind_receiver_resp', command_status: 0x0e }]);
    expect(probe.cause()).toBe('bind_refused');
  });

  it('a second bind is answered with RALYBND, bound or still waiting', () => {
    const probe = new Probe('mc');
    probe.peer({ command: 'bind_receiver', sequence_number: 1 }, { command: 'bind_transmitter', sequence_number: 2 });
    expect(probe.written()).toMatchObject([
      { command: 'bind_transmitter_resp', sequence_number: 2, command_status: 5 },
    ]);
    const bound = boundMc();
    bound.peer({ command: 'bind_transceiver', sequence_number: 2 });
    expect(bound.written()).toMatchObject([{ command: 'bind_transceiver_resp', command_status: 5 }]);
    expect(bound.session.state).toBe('BOUND_TRX');
  });

  it('no bind: closes after sessionInitMs', () => {
    const probe = new Probe('mc', { sessionInitMs: 5_000 });
    probe.peer({ command: 'enquire_link', sequence_number: 1 });
    expect(probe.written()).toMatchObject([{ command: 'enquire_link_resp', sequence_number: 1 }]);
    probe.pass(5_000);
    expect(probe.cause()).toBe('session_init_timeout');
  });

  it('answering a bind of a closed session does nothing', () => {
    const probe = new Probe('mc');
    probe.peer({ command: 'bind_receiver', sequence_number: 1 });
    probe.session.close('peer_closed');
    probe.session.answerBind(0, 'mc', probe.nowMs);
    expect(probe.session.state).toBe('CLOSED');
    expect(probe.written()).toEqual([]);
  });
});

describe('interface_version', () => {
  it('a peer of 3.3 gets no TLVs: not in the bind_resp, not in requests, not in answers', () => {
    const probe = new Probe('mc');
    probe.peer({ command: 'bind_transceiver', sequence_number: 1, interface_version: 0x33 });
    probe.session.answerBind(0, 'mc', probe.nowMs);
    expect(probe.session.takesTlvs).toBe(false);
    probe.session.request('deliver_sm', { tlvs: [tlv('message_state', 2)] }, () => {}, probe.nowMs);
    probe.newEvents();
    probe.peer({ command: 'data_sm', sequence_number: 2 });
    const [request] = probe.requests();
    probe.session.respond(request!, 0, { message_id: 'x', tlvs: [tlv('congestion_state', 1)] }, probe.nowMs);
    const written = probe.written();
    expect(written).toHaveLength(3);
    for (const pdu of written) expect(pdu).toMatchObject({ tlvs: [] });
  });

  it('a message that would change without its TLV is refused instead', () => {
    const probe = boundMc({}, 'bind_transceiver', 0x33);
    const sent = probe.session.request(
      'deliver_sm',
      { tlvs: [tlv('message_payload', Buffer.from('x'))] },
      () => {},
      probe.nowMs,
    );
    expect(sent).toMatchObject({ kind: 'not_encodable', field: 'message_payload' });
    expect(probe.written()).toEqual([]);
  });

  it('an MC that names no version gets TLVs only when set so', () => {
    for (const [tlvs, takes] of [
      ['negotiated', false],
      ['always', true],
      ['never', false],
    ] as const) {
      const probe = new Probe('esme', { tlvs });
      probe.session.bind('bind_transceiver', {}, probe.nowMs);
      probe.peer({ command: 'bind_transceiver_resp', sequence_number: 1 });
      expect(probe.session.takesTlvs).toBe(takes);
    }
  });
});

describe('requests in the wrong state', () => {
  const cases: [string, Probe, RequestName][] = [
    ['before the bind', new Probe('mc'), 'submit_sm'],
    ['unbind before the bind', new Probe('mc'), 'unbind'],
    ['to a receiver', boundMc({}, 'bind_receiver'), 'submit_sm'],
    ['of an MC to an ESME', boundEsme(), 'submit_sm'],
    ['of an ESME to an MC', boundMc(), 'deliver_sm'],
    ['to a transmitter', boundEsme({}, 'bind_transmitter'), 'deliver_sm'],
    ['a bind to an ESME', boundEsme(), 'bind_receiver'],
  ];

  it.each(cases)('%s: RINVBNDSTS, and the session goes on', (_, probe, command) => {
    probe.written();
    const { state } = probe.session;
    probe.peer({ command, sequence_number: 42 } as PduInput);
    expect(probe.written()).toMatchObject([{ command: `${command}_resp`, sequence_number: 42, command_status: 4 }]);
    expect(probe.newEvents()).toMatchObject([{ type: 'protocol_error', error: { what: 'wrong_state' } }]);
    expect(probe.session.state).toBe(state);
  });

  it('one that takes no answer gets none', () => {
    const probe = boundEsme({}, 'bind_transmitter');
    probe.peer({ command: 'alert_notification', sequence_number: 3 });
    expect(probe.written()).toEqual([]);
    expect(probe.newEvents()).toMatchObject([{ type: 'protocol_error', error: { what: 'wrong_state' } }]);
  });

  it('ours are not sent', () => {
    const receiver = boundEsme({}, 'bind_receiver');
    expect(receiver.submit('x')).toBe('not_bound');
    expect(boundMc().session.request('submit_sm', {}, () => {}, 0)).toBe('not_bound');
    expect(receiver.written()).toEqual([]);
  });
});

describe('broken PDUs', () => {
  it('an unknown command gets a generic_nack and the session goes on', () => {
    const probe = boundMc();
    const bytes = encodePdu({ command: 'enquire_link', sequence_number: 77 }) as Buffer;
    bytes.writeUInt32BE(0xff, 4);
    probe.peerBytes(bytes);
    expect(probe.written()).toMatchObject([{ command: 'generic_nack', sequence_number: 77, command_status: 3 }]);
    expect(probe.session.state).toBe('BOUND_TRX');
  });

  it('an unknown answer and an unsolicited generic_nack get no answer', () => {
    const probe = boundMc();
    const bytes = encodePdu({ command: 'enquire_link', sequence_number: 77 }) as Buffer;
    bytes.writeUInt32BE(0x800000ff, 4);
    probe.peerBytes(bytes);
    probe.peer({ command: 'generic_nack', sequence_number: 0, command_status: 2 });
    expect(probe.written()).toEqual([]);
    expect(probe.session.state).toBe('BOUND_TRX');
  });

  it.each(['ff', '00000000', '140100ff', 'ffffffffffffffff'])(
    'an enquire_link with %s behind it is answered',
    (stray) => {
      const probe = boundMc();
      const bytes = Buffer.concat([
        encodePdu({ command: 'enquire_link', sequence_number: 77 }) as Buffer,
        Buffer.from(stray, 'hex'),
      ]);
      bytes.writeUInt32BE(bytes.length, 0);
      probe.peerBytes(bytes);
      expect(probe.written()).toMatchObject([{ command: 'enquire_link_resp', sequence_number: 77, command_status: 0 }]);
      expect(probe.newEvents()).toEqual([]);
    },
  );

  it('a broken body gets its own response, and the next PDU is read', () => {
    const probe = boundMc();
    const bytes = encodePdu({ command: 'submit_sm', sequence_number: 5, short_message: Buffer.from('Hi') }) as Buffer;
    bytes[bytes.length - 3] = 9;
    probe.peerBytes(Buffer.concat([bytes, encodePdu({ command: 'enquire_link', sequence_number: 6 }) as Buffer]));
    expect(probe.written()).toMatchObject([
      { command: 'submit_sm_resp', sequence_number: 5, command_status: 1 },
      { command: 'enquire_link_resp', sequence_number: 6 },
    ]);
    expect(probe.newEvents()).toMatchObject([{ type: 'protocol_error', error: { what: 'malformed_pdu' } }]);
  });

  it.each([0, 3, 4, 15, 65_537, 0xffffffff])('command_length %i: generic_nack, close', (length) => {
    const probe = boundEsme();
    probe.submit('open');
    probe.written();
    const bytes = encodePdu({ command: 'enquire_link', sequence_number: 9 }) as Buffer;
    bytes.writeUInt32BE(length, 0);
    probe.peerBytes(bytes);
    expect(probe.written()).toMatchObject([{ command: 'generic_nack', sequence_number: 9, command_status: 2 }]);
    expect(probe.newEvents()).toMatchObject([
      { error: { what: 'unframable' } },
      { type: 'closed', cause: 'unframable' },
    ]);
    expect(probe.outcomes).toEqual([['open', { kind: 'uncertain', detail: 'unframable' }]]);
    probe.peer({ command: 'enquire_link', sequence_number: 10 });
    expect(probe.written()).toEqual([]);
  });
});

describe('unbinding', () => {
  it('ours waits for open answers, then is sent, then closes', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('open') as number;
    probe.written();
    probe.session.unbind(probe.nowMs);
    expect(probe.submit('more')).toBe('not_bound');
    expect(probe.written()).toEqual([]);
    probe.peer({ command: 'submit_sm_resp', sequence_number, message_id: 'id' });
    expect(probe.written()).toMatchObject([{ command: 'unbind' }]);
    expect(probe.session.state).toBe('UNBOUND');
    probe.peer({ command: 'unbind_resp', sequence_number: sequence_number + 1 });
    expect(probe.cause()).toBe('unbound');
    expect(probe.outcomes).toMatchObject([['open', { kind: 'response' }]]);
  });

  it('ours is sent after drainMs, and closes after the same time again', () => {
    const probe = boundEsme({ drainMs: 5_000 });
    probe.submit('open');
    probe.written();
    probe.session.unbind(probe.nowMs);
    probe.pass(5_000);
    expect(probe.written()).toMatchObject([{ command: 'unbind' }]);
    probe.pass(5_000);
    expect(probe.cause()).toBe('unbound');
    expect(probe.outcomes).toEqual([['open', { kind: 'uncertain', detail: 'unbound' }]]);
  });

  it('of a session that is not bound closes at once', () => {
    const probe = new Probe('esme');
    probe.session.unbind(probe.nowMs);
    expect(probe.cause()).toBe('unbound');
  });

  it("the peer's is answered at once when nothing is open", () => {
    const probe = boundEsme();
    probe.peer({ command: 'unbind', sequence_number: 31 });
    expect(probe.written()).toMatchObject([{ command: 'unbind_resp', sequence_number: 31, command_status: 0 }]);
    expect(probe.cause()).toBe('unbound_by_peer');
  });

  it("the peer's stops sending, waits for what is open on both sides, is answered, closes", () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('open') as number;
    probe.peer({ command: 'deliver_sm', sequence_number: 30 }, { command: 'unbind', sequence_number: 31 });
    const [request] = probe.requests();
    expect(probe.submit('more')).toBe('not_bound');
    probe.written();
    probe.peer({ command: 'submit_sm_resp', sequence_number });
    expect(probe.written()).toEqual([]);
    probe.session.respond(request!, 0, undefined, probe.nowMs);
    expect(probe.written()).toMatchObject([
      { command: 'deliver_sm_resp' },
      { command: 'unbind_resp', sequence_number: 31 },
    ]);
    expect(probe.cause()).toBe('unbound_by_peer');
  });

  it('the peer’s is answered after drainMs at the latest, however often it is sent; the rest is uncertain', () => {
    const probe = boundEsme({ drainMs: 5_000 });
    probe.submit('open');
    probe.written();
    probe.peer({ command: 'unbind', sequence_number: 31 });
    probe.pass(4_000);
    probe.peer({ command: 'unbind', sequence_number: 32 });
    expect(probe.written()).toEqual([]);
    probe.pass(1_000);
    expect(probe.written()).toMatchObject([{ command: 'unbind_resp', sequence_number: 31 }]);
    expect(probe.outcomes).toEqual([]);
    expect(probe.cause()).toBe('unbound_by_peer');
    expect(probe.outcomes).toEqual([['open', { kind: 'uncertain', detail: 'unbound_by_peer' }]]);
  });

  it('ended by garbage while it waits stays ended', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('open') as number;
    probe.session.unbind(probe.nowMs);
    probe.written();
    const answer = encodePdu({ command: 'submit_sm_resp', sequence_number }) as Buffer;
    probe.peerBytes(Buffer.concat([Buffer.alloc(4), answer]));
    expect(probe.cause()).toBe('unframable');
    expect(probe.session.state).toBe('CLOSED');
    expect(probe.written().map((pdu) => pdu.command)).toEqual(['generic_nack']);
  });

  it('both at once: both answer', () => {
    const probe = boundEsme();
    probe.session.unbind(probe.nowMs);
    const [unbind] = probe.written();
    probe.peer({ command: 'unbind', sequence_number: 8 });
    expect(probe.written()).toMatchObject([{ command: 'unbind_resp', sequence_number: 8 }]);
    probe.peer({ command: 'unbind_resp', sequence_number: unbind!.sequence_number });
    expect(probe.cause()).toBe('unbound');
  });
});
