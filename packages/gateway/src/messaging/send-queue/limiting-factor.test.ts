import { describe, expect, it } from 'vitest';
import type { CarrierRecord } from '../../model/records.ts';
import type { LaneReport } from './lane-meter.ts';
import { type Held, limitingFactor } from './limiting-factor.ts';

const record = { kind: 'smpp', enabled: true, smpp: { messagesPerSecond: 10 } } as unknown as CarrierRecord;
const bind = { state: 'bound_trx', detail: null, window: 10, inFlight: 0 };
const report: LaneReport = {
  status: { carrierId: 'a', up: true, binds: [bind, bind] },
  since: 0,
  detail: 'bound',
  inFlight: 0,
  outPerSecond: 0,
  inPerSecond: 0,
  outHistory: [],
  accepted: 0,
  receipts: 0,
  tries: 0,
  refused: 0,
  throttled: 0,
  reported: null,
  responseP95Ms: null,
  silentSince: null,
};
const factor = (held: Partial<Held> = {}) => limitingFactor({ record, report, paused: false, queued: 0, ...held });
const withBinds = (inFlight: number): LaneReport => ({
  ...report,
  status: { ...report.status, binds: [bind, { ...bind, inFlight }] },
});

describe('what holds a carrier back', () => {
  it('names the strongest factor first', () => {
    expect(factor({ record: { ...record, enabled: false }, paused: true })).toContain('switched off');
    expect(factor({ paused: true, report: null })).toContain('paused');
    expect(factor({ report: null })).toContain('connecting');
    const down = { ...report, detail: 'bind refused: ESME_RINVPASWD', status: { ...report.status, up: false } };
    expect(factor({ report: down, queued: 9 })).toBe(
      'It is down. The carrier refused the password. (bind refused: ESME_RINVPASWD)',
    );
    const newer = { ...down.status, binds: [{ ...bind, detail: 'connection ended: odd; next try in 3 s' }] };
    expect(factor({ report: { ...down, status: newer } })).toBe('It is down: connection ended: odd; next try in 3 s.');
  });

  it.each([
    ['certificate has expired', 'Its certificate has expired.'],
    ["Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not", 'Its certificate is for another name.'],
    ['unable to verify the first certificate', 'No trusted authority signed its certificate.'],
    ['self-signed certificate in certificate chain', 'No trusted authority signed its certificate.'],
  ])('is in plain words where TLS fails: %s', (problem, plain) => {
    const detail = `connection failed: ${problem}`;
    const down = { ...report, detail, status: { ...report.status, up: false } };
    expect(factor({ report: down })).toBe(`It is down. ${plain} (${detail})`);
  });

  it('is the rate with what other cells lend, where they do', () => {
    const busy = { ...report, outPerSecond: 10, status: { ...report.status, perSecond: 30 } };
    expect(factor({ report: busy, queued: 1 })).not.toContain('limit');
    expect(factor({ report: { ...busy, outPerSecond: 28 }, queued: 1 })).toBe(
      'Its own limit of 30 segments per second.',
    );
  });

  it('is its rate only while something waits, its window when nearly all of it is used', () => {
    const fast = { ...report, outPerSecond: 9.5 };
    expect(factor({ report: fast, queued: 5 })).toBe('Its own limit of 10 segments per second.');
    expect(factor({ report: fast })).toBe('Nothing: its queue is empty.');
    expect(factor({ report: { ...report, throttled: 3 }, queued: 5 })).toContain('refused 3 tries as too many');
    expect(factor({ report: withBinds(10), queued: 5 })).not.toContain('window');
    const full = { ...report, status: { ...report.status, binds: [{ ...bind, inFlight: 9 }] } };
    expect(factor({ report: full, queued: 5 })).toContain('9 of 10');
    expect(factor({ queued: 5 })).toContain('not due yet');
  });
});
