import { status, statusClass } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { outcomeCodes } from '../../model/reason.ts';
import { carrierCodeOf, refusalOf, statusVerdict } from './status.ts';

describe('what a command_status means', () => {
  it.each([
    [[0x0b, 0x50, 0x51], 'UNKNOWN_SUBSCRIBER'],
    [[0x01, 0x43, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4], 'MALFORMED'],
    [[0x0a, 0x45, 0x48, 0x49, 0x65, 0x66, 0xfe], 'CARRIER_REJECTED'],
    [[0x400, 0x4ff, 0x7fffffff], 'CARRIER_REJECTED'],
  ])('%j is a refusal for good: %s', (statuses, code) => {
    for (const command_status of statuses) {
      expect(refusalOf(command_status)).toMatchObject({ retry: 'never', code, countsAttempt: true });
    }
  });

  it.each([0x08, 0x64])('%i is tried again and counts', (command_status) => {
    expect(refusalOf(command_status)).toMatchObject({
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      countsAttempt: true,
    });
  });

  it('a throttle waits and costs no try, a full queue waits longer', () => {
    expect(refusalOf(0x58)).toMatchObject({ retry: 'later', afterMs: 1_000, countsAttempt: false });
    expect(refusalOf(0x14)).toMatchObject({ retry: 'later', afterMs: 5_000, countsAttempt: false });
  });

  it.each([0x04, 0x05, 0x0d, 0x0e, 0x0f, 0x53])('%i speaks of the bind, not of the message', (command_status) => {
    expect(statusVerdict(command_status).kind).toBe('session');
    expect(refusalOf(command_status)).toMatchObject({ retry: 'later', countsAttempt: false });
  });

  it('agrees with the classes of the standard, save ESME_RSUBMITFAIL, which is for good with us', () => {
    const kinds = { permanent: 'never', temporary: 'later', throttle: 'throttle', session: 'session', ok: '' };
    for (const command_status of Object.values(status)) {
      if (command_status === status.ESME_ROK || command_status === status.ESME_RSUBMITFAIL) continue;
      expect([command_status, statusVerdict(command_status).kind]).toEqual([
        command_status,
        kinds[statusClass(command_status)],
      ]);
    }
  });

  it('uses only codes of the catalogue', () => {
    for (const command_status of Object.values(status)) {
      expect(outcomeCodes).toHaveProperty(statusVerdict(command_status).code);
    }
  });

  it('is shown by name and number', () => {
    expect(carrierCodeOf(0x0b)).toBe('ESME_RINVDSTADR 0x0000000B');
    expect(carrierCodeOf(0x400)).toBe('0x00000400');
  });
});
