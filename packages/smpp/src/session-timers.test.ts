/** The timers of a session, with time moved by hand. */
import { describe, expect, it } from 'vitest';
import { encodePdu } from './encode.ts';
import type { PduInput } from './pdu.ts';
import { boundEsme, boundMc } from './session-probe.ts';

const answer = (sequence_number: number | string): PduInput => ({
  command: 'submit_sm_resp',
  sequence_number: sequence_number as number,
  message_id: 'late',
});

describe('an answer that does not come', () => {
  const limits = { responseTimeoutMs: 30_000, lateAnswerMs: 1_000, enquireLinkMs: 0 };

  it('is reported at responseTimeoutMs; the session accepts nothing more and closes', () => {
    const probe = boundEsme(limits);
    probe.submit('a');
    probe.pass(10_000);
    probe.submit('b');
    probe.written();
    probe.pass(19_999);
    expect(probe.newEvents()).toEqual([]);
    probe.pass(1);
    expect(probe.newEvents()).toMatchObject([{ type: 'response_timeout', sequence_number: 2 }]);
    expect(probe.outcomes).toEqual([]);
    expect(probe.submit('c')).toBe('not_bound');
    expect(probe.session.free).toBe(0);
    probe.pass(1_000);
    expect(probe.cause()).toBe('response_timeout');
    expect(probe.outcomes).toEqual([
      ['a', { kind: 'uncertain', detail: 'response_timeout' }],
      ['b', { kind: 'uncertain', detail: 'response_timeout' }],
    ]);
    // No request is ever written twice.
    expect(probe.written()).toEqual([]);
  });

  it('is still accepted until the close', () => {
    const probe = boundEsme(limits);
    const first = probe.submit('a');
    const second = probe.submit('b');
    probe.written();
    probe.pass(30_500);
    probe.peer(answer(first));
    expect(probe.session.state).toBe('BOUND_TRX');
    probe.peer(answer(second));
    expect(probe.newEvents().at(-1)).toEqual({ type: 'closed', cause: 'response_timeout' });
    expect(probe.outcomes).toMatchObject([
      ['a', { kind: 'response' }],
      ['b', { kind: 'response' }],
    ]);
  });

  it('does not end a session whose answers come in time, however long it lasts', () => {
    const probe = boundEsme(limits);
    for (let i = 0; i < 50; i++) {
      const sequence_number = probe.submit(String(i));
      probe.pass(29_000);
      probe.peer(answer(sequence_number));
    }
    expect(probe.session.state).toBe('BOUND_TRX');
    expect(probe.newEvents()).toEqual([]);
    expect(probe.outcomes).toHaveLength(50);
  });

  it('counts from the oldest open request', () => {
    const probe = boundEsme(limits);
    const first = probe.submit('a');
    probe.pass(20_000);
    probe.submit('b');
    probe.peer(answer(first));
    probe.pass(29_999);
    expect(probe.session.free).toBe(9);
    probe.pass(1);
    expect(probe.session.free).toBe(0);
  });
});

describe('enquire_link', () => {
  const limits = { enquireLinkMs: 30_000, enquireLinkTimeoutMs: 10_000 };

  it('is sent after silence; unanswered, the session closes', () => {
    const probe = boundEsme(limits);
    probe.pass(29_999);
    expect(probe.written()).toEqual([]);
    probe.pass(1);
    expect(probe.written()).toMatchObject([{ command: 'enquire_link' }]);
    probe.pass(9_999);
    expect(probe.session.state).toBe('BOUND_TRX');
    probe.pass(1);
    expect(probe.cause()).toBe('enquire_link_timeout');
  });

  it('restarts the wait when answered', () => {
    const probe = boundMc(limits);
    for (let i = 0; i < 20; i++) {
      probe.pass(30_000);
      const [sent, ...more] = probe.written();
      expect(sent).toMatchObject({ command: 'enquire_link' });
      expect(more).toEqual([]);
      probe.pass(5_000);
      probe.peer({ command: 'enquire_link_resp', sequence_number: sent!.sequence_number });
    }
    expect(probe.session.state).toBe('BOUND_TRX');
    expect(probe.newEvents()).toEqual([]);
  });

  it('counts as answered within the same millisecond of the clock', () => {
    const probe = boundMc(limits);
    probe.pass(30_000);
    const [sent] = probe.written();
    probe.peer({ command: 'enquire_link_resp', sequence_number: sent!.sequence_number });
    probe.pass(29_000);
    expect(probe.session.state).toBe('BOUND_TRX');
  });

  it('is replaced by any octet, before it and as its answer', () => {
    const probe = boundEsme(limits);
    const whole = encodePdu({ command: 'deliver_sm', sequence_number: 1 }) as Buffer;
    probe.pass(29_000);
    probe.peerBytes(whole.subarray(0, 3));
    probe.pass(5_000);
    probe.peerBytes(whole.subarray(3));
    expect(probe.written()).toEqual([]);
    probe.pass(30_000);
    expect(probe.written()).toMatchObject([{ command: 'enquire_link' }]);
    probe.pass(9_000);
    probe.peerBytes(whole);
    probe.pass(20_000);
    expect(probe.session.state).toBe('BOUND_TRX');
  });

  it('is not sent to a peer that keeps sending', () => {
    const probe = boundEsme(limits);
    for (let i = 0; i < 100; i++) {
      probe.pass(20_000);
      probe.peer({ command: 'enquire_link', sequence_number: i });
    }
    const commands = new Set(probe.written().map((pdu) => pdu.command));
    expect([...commands]).toEqual(['enquire_link_resp']);
  });

  it('can be switched off, and a simulator can leave it unanswered', () => {
    const quiet = boundEsme({ enquireLinkMs: 0 });
    quiet.pass(10_000_000);
    expect(quiet.written()).toEqual([]);
    const mute = boundMc();
    mute.session.answersEnquireLink = false;
    mute.peer({ command: 'enquire_link', sequence_number: 1 });
    expect(mute.written()).toEqual([]);
  });
});

describe('an incomplete PDU', () => {
  const submit = encodePdu({ command: 'submit_sm', sequence_number: 5, destination_addr: '1555' }) as Buffer;

  it.each([1, 3, 4, 15, 16, submit.length - 1])('%i octets and silence: closes after pduTimeoutMs', (octets) => {
    const probe = boundMc({ pduTimeoutMs: 10_000 });
    probe.peerBytes(submit.subarray(0, octets));
    probe.pass(9_999);
    expect(probe.session.state).toBe('BOUND_TRX');
    probe.pass(1);
    expect(probe.cause()).toBe('pdu_timeout');
  });

  it('sent octet by octet gets no more time', () => {
    const probe = boundMc({ pduTimeoutMs: 10_000 });
    for (let at = 0; at < 10; at++) {
      probe.peerBytes(submit.subarray(at, at + 1));
      probe.pass(1_000);
    }
    expect(probe.cause()).toBe('pdu_timeout');
  });

  it('gets its own time', () => {
    const probe = boundMc({ pduTimeoutMs: 10_000 });
    probe.peerBytes(submit.subarray(0, 20));
    for (let i = 0; i < 20; i++) {
      probe.pass(9_000);
      probe.peerBytes(Buffer.concat([submit.subarray(20), submit.subarray(0, 20)]));
    }
    expect(probe.session.state).toBe('BOUND_TRX');
    probe.peerBytes(submit.subarray(20));
    probe.pass(100_000);
    expect(probe.cause()).not.toBe('pdu_timeout');
  });
});

describe('inactivity', () => {
  it('enquire_link alone does not keep a session open for ever', () => {
    const probe = boundMc({ inactivityMs: 60_000, drainMs: 5_000 });
    for (let i = 0; i < 6; i++) {
      probe.pass(10_000);
      probe.peer({ command: 'enquire_link', sequence_number: i });
    }
    expect(probe.written().map((pdu) => pdu.command)).toContain('unbind');
    probe.pass(5_000);
    expect(probe.cause()).toBe('inactive');
  });

  it('a request or an answer does', () => {
    const probe = boundMc({ inactivityMs: 60_000, enquireLinkMs: 0 });
    for (let i = 0; i < 10; i++) {
      probe.pass(50_000);
      probe.peer({ command: 'submit_sm', sequence_number: i });
    }
    expect(probe.session.state).toBe('BOUND_TRX');
  });
});

describe('nextTimerAt', () => {
  it('is never in the past after a tick, and never after the end', () => {
    const probe = boundEsme();
    probe.submit('a');
    for (let i = 0; i < 100 && probe.session.state !== 'CLOSED'; i++) {
      probe.nowMs = probe.session.nextTimerAt;
      probe.session.tick(probe.nowMs);
      expect(probe.session.nextTimerAt).toBeGreaterThan(probe.nowMs);
    }
    expect(probe.session.state).toBe('CLOSED');
    expect(probe.session.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });
});
