/** A session whose peer keeps sending: during an unbind, over many turns, and while reading is paused. */
import { describe, expect, it } from 'vitest';
import { encodePdu } from './encode.ts';
import type { PduInput } from './pdu.ts';
import { ReadShare } from './read-share.ts';
import { boundEsme } from './session-probe.ts';

const deliver = (sequence_number: number): PduInput => ({ command: 'deliver_sm', sequence_number });
const again = 0x14;

describe('requests that come while we unbind', () => {
  it('are accepted for a second, then refused as temporary, and all answered before the unbind', () => {
    const probe = boundEsme();
    const sequence_number = probe.submit('open') as number;
    probe.written();
    probe.session.unbind(probe.nowMs);
    probe.peer(deliver(1), deliver(2));
    const [first, second] = probe.requests();
    probe.session.respond(first!, 0, undefined, probe.nowMs);
    probe.peer({ command: 'submit_sm_resp', sequence_number });
    probe.newEvents();
    probe.pass(1_000);
    probe.peer(deliver(3));
    const [third] = probe.requests();
    probe.session.respond(third!, 0, undefined, probe.nowMs);
    probe.peer(deliver(4));
    expect(probe.newEvents()).toEqual([]);
    expect(probe.written()).toMatchObject([
      { command: 'deliver_sm_resp', sequence_number: 1, command_status: 0 },
      { command: 'deliver_sm_resp', sequence_number: 3, command_status: 0 },
      { command: 'deliver_sm_resp', sequence_number: 4, command_status: again },
    ]);
    probe.session.respond(second!, 0, undefined, probe.nowMs);
    expect(probe.written()).toMatchObject([
      { command: 'deliver_sm_resp', sequence_number: 2, command_status: 0 },
      { command: 'unbind' },
    ]);
  });

  it('are answered even if the answer to our unbind comes in the same read', () => {
    const probe = boundEsme();
    probe.session.unbind(probe.nowMs);
    const [unbind] = probe.written();
    probe.peer(
      deliver(1),
      deliver(2),
      { command: 'unbind_resp', sequence_number: unbind!.sequence_number },
      deliver(3),
    );
    expect(probe.written()).toMatchObject([
      { command: 'deliver_sm_resp', sequence_number: 1, command_status: again },
      { command: 'deliver_sm_resp', sequence_number: 2, command_status: again },
    ]);
    expect(probe.newEvents()).toEqual([{ type: 'closed', cause: 'unbound' }]);
  });

  it('that we answer late keep the session open for a while after the answer to our unbind', () => {
    for (const isAnswered of [true, false]) {
      const probe = boundEsme({ drainMs: 1_000, unbindTimeoutMs: 2_000 });
      probe.peer(deliver(1));
      const [request] = probe.requests();
      probe.session.unbind(probe.nowMs);
      probe.pass(1_000);
      const [unbind] = probe.written();
      probe.peer({ command: 'unbind_resp', sequence_number: unbind!.sequence_number });
      expect(probe.cause()).toBeUndefined();
      if (isAnswered) probe.session.respond(request!, 0, undefined, probe.nowMs);
      else probe.pass(2_000);
      expect(probe.written()).toMatchObject(isAnswered ? [{ command: 'deliver_sm_resp', command_status: 0 }] : []);
      expect(probe.cause()).toBe('unbound');
    }
  });
});

describe('a read of many PDUs', () => {
  const many = Array.from({ length: 10 }, (_, i) => encodePdu(deliver(i + 1)) as Buffer);

  it('is handled a few at a time, and none is lost where a PDU is incomplete', () => {
    const probe = boundEsme();
    const whole = Buffer.concat(many);
    expect(probe.session.bytes(whole.subarray(0, -5), probe.nowMs, 4)).toBe(4);
    expect(probe.session.hasMore).toBe(true);
    expect(probe.requests()).toHaveLength(4);
    // A PDU that waits here does not count as one that has begun and stalled.
    probe.pass(20_000);
    expect(probe.session.goOn(probe.nowMs, 4)).toBe(4);
    expect(probe.session.goOn(probe.nowMs, 4)).toBe(1);
    expect(probe.session.hasMore).toBe(false);
    expect(probe.session.bytes(whole.subarray(-5), probe.nowMs, 4)).toBe(1);
    expect(probe.requests().map(({ pdu }) => pdu.sequence_number)).toEqual([5, 6, 7, 8, 9, 10]);
  });
});

describe('while reading is paused', () => {
  const full = () => {
    const probe = boundEsme({ inboundOverflow: 'pause', inboundWindow: 1, enquireLinkMs: 1_000 });
    probe.peerBytes(Buffer.concat([encodePdu(deliver(1)) as Buffer, Buffer.from([0, 0, 0])]));
    const [request] = probe.requests();
    expect(probe.session.pauseReading).toBe(true);
    return { probe, request: request! };
  };

  it('the peer is neither silent nor slow', () => {
    const { probe, request } = full();
    probe.pass(60_000);
    expect(probe.session.state).toBe('BOUND_TRX');
    probe.session.respond(request, 0, undefined, probe.nowMs);
    probe.pass(60_000);
    expect(probe.session.state).toBe('CLOSED');
  });

  it('an answer that may be unread gets twice the time, not for ever', () => {
    const { probe } = full();
    probe.submit('open');
    probe.written();
    probe.pass(59_000);
    probe.newEvents();
    expect(probe.outcomes).toEqual([]);
    probe.pass(3_000);
    probe.newEvents();
    expect(probe.outcomes).toEqual([['open', { kind: 'uncertain', detail: 'response_timeout' }]]);
  });
});

describe('a share of the turns', () => {
  it('is divided among waiting sessions, and each gets some', async () => {
    const share = new ReadShare(10);
    const left = { a: 1_000, b: 1_000, c: 5 };
    const turns: string[][] = [];
    const workOf = (name: keyof typeof left) => {
      const work = (pdusMax: number): number => {
        const count = Math.min(pdusMax, left[name]);
        left[name] -= count;
        turns.at(-1)!.push(`${name}${count}`);
        if (left[name] > 0) share.wait(work);
        return count;
      };
      return work;
    };
    turns.push([]);
    for (const name of ['a', 'b', 'c'] as const) share.use(workOf(name));
    for (let i = 0; i < 3; i++) {
      turns.push([]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The first uses the rest of its turn; then all three share, then the two that have more.
    expect(turns).toEqual([['a10'], ['a3', 'b3', 'c3'], ['a3', 'b3', 'c2'], ['a5', 'b5']]);
  });
});
