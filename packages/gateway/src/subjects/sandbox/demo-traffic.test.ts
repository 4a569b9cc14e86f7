/** The generated traffic: in order, within its days, plausible figures, and only fictional numbers. */
import { describe, expect, it } from 'vitest';
import { dice } from '../../../../../test/props/chance.ts';
import { demoKeyId } from '../../model/demo.ts';
import { mayMove } from '../../model/lifecycle.ts';
import { outcomeCodes } from '../../model/reason.ts';
import { type DemoSent, demoContacts, demoTraffic } from './demo-traffic.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 21, 3, 30);
const numbers: [string, string] = ['12025550199', '12025550195'];

const chance = (seed = 7) => ({ fraction: dice(seed) });

const made = (fields: Partial<Parameters<typeof demoTraffic>[0]> = {}) =>
  demoTraffic({ now, days: 30, numbers, contacts: demoContacts, random: chance(), ...fields });
const traffic = made();
const sent = traffic.filter((one): one is DemoSent => one.what === 'sent');
const outcomes = sent.flatMap(({ at, recipients }) => recipients.map(({ outcome }) => ({ at, ...outcome })));

describe('demo traffic', () => {
  it('is the same for the same chance, in the order of time, and over by now', () => {
    expect(made()).toEqual(traffic);
    expect(made({ random: chance(8) })).not.toEqual(traffic);
    const times = traffic.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(now - 30 * day);
    for (const { at, endAfterMs } of outcomes) expect(at + endAfterMs).toBeLessThanOrEqual(now);
    for (const at of times) expect(Number.isInteger(at)).toBe(true);
  });

  it('is a month of a small shop, with something in every day and in the last hour', () => {
    expect(traffic.length).toBeGreaterThan(1_000);
    expect(traffic.length).toBeLessThan(5_000);
    expect(new Set(traffic.map(({ at }) => Math.floor(at / day))).size).toBeGreaterThanOrEqual(30);
    const recent = traffic.filter(({ at }) => at > now - 3_600_000);
    expect(recent.length).toBeGreaterThan(15);
    expect(recent.some(({ what }) => what === 'reply')).toBe(true);
    expect(new Set(sent.map(({ from }) => from))).toEqual(new Set(numbers));
    expect(sent.some(({ mediaUrls }) => mediaUrls.length > 0)).toBe(true);
  });

  it('has most texts delivered, and every way to fail, each by arrows of the lifecycle and a code of the catalogue', () => {
    const delivered = outcomes.filter(({ to }) => to === 'delivered').length / outcomes.length;
    expect(delivered).toBeGreaterThan(0.92);
    expect(delivered).toBeLessThan(0.99);
    expect(new Set(outcomes.map(({ to }) => to))).toEqual(
      new Set(['delivered', 'undelivered', 'failed', 'unconfirmed']),
    );
    for (const { to, code, sendingAfterMs, sentAfterMs, endAfterMs } of outcomes) {
      expect(mayMove(sentAfterMs === null ? 'sending' : 'sent', to)).toBe(true);
      expect(Object.keys(outcomeCodes)).toContain(code);
      expect(endAfterMs).toBeGreaterThanOrEqual(sentAfterMs ?? sendingAfterMs);
    }
  });

  it('names fictional telephones only, and nobody asks for an end', () => {
    const phones = [
      ...traffic.flatMap((one) => (one.what === 'reply' ? [one.from] : one.recipients.map(({ to }) => to))),
      ...demoContacts.map(({ number }) => number),
    ];
    for (const phone of phones) expect(phone).toMatch(/^1[2-9]\d\d55501\d\d$/);
    expect(new Set(demoContacts.map(({ number }) => number)).size).toBe(demoContacts.length);
    for (const one of traffic) {
      expect(one.text).not.toMatch(/[{}]/);
      if (one.what === 'reply') expect(one.text).not.toMatch(/^(stop|end|quit|cancel|unsubscribe|start|help|info)$/i);
    }
    expect(demoKeyId).not.toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  });

  it('does without conversations where everybody is known already, and with fewer days', () => {
    const alone = made({ contacts: [], numbers: ['12025550199'] });
    expect(alone.length).toBeGreaterThan(100);
    expect(alone.every(({ what }) => what === 'sent')).toBe(true);
    expect(made({ days: 3 })[0]!.at).toBeGreaterThan(now - 3 * day);
  });
});
