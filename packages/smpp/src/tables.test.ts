/** The tables and the small pure readers: command_status, commands, TLVs, times, reconnect waits. */
import { describe, expect, it } from 'vitest';
import { commandById, commandByName, commands } from './commands.ts';
import { nextDelay, noFailures } from './reconnect.ts';
import { status, statusClass, statusName } from './status.ts';
import { absoluteTime, parseSmppTime, relativeTime } from './time-format.ts';
import { readTlv, readTlvs, tlv, tlvByTag, tlvs } from './tlvs.ts';

describe('command_status', () => {
  it.each([
    [0x00, 'ESME_ROK', 'ok'],
    [0x08, 'ESME_RSYSERR', 'temporary'],
    [0x0b, 'ESME_RINVDSTADR', 'permanent'],
    [0x0e, 'ESME_RINVPASWD', 'session'],
    [0x14, 'ESME_RMSGQFUL', 'throttle'],
    [0x58, 'ESME_RTHROTTLED', 'throttle'],
    [0x112, 'ESME_RINVBCASTCHANIND', 'permanent'],
    [0x400, '0x00000400', 'permanent'],
  ])('%i is %s, %s', (code, name, statusClassName) => {
    expect(statusName(code)).toBe(name);
    expect(statusClass(code)).toBe(statusClassName);
  });

  it('has each code once', () => {
    const codes = Object.values(status);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('commands', () => {
  it('are found by id and by name, each id once', () => {
    const rows = Object.entries(commands);
    expect(new Set(rows.map(([, row]) => row.command_id)).size).toBe(rows.length);
    for (const [name, { command_id }] of rows) {
      expect(commandById(command_id)?.name).toBe(name);
      expect(commandByName(name as keyof typeof commands).command_id).toBe(command_id);
    }
    expect(commandById(0x0a)).toBeUndefined();
  });

  it('that are answered have a response of their own', () => {
    for (const [name, { command_id, answered }] of Object.entries(commands)) {
      if (command_id >= 0x80000000) continue;
      expect([name, commandById((command_id | 0x80000000) >>> 0)?.name]).toEqual([
        name,
        answered ? `${name}_resp` : undefined,
      ]);
    }
  });
});

describe('TLVs', () => {
  it('have each tag once', () => {
    const tags = Object.values(tlvs).map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(tags.length);
    expect(tlvByTag(0x0427)?.name).toBe('message_state');
    expect(tlvByTag(0x1400)).toBeUndefined();
  });

  it('are built and read by name', () => {
    const all = [
      tlv('user_message_reference', 0x1234),
      tlv('receipted_message_id', 'abc'),
      tlv('message_payload', Buffer.from('x')),
    ];
    expect(all.map(({ value }) => value.toString('hex'))).toEqual(['1234', '61626300', '78']);
    const pdu = { tlvs: all };
    expect(readTlv(pdu, 'user_message_reference')).toBe(0x1234);
    expect(readTlv(pdu, 'receipted_message_id')).toBe('abc');
    expect(readTlv(pdu, 'message_payload')).toEqual(Buffer.from('x'));
    expect(readTlv(pdu, 'message_state')).toBeUndefined();
  });

  it('that may be repeated are all read', () => {
    const pdu = { tlvs: [tlv('callback_num_pres_ind', 1), tlv('callback_num_pres_ind', 2)] };
    expect(readTlvs(pdu, 'callback_num_pres_ind')).toEqual([1, 2]);
  });

  it('that do not fit throw', () => {
    expect(() => tlv('message_state', 256)).toThrow(RangeError);
    expect(() => tlv('message_state', -1)).toThrow(RangeError);
    expect(() => tlv('receipted_message_id', 'x'.repeat(65))).toThrow(RangeError);
    expect(() => tlv('network_error_code', Buffer.alloc(2))).toThrow(RangeError);
  });

  it('of a number without octets, or with too many, are undefined', () => {
    for (const length of [0, 5]) {
      expect(readTlv({ tlvs: [{ tag: 0x427, value: Buffer.alloc(length) }] }, 'message_state')).toBeUndefined();
    }
  });
});

describe('times', () => {
  it('absolute, in their zone', () => {
    expect(parseSmppTime('261121021459304+')).toEqual({ kind: 'absolute', date: new Date('2026-11-21T01:14:59.300Z') });
    expect(parseSmppTime('700101000000000+')).toEqual({ kind: 'absolute', date: new Date(0) });
    expect(absoluteTime(new Date('2026-11-21T02:14:59.345Z'))).toBe('261121021459300+');
  });

  it('relative', () => {
    const parts = { years: 0, months: 0, days: 2, hours: 0, minutes: 0, seconds: 0 };
    expect(parseSmppTime('000002000000000R')).toEqual({ kind: 'relative', ...parts });
    expect(relativeTime(2 * 86_400_000)).toBe('000002000000000R');
    expect(relativeTime(3_723_001)).toBe('000000010204000R');
    expect(() => relativeTime(-1)).toThrow(RangeError);
    expect(() => relativeTime(32 * 86_400_000)).toThrow(RangeError);
  });

  it.each([
    '',
    '261121021459',
    '261321021459000+',
    '260230000000000+',
    '261121021459049+',
    '26112102145900+',
    '261121021459000Z',
  ])('%j is none', (text) => expect(parseSmppTime(text)).toBeUndefined());
});

describe('nextDelay', () => {
  /** The waits after `count` failures in a row. */
  const waits = (cause: Parameters<typeof nextDelay>[1], count: number, random: () => number) => {
    let failures: ReturnType<typeof nextDelay>['failures'] = noFailures;
    return Array.from({ length: count }, () => {
      const next = nextDelay(failures, cause, random);
      failures = next.failures;
      return next.delayMs;
    });
  };

  it('grows from 1 s to 60 s for connections, and is spread over the upper half', () => {
    expect(waits('connection', 8, () => 0)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * 1_000));
    expect(waits('connection', 8, () => 0.999_999)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('grows from 5 s to 300 s for binds, and leaves at most 20 in an hour', () => {
    expect(waits({ bind: 0x0d }, 8, () => 0)).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((s) => s * 1_000));
    const shortest = waits({ bind: 'unanswered' }, 20, () => 0.999_999) as number[];
    expect(shortest.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(3_600_000);
  });

  it('stops after the third refused password in a row', () => {
    expect(waits({ bind: 0x0e }, 3, () => 0)).toEqual([5_000, 10_000, 'stop']);
    const after = nextDelay({ connects: 0, binds: 2, passwordRefusals: 2 }, { bind: 0x0f }, () => 0);
    expect(after).toEqual({ failures: { connects: 0, binds: 3, passwordRefusals: 0 }, delayMs: 20_000 });
  });

  it('a lost connection does not reset refused passwords', () => {
    const { failures } = nextDelay({ connects: 0, binds: 2, passwordRefusals: 2 }, 'connection', () => 0);
    expect(nextDelay(failures, { bind: 0x0e }, () => 0).delayMs).toBe('stop');
  });
});
