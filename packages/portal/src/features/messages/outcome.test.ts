/** A message's own events explain its outcome where the catalogue cannot. */
import '../../language/english';

import { describe, expect, it } from 'vitest';
import type { TimelineEvent } from './message-data';
import { billedText, detailText, isThrottled, outcomeText, outcomeTitle, plainText, waitForReceipt } from './outcome';

const event = (state: string, at = '10:00:00', more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  eventId: state,
  sequence: 1,
  state,
  occurredAt: `2026-11-21T${at}.000Z`,
  code: null,
  carrier: null,
  carrierCode: null,
  detail: null,
  ...more,
});
const reason = { cause: ['See `carrierCode`.'], fix: ['Look up `carrierCode`.'] };
const outbound = { direction: 'outbound' } as const;

describe('plain words', () => {
  it('explain an expired validity by whether the message was ever sent', () => {
    const causeOf = (...states: string[]) =>
      outcomeText({ code: 'EXPIRED', state: states.at(-1)!, events: states.map((state) => event(state)) }, reason)
        .cause;
    expect(causeOf('queued', 'expired')).toContain('never left');
    expect(causeOf('queued', 'sent', 'undelivered')).toContain('The carrier took it');
  });

  it('have a headline that does not assume the term validity period', () => {
    const title = (code: string, ...states: string[]) =>
      outcomeTitle({ code, state: 'expired', events: states.map((state) => event(state)) }, { title: 'Of the list' });
    expect(title('EXPIRED', 'queued')).toBe('It waited too long, and was not sent');
    expect(title('EXPIRED', 'sent')).toBe('The phone was not reached in time');
    expect(title('NO_ROUTE')).toBe('Of the list');
  });

  it('say how long a receipt was awaited', () => {
    const events = [event('sent', '10:00:00'), event('unconfirmed', '10:02:01')];
    expect(waitForReceipt({ events })).toBe(121_000);
    expect(outcomeText({ code: 'NO_RECEIPT', state: 'unconfirmed', events }, reason).cause).toContain('within 2 m 1 s');
    expect(waitForReceipt({ events: [event('sent')] })).toBeNull();
  });

  it('shows no marks of the documentation', () => {
    expect(outcomeText({ code: 'CARRIER_REJECTED', state: 'failed', events: [] }, reason)).toEqual({
      cause: 'See the carrier’s own code.',
      fix: 'Look up the carrier’s own code.',
    });
    expect(plainText('Tell the operator the `messageId`.')).toBe('Tell the operator the message id.');
    expect(plainText('State `expired`.')).toBe('State expired.');
  });

  it('says whether it is billed: when a carrier took it', () => {
    const billed = (state: string, ...states: string[]) =>
      billedText({ ...outbound, state, events: states.map((one) => event(one)) });
    expect(billed('undelivered', 'sent', 'undelivered')).toMatch(/^Billed/);
    expect(billed('unconfirmed', 'sent', 'unconfirmed')).toMatch(/^Billed/);
    expect(billed('delivered', 'uncertain', 'delivered')).toMatch(/^Billed/);
    expect(billed('failed', 'sending', 'failed')).toMatch(/^Not billed:/);
    expect(billed('queued', 'queued')).toMatch(/^Not billed yet/);
    expect(billedText({ direction: 'inbound', state: 'received', events: [] })).toBeNull();
  });
});

describe('an entry of the timeline', () => {
  it('is too fast for the carrier when the carrier says so', () => {
    const answered = (carrierCode: string) => ({ state: 'queued', carrierCode, detail: null });
    expect(isThrottled(answered('ESME_RTHROTTLED 0x00000058'))).toBe(true);
    expect(isThrottled({ ...answered(''), detail: 'The carrier answered HTTP 429: too many requests.' })).toBe(true);
    expect(isThrottled(answered('ESME_RSYSERR 0x00000008'))).toBe(false);
    expect(isThrottled({ ...answered('ESME_RTHROTTLED'), state: 'failed' })).toBe(false);
  });

  it('says nothing twice, and begins with a capital', () => {
    const carrierCode = 'ESME_RSYSERR 0x00000008';
    expect(detailText({ state: 'queued', carrierCode, detail: `The carrier answered ${carrierCode}.` })).toBe('');
    expect(detailText({ state: 'queued', carrierCode: null, detail: 'no receipt proved it; sent again' })).toBe(
      'No receipt proved it; sent again.',
    );
    expect(detailText({ state: 'unconfirmed', carrierCode: null, detail: 'the carrier sent none' })).toBe('');
    expect(detailText({ state: 'sent', carrierCode: null, detail: null })).toBe('');
  });
});
