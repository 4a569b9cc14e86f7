/**
 * Generates plausible traffic of a small shop for screenshots and charts. Pure; the same seed gives the same traffic.
 * Numbers are fictional (555-01XX), and nobody opts out.
 */

import { dayMs, type EpochMs, type Random } from '../../kernel/clock.ts';
import type { DemoOutcome } from '../../model/demo.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { demoMoments, demoPeople } from './demo-texts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The shop's time zone, behind UTC, where its numbers are. */
const zoneMs = 5 * hourMs;
/** Everything generated has ended by `now`: the last message is at least this old. */
const restMs = 20_000;

export interface DemoSent {
  what: 'sent';
  at: EpochMs;
  from: string;
  text: string;
  mediaUrls: string[];
  referenceId: string;
  recipients: { to: string; outcome: DemoOutcome }[];
}

export interface DemoReply {
  what: 'reply';
  at: EpochMs;
  /** The telephone's number. */
  from: string;
  /** The shop's number. */
  to: string;
  text: string;
}

export type DemoTraffic = DemoSent | DemoReply;

export interface DemoContact {
  number: string;
  name: string;
}

/** The shop's contacts. */
export const demoContacts: readonly DemoContact[] = demoPeople.map(([name, areaCode], i) => ({
  name,
  number: `1${areaCode}55501${String((i * 37 + 11) % 100).padStart(2, '0')}`,
}));

export interface DemoPlan {
  now: EpochMs;
  days: number;
  /** Numbers that can send; the first sends most of it. */
  numbers: readonly [string, ...string[]];
  contacts: readonly DemoContact[];
  random: Pick<Random, 'fraction'>;
}

/** Ordered by time, nothing later than `now`. */
export function demoTraffic(plan: DemoPlan): DemoTraffic[] {
  const { now, days, contacts } = plan;
  const first = now - days * dayMs + hourMs;
  const last = now - restMs;
  const made: DemoTraffic[] = [];
  const dice = createDice(plan);
  for (let day = startOfDay(first); day <= last; day += dayMs) {
    // Grows a little from week to week.
    const growth = 0.7 + (0.5 * (day - first)) / (days * dayMs);
    const isWeekend = [0, 6].includes(new Date(day + 12 * hourMs - zoneMs).getUTCDay());
    const talks = Math.round((isWeekend ? 9 : 24) * growth * (0.8 + dice.part() * 0.4));
    for (let i = 0; i < talks && contacts.length > 0; i++) made.push(...talk(day + dice.timeOfDay(), plan, dice));
    const codes = Math.round((isWeekend ? 12 : 26) * growth);
    for (let i = 0; i < codes; i++) made.push(signInCode(day + dice.timeOfDay(), plan, dice));
    const isThursday = new Date(day + 12 * hourMs - zoneMs).getUTCDay() === 4;
    if (isThursday && contacts.length > 0) made.push(...offer(day + 10 * hourMs, plan, dice));
  }
  // At any hour there is something recent.
  for (let i = 0; i < 9 && contacts.length > 0; i++) made.push(...talk(now - dice.part() * 50 * minuteMs, plan, dice));
  for (let i = 0; i < 12; i++) made.push(signInCode(now - (1 + dice.part() * 57) * minuteMs, plan, dice, i < 2));
  return made.filter(({ at }) => at >= first && at <= last).sort((a, b) => a.at - b.at);
}

function startOfDay(at: EpochMs): EpochMs {
  return Math.floor((at - zoneMs) / dayMs) * dayMs + zoneMs;
}

type Dice = ReturnType<typeof createDice>;

function createDice({ random, now }: DemoPlan) {
  const part = () => random.fraction();
  const whole = (below: number) => Math.floor(part() * below);
  const digits = (count: number) => String(whole(10 ** count)).padStart(count, '0');
  /** Two peaks, before and after lunch; nothing at night. */
  const timeOfDay = () => {
    const hill = part() < 0.55 ? 10.5 : 15.5;
    const hours = hill + (part() + part() + part() - 1.5) * 3.2;
    return Math.min(20.5, Math.max(7.5, hours)) * hourMs;
  };

  function arrived(): DemoOutcome {
    const sendingAfterMs = 20 + whole(60);
    const sentAfterMs = sendingAfterMs + 40 + whole(160);
    const endAfterMs = sentAfterMs + 600 + whole(5_000);
    return { sendingAfterMs, sentAfterMs, to: 'delivered', endAfterMs, code: 'DELIVERED', carrierCode: '000' };
  }

  /** Without the outcome if it would be in the future. */
  function ended(at: EpochMs, end: Omit<DemoOutcome, 'sendingAfterMs' | 'sentAfterMs'>): DemoOutcome {
    return at + end.endAfterMs > now - restMs ? arrived() : { ...arrived(), ...end };
  }

  const undelivered = (code: OutcomeCode, carrierCode: string, endAfterMs: number) =>
    ({ to: 'undelivered', code, carrierCode, endAfterMs }) as const;
  const lost = (at: EpochMs) => ended(at, undelivered('UNREACHABLE', '027', 4_000 + whole(9_000)));

  /** `mustArrive`: a reply follows. */
  function outcome(at: EpochMs, mustArrive = false): DemoOutcome {
    const chance = part();
    if (mustArrive || chance < 0.957) return arrived();
    if (chance < 0.976) return lost(at);
    if (chance < 0.982) return ended(at, undelivered('EXPIRED', '000', hourMs));
    if (chance < 0.988) return ended(at, undelivered('CARRIER_FILTERED', '034', 900 + whole(900)));
    if (chance < 0.993) return ended(at, undelivered('NOT_MOBILE', '120', 700 + whole(900)));
    if (chance < 0.997) {
      const { sentAfterMs, ...life } = arrived();
      const refused = { sentAfterMs: null, to: 'failed', endAfterMs: sentAfterMs ?? 0 } as const;
      return { ...life, ...refused, code: 'CARRIER_REJECTED', carrierCode: 'ESME_RSUBMITFAIL' };
    }
    return ended(at, { to: 'unconfirmed', endAfterMs: 72 * hourMs, code: 'NO_RECEIPT', carrierCode: null });
  }

  return { part, whole, digits, timeOfDay, outcome, lost };
}

/** A contact always gets messages from the same number. */
function senderOf({ numbers, contacts }: DemoPlan, contact: DemoContact): string {
  const place = contacts.indexOf(contact);
  return numbers[place % 5 === 4 ? place % numbers.length : 0]!;
}

/** A typical conversation between a shop and a customer, cut short at random. */
function talk(begins: EpochMs, plan: DemoPlan, dice: Dice): DemoTraffic[] {
  // Some contacts write often.
  const contact = plan.contacts[Math.floor(dice.part() ** 1.7 * plan.contacts.length)]!;
  const from = senderOf(plan, contact);
  const moment = demoMoments[dice.whole(demoMoments.length)]!;
  const order = dice.digits(5);
  const say = (text: string) => filled(text, contact.name, order, begins);
  const made: DemoTraffic[] = [];
  let at = Math.floor(begins);
  for (const [index, { who, text, goesOn, afterMinutes }] of moment.entries()) {
    at += Math.floor(afterMinutes * (0.4 + dice.part()) * minuteMs);
    const stops = dice.part() >= goesOn;
    if (who === 'they') made.push({ what: 'reply', at, from: contact.number, to: from, text: say(text) });
    else {
      const isAnswered = !stops && moment[index + 1]?.who === 'they';
      const recipients = [{ to: contact.number, outcome: dice.outcome(at, isAnswered) }];
      made.push({ what: 'sent', at, from, text: say(text), mediaUrls: [], referenceId: `order-${order}`, recipients });
    }
    if (stops) break;
  }
  return made;
}

function filled(text: string, name: string, order: string, at: EpochMs): string {
  const day = new Date(at - zoneMs + dayMs).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  return text.replaceAll('{name}', name).replaceAll('{order}', order).replaceAll('{day}', day);
}

/** To a number that is not a contact. */
function signInCode(at: EpochMs, plan: DemoPlan, dice: Dice, isLost = false): DemoSent {
  const areaCode = demoPeople[dice.whole(demoPeople.length)]![1];
  const outcome = isLost ? dice.lost(at) : dice.outcome(at);
  const recipients = [{ to: `1${areaCode}55501${dice.digits(2)}`, outcome }];
  const text = `${dice.digits(6)} is your sign-in code. It works for 10 minutes; we never ask for it.`;
  const referenceId = `code-${dice.digits(8)}`;
  return { what: 'sent', at: Math.floor(at), from: plan.numbers[0], text, mediaUrls: [], referenceId, recipients };
}

const offerRecipients = 40;

/** One request to many recipients, in even weeks with a picture. */
function offer(at: EpochMs, plan: DemoPlan, dice: Dice): DemoSent[] {
  const week = Math.floor(at / (7 * dayMs));
  const withPicture = week % 2 === 0;
  const recipients = plan.contacts
    .slice(0, offerRecipients)
    .map(({ number }) => ({ to: number, outcome: dice.outcome(at) }));
  const text = withPicture
    ? 'New in this week: the spring menu. Show this picture for a free coffee.'
    : 'This weekend only: 20% off everything in the shop. Reply STOP to opt out.';
  const mediaUrls = withPicture ? ['https://shop.example/spring-menu.jpg'] : [];
  return [{ what: 'sent', at, from: plan.numbers[0], text, mediaUrls, referenceId: `offer-${week}`, recipients }];
}
