/** Requests and answers: numbering, matching, the window on either side, and the outcome of each request. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandByName } from './commands.ts';
import { encodePdu } from './encode.ts';
import { RequestWindow } from './outlet.ts';
import type { PduInput } from './pdu.ts';
import { boundEsme, boundMc, type Probe } from './session-probe.ts';

const answer = (sequence_number: number | string, message_id = 'id'): PduInput => ({
  command: 'submit_sm_resp',
  sequence_number: sequence_number as number,
  message_id,
});

const errorsOf = (probe: Probe): string[] =>
  probe.newEvents().flatMap((event) => (event.type === 'protocol_error' ? [event.error.what] : []));

describe('our window', () => {
  it('accepts as many requests as it has slots, and each answer frees one', () => {
    const probe = boundEsme({ window: 2 });
    expect(probe.session.free).toBe(2);
    const first = probe.submit('a');
    expect(probe.submit('b')).toBeTypeOf('number');
    expect(probe.submit('c')).toBe('window_full');
    expect([probe.session.free, probe.session.outstanding]).toEqual([0, 2]);
    probe.peer(answer(first));
    expect(probe.session.free).toBe(1);
    expect(probe.submit('c')).toBeTypeOf('number');
    expect(probe.written()).toHaveLength(3);
  });

  it('is not used by the session’s own enquire_link', () => {
    const probe = boundEsme({ window: 1, enquireLinkMs: 1_000 });
    probe.pass(1_000);
    expect(probe.written()).toMatchObject([{ command: 'enquire_link' }]);
    expect(probe.session.free).toBe(1);
  });

  it('gives no number and no slot to a request that cannot be encoded', () => {
    const probe = boundEsme({ window: 1 });
    expect(probe.submit('1'.repeat(21))).toContain('at most 20');
    expect(probe.submit('ok')).toBe(2);
    expect(probe.written()).toMatchObject([{ sequence_number: 2, destination_addr: 'ok' }]);
  });
});

describe('matching answers', () => {
  it('in any order, by sequence_number alone', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...Array(50).keys()], { minLength: 50 }), (order) => {
        const probe = boundEsme({ window: 50 });
        const numbers = order.map((_, i) => probe.submit(String(i)));
        probe.peer(...order.map((i) => answer(numbers[i]!, `id${i}`)));
        probe.newEvents();
        const newEvents = probe.outcomes.map(([name, outcome]) => [name, outcome.kind === 'response' && outcome.pdu]);
        expect(newEvents).toMatchObject(order.map((i) => [String(i), { message_id: `id${i}` }]));
        expect(probe.session.outstanding).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it('not by the peer’s request of the same number', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('mine') as number;
    probe.peer({ command: 'deliver_sm', sequence_number });
    expect(probe.requests()).toHaveLength(1);
    expect(probe.session.outstanding).toBe(1);
    probe.peer(answer(sequence_number));
    probe.newEvents();
    expect(probe.outcomes).toMatchObject([['mine', { kind: 'response' }]]);
  });

  it('an unknown number, or one answered before, changes nothing', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('a');
    probe.peer(answer(sequence_number), answer(sequence_number, 'other'), answer(4_711));
    expect(errorsOf(probe)).toEqual(['unexpected_response', 'unexpected_response']);
    expect(probe.outcomes).toMatchObject([['a', { kind: 'response', pdu: { message_id: 'id' } }]]);
    expect(probe.session.state).toBe('BOUND_TRX');
    probe.written();
    expect(probe.written()).toEqual([]);
  });

  it('a wrong kind of answer makes its request uncertain', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('a') as number;
    probe.peer({ command: 'deliver_sm_resp', sequence_number });
    expect(errorsOf(probe)).toEqual(['wrong_response']);
    expect(probe.outcomes).toEqual([['a', { kind: 'uncertain', detail: 'wrong_response' }]]);
    expect(probe.session.outstanding).toBe(0);
  });

  it('an answer whose body cannot be read makes its request uncertain', () => {
    const probe = boundEsme();
    const outcomes: unknown[] = [];
    const sequence_number = probe.session.request(
      'query_sm',
      {},
      (outcome) => outcomes.push(outcome),
      probe.nowMs,
    ) as number;
    const whole = encodePdu({ command: 'query_sm_resp', sequence_number }) as Buffer;
    const cut = Buffer.from(whole.subarray(0, 18));
    cut.writeUInt32BE(18, 0);
    probe.peerBytes(cut);
    expect(errorsOf(probe)).toEqual(['malformed_response']);
    expect(outcomes).toEqual([{ kind: 'uncertain', detail: 'malformed_response' }]);
  });

  it('a generic_nack is an answer', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('a') as number;
    probe.peer({ command: 'generic_nack', sequence_number, command_status: 3 });
    probe.newEvents();
    expect(probe.outcomes).toMatchObject([
      ['a', { kind: 'response', pdu: { command: 'generic_nack', command_status: 3 } }],
    ]);
  });

  it('status 0 with an empty message_id is an answer', () => {
    const probe = boundEsme();
    probe.peer(answer(probe.submit('a'), ''));
    probe.newEvents();
    expect(probe.outcomes).toMatchObject([['a', { kind: 'response', pdu: { command_status: 0, message_id: '' } }]]);
  });

  it('within one read answers come before requests', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('a') as number;
    probe.peer({ command: 'deliver_sm', sequence_number: 1 }, answer(sequence_number));
    expect(probe.session.takeEvents().map((event) => event.type)).toEqual(['settled', 'request']);
  });
});

describe('sequence_number', () => {
  it('counts up, and 1 follows 0x7FFFFFFF', () => {
    const probe = boundEsme({ firstSequenceNumber: 0x7ffffffd });
    expect([probe.submit('a'), probe.submit('b'), probe.submit('c')]).toEqual([0x7ffffffe, 0x7fffffff, 1]);
  });

  it('is never an open one, even across the wrap', () => {
    const probe = boundEsme({ firstSequenceNumber: 0x7fffffff - 50, window: 40 });
    const open = new Set<number>();
    let kept = 0;
    for (let i = 0; i < 1_000; i++) {
      const sequence_number = probe.submit('x');
      if (typeof sequence_number !== 'number') throw new Error('refused');
      expect(open.has(sequence_number)).toBe(false);
      expect(sequence_number >= 1 && sequence_number <= 0x7fffffff).toBe(true);
      open.add(sequence_number);
      // Every 30th stays open, so that low numbers are in use when counting starts again.
      if (i % 30 === 0) kept++;
      else probe.peer(answer(sequence_number));
      if (i % 30 !== 0) open.delete(sequence_number);
    }
    expect(probe.session.outstanding).toBe(kept);
    probe.session.close('destroyed');
    probe.newEvents();
    expect(probe.outcomes).toHaveLength(1_000);
  });

  it('skips a number that is still open after the wrap', () => {
    const window = new RequestWindow(1);
    const command = commandByName('submit_sm');
    window.add({ sequence_number: 1, command, settle: () => {}, sentMs: 0, startOctet: 0 });
    window.add({ sequence_number: 2, command, settle: () => {}, sentMs: 0, startOctet: 0 });
    window.skip(0x7fffffff);
    expect(window.nextNumber()).toBe(3);
  });
});

describe('when the connection is lost', () => {
  it('every open request gets one outcome: sent ones uncertain, provably unsent ones not_sent', () => {
    const probe = boundEsme();
    probe.submit('written');
    probe.written();
    probe.submit('waiting');
    probe.session.close('socket_error');
    expect(probe.cause()).toBe('socket_error');
    expect(probe.outcomes).toEqual([
      ['written', { kind: 'uncertain', detail: 'socket_error' }],
      ['waiting', { kind: 'not_sent', detail: 'socket_error' }],
    ]);
    probe.session.close('socket_error');
    probe.pass(100_000);
    expect(probe.newEvents()).toEqual([]);
    expect(probe.outcomes).toHaveLength(2);
  });

  it('requests reported as not sent are not in the last octets', () => {
    const probe = boundEsme();
    probe.submit('unsent');
    probe.peerBytes(Buffer.from([0, 0, 0, 1]));
    expect(probe.written()).toMatchObject([{ command: 'generic_nack', sequence_number: 0, command_status: 2 }]);
    probe.newEvents();
    expect(probe.outcomes).toEqual([['unsent', { kind: 'not_sent', detail: 'unframable' }]]);
  });

  it('the last octets have the last answers, when nothing is unsent', () => {
    const probe = boundMc();
    probe.peer({ command: 'enquire_link', sequence_number: 5 });
    probe.peerBytes(Buffer.from([0, 0, 0, 1]));
    expect(probe.written()).toMatchObject([{ command: 'enquire_link_resp' }, { command: 'generic_nack' }]);
  });
});

describe("the peer's window", () => {
  const flood = (probe: Probe, count: number): void =>
    probe.peer(
      ...Array.from({ length: count }, (_, i): PduInput => ({ command: 'submit_sm', sequence_number: i + 1 })),
    );

  it('over it an MC throttles, and accepts requests again once one is answered', () => {
    const probe = boundMc({ inboundWindow: 3 });
    flood(probe, 5);
    const requests = probe.requests();
    expect(requests).toHaveLength(3);
    expect(probe.written()).toMatchObject([
      { command: 'submit_sm_resp', sequence_number: 4, command_status: 0x58 },
      { command: 'submit_sm_resp', sequence_number: 5, command_status: 0x58 },
    ]);
    probe.session.respond(requests[0]!, 0, { message_id: 'a' }, probe.nowMs);
    probe.peer({ command: 'submit_sm', sequence_number: 6 });
    expect(probe.requests()).toHaveLength(1);
  });

  it('or pauses reading', () => {
    const probe = boundMc({ inboundWindow: 2, inboundOverflow: 'pause' });
    flood(probe, 3);
    const requests = probe.requests();
    expect(requests).toHaveLength(3);
    expect(probe.session.pauseReading).toBe(true);
    probe.session.respond(requests[0]!, 0, undefined, probe.nowMs);
    expect(probe.session.pauseReading).toBe(true);
    probe.session.respond(requests[1]!, 0, undefined, probe.nowMs);
    expect(probe.session.pauseReading).toBe(false);
  });

  it('an ESME says "queue full", which makes the MC retry', () => {
    const probe = boundEsme({ inboundWindow: 1 });
    probe.peer({ command: 'deliver_sm', sequence_number: 1 }, { command: 'deliver_sm', sequence_number: 2 });
    expect(probe.written()).toMatchObject([{ command: 'deliver_sm_resp', sequence_number: 2, command_status: 0x14 }]);
  });
});

describe('answering', () => {
  it('once only, and not after the end', () => {
    const probe = boundEsme();
    probe.peer({ command: 'deliver_sm', sequence_number: 8 }, { command: 'deliver_sm', sequence_number: 9 });
    const [first, second] = probe.requests();
    expect(probe.session.respond(first!, 0, undefined, probe.nowMs)).toBe(true);
    expect(probe.session.respond(first!, 8, undefined, probe.nowMs)).toBe(false);
    expect(probe.written()).toMatchObject([{ command: 'deliver_sm_resp', sequence_number: 8, message_id: '' }]);
    probe.session.close('peer_closed');
    expect(probe.session.respond(second!, 0, undefined, probe.nowMs)).toBe(false);
    expect(probe.written()).toEqual([]);
  });

  it('with fields that cannot be encoded is refused, and can be retried', () => {
    const probe = boundMc();
    probe.peer({ command: 'submit_sm', sequence_number: 8 });
    const [request] = probe.requests();
    expect(probe.session.respond(request!, 0, { message_id: 'x'.repeat(65) }, probe.nowMs)).toBe(false);
    expect(probe.session.respond(request!, 8, undefined, probe.nowMs)).toBe(true);
    expect(probe.written()).toMatchObject([{ command: 'submit_sm_resp', command_status: 8 }]);
  });

  it('an alert_notification takes none', () => {
    const probe = boundEsme();
    probe.peer({ command: 'alert_notification', sequence_number: 8 });
    const [request] = probe.requests();
    expect(probe.session.respond(request!, 0, undefined, probe.nowMs)).toBe(false);
    expect(probe.written()).toEqual([]);
  });

  it('echoes whatever sequence_number came', () => {
    const probe = boundEsme();
    for (const sequence_number of [0, 0x80000000, 0xffffffff]) {
      probe.peer({ command: 'enquire_link', sequence_number });
      expect(probe.written()).toMatchObject([{ command: 'enquire_link_resp', sequence_number }]);
    }
  });

  it('our notices are sent when bound, and use no slot', () => {
    const probe = boundMc({ window: 1 });
    expect(probe.session.notify('alert_notification', { source_addr: '1555' }, probe.nowMs)).toBe('sent');
    expect(probe.session.free).toBe(1);
    expect(probe.written()).toMatchObject([{ command: 'alert_notification', sequence_number: 1 }]);
    expect(boundMc({}, 'bind_transmitter').session.notify('alert_notification', {}, 0)).toBe('not_bound');
    expect(boundEsme().session.notify('alert_notification', {}, 0)).toBe('not_bound');
  });
});
