/** Sentences of the details behind a message's timeline: rule, wire, waits, receipts; and of sending it again. */
import { numberText, percentText } from '../../language/formats';
import { type Hours, hoursText } from '../routes/labels.en';

interface RuleFacts {
  routeId: string;
  prefix: string;
  number: string | null;
  kind: string | null;
  weight: number;
  priority: number;
  share: number;
  /** The campaign's name */
  campaign: string | null;
  hours: Hours | null;
  /** In the order in which they are tried */
  carriers: readonly { name: string }[];
}

export const storyLabels = {
  routedBadge: 'Routed',
  /** `carrier` null: the rule alone. `others`: used in this order when that carrier is down. */
  short: (rules: readonly string[], carrier: string | null, others: readonly string[]) => {
    const named = `${rules.length === 1 ? 'Rule' : 'Rules'} ${rules.map((rule) => `“${rule}”`).join(', ')}`;
    if (carrier === null) return `${named}.`;
    return `${named} → ${carrier}${others.length === 0 ? '' : `; if that is down, ${others.join(', then ')}`}.`;
  },
  byToday: 'By today’s rules.',
  routed: (rule: RuleFacts, carrier: string) => `Rule “${rule.routeId}” (${ruleFacts(rule)}) → ${carrier}.`,
  itsRule: (rule: RuleFacts) => `Its rule is “${rule.routeId}” (${ruleFacts(rule)}).`,
  oneOf: (rules: readonly RuleFacts[], carrier: string) =>
    `One of the rules ${rules.map((rule) => `“${rule.routeId}” (${ruleFacts(rule)})`).join(', ')}, which share such messages by weight → ${carrier}.`,
  notYet: 'no carrier yet',
  noRule: 'No rule fits such a message.',
  differs: (carrier: string) =>
    `It went to ${carrier}, which that rule does not name: the rules were others when it was sent.`,
  basis: {
    past: (time: string) =>
      `Rules were changed since, last ${time}: this is what the rules said when the message was accepted. How carriers do is as of now.`,
    same: (time: string) =>
      `Rules were last changed ${time}, before this message was accepted: they are those that sent it. How carriers do is as of now.`,
    now: (time: string) =>
      `Rules were changed since, last ${time}, and those of then are not kept any more: this is what today’s rules say, and it may have been another then.`,
    unknown: () =>
      'Whether rules were changed since this message was accepted is not on record: this is what today’s rules say.',
  },
  today: (outcome: string) => `By today’s rules: ${outcome}`,
  why: 'Why this?',
  whyTitle: 'Why this carrier?',
  hidden: (count: number) =>
    `${numberText(count)} ${count === 1 ? 'rule that does not fit is' : 'rules that do not fit are'} shown to operators only.`,
  tester: 'Open the route tester',
  close: 'Close',

  ids: (ids: readonly string[]) => `Carrier id ${ids.join(', ')}.`,
  matchedById: 'Matched by carrier id.',
  receiptText: 'Raw receipt',
  carrierTime: 'The carrier says at',
  part: (part: number) => `segment ${part}`,
  exchange: (command: string, sequence: string | null, status: string | null) =>
    `${command}${sequence === null ? '' : ` seq ${sequence}`} → ${status ?? 'no answer written down'}`,
  receiptAsked: (asked: boolean) => `receipt requested: ${asked ? 'yes' : 'no'}`,
  pdus: 'PDUs',
  fields: 'Fields',
  says: 'Says',
  hiddenText: (count: number) => `••• ${count} characters`,
  noHex: 'Its octets are not kept: this log holds no texts.',
  noPdus: {
    off: 'PDUs of this carrier are kept only while its log is on. It was not on for this message, or others have taken its place.',
    on: (time: string) =>
      `The log of this carrier is on until ${time}, but holds nothing of this message: it went before, or others have taken its place.`,
    sandbox:
      'The simulated carrier keeps its latest 500 PDUs of each telephone. Nothing of this message is left there.',
    none: 'This carrier keeps no log of PDUs.',
    logLink: 'Switch the log on',
    logLinkOn: 'Open the log',
    askOperator: 'An operator of this gateway can switch it on.',
  },

  waits: 'Waits',
  openCarrier: 'Open carrier',
  /** `carrier`: its name. Times are null when unknown. */
  waiting: {
    noCarrier: 'its carrier',
    off: (carrier: string) => `${carrier} is switched off`,
    paused: (carrier: string, since: string | null) => `${carrier} is paused${sinceText(since)}`,
    opening: (carrier: string) => `${carrier} is just being opened`,
    down: (carrier: string, since: string | null) =>
      `${carrier} is down${sinceText(since)}: none of its connections is up`,
    unanswered: (carrier: string, since: string | null) =>
      `${carrier} answers nothing${sinceText(since)}: it gets one message every 30 seconds until it does`,
    repeat: (until: string, repeat: number, allowed: number) =>
      `nobody knows whether it left. A receipt may prove it until ${until}; then it is sent again, repeat ${repeat} of at most ${allowed}`,
    hold: (until: string) =>
      `nobody knows whether it left. A receipt may prove it until ${until}; then it is held for a person`,
    receipt: (until: string, repeats: number) =>
      `nobody knows whether it left${repeats === 0 ? '' : `, and it has had its ${repeats === 1 ? 'repeat' : `${repeats} repeats`}`}. A receipt may prove it until ${until}; then it ends as unconfirmed`,
    rate: (carrier: string, perSecond: number) =>
      `the limit of ${carrier} is reached, ${numberText(perSecond)} ${perSecond === 1 ? 'segment' : 'segments'} a second`,
    throttled: (carrier: string) => `${carrier} refuses what comes too fast, and is sent to more slowly`,
    window: (carrier: string) => `${carrier} has not answered its last messages, and gets no more until it does`,
    quiet: (until: string | null) =>
      until === null ? 'the company’s quiet hours hold it' : `the company’s quiet hours hold it until ${until}`,
    campaign: (until: string | null) =>
      until === null
        ? 'the limit of its campaign for a minute is reached'
        : `the limit of its campaign for a minute is reached; it goes on at ${until}`,
    dayCap: (until: string | null) =>
      until === null
        ? 'the day’s limit of the brand is used up'
        : `the day’s limit of the brand is used up; it goes on at ${until}`,
    retry: (until: string, code: string) => `it is tried again at ${until}, after ${code}`,
    time: (until: string) => `it is not due before ${until}`,
    media: (until: string | null) =>
      until === null ? 'its media are not ready yet' : `its media are not ready; they are tried again at ${until}`,
    person: 'it may have left already, so a person decides whether it is sent',
    turn: 'nothing is in its way; it goes when those before it have gone',
    joined: (reasons: readonly string[]) => reasons.join('; and '),
  },

  gap: (time: string, reason: string) => `waited ${time}: ${reason}`,
  still: (time: string, reason: string) => `waiting for ${time}: ${reason}`,
  reasons: {
    campaign: 'paced by the limit of its campaign',
    dayCap: 'the day’s limit of the brand was used up',
    quiet: 'for the end of the company’s quiet hours',
    media: 'its media were being prepared',
    retry: (code: string) => `to be tried again after ${code}`,
    receipt: 'for the receipt of the carrier',
    lateReceipt: 'for a late receipt',
    answer: 'for the answer of the carrier',
    proof: 'for a receipt that tells whether it had left',
    person: 'for a person to decide',
    downUntil: (carrier: string, time: string) => `${carrier} was down until ${time}`,
    queue: 'in the queue of its carrier; the reason is not on record',
  },

  noReceipt: (time: string) => `No receipt yet. The carrier has had it for ${time}.`,
  usual: (carrier: string, time: string) => `${carrier} usually answers in ${time}`,
  lastHeard: (distance: string) => `last receipt from it: ${distance}`,
  noneHeard: (carrier: string, looked: number) =>
    `None of your newest ${numberText(looked)} messages has had a receipt from ${carrier}, and none came from it since the gateway started.`,

  again: 'Send again',
  same: 'Resend same payload',
  sameHelp: 'Same text, sender, reference and carrier',
  fresh: 'Re-evaluate and send',
  freshHelp: 'A new message by all of today’s rules',
  edit: 'Edit as new',
  resent: 'Sent again. It is a message of its own now.',
  openNew: 'Open it',
} as const;

function sinceText(since: string | null): string {
  return since === null ? '' : ` since ${since}`;
}

function ruleFacts({ prefix, number, kind, campaign, hours, weight, priority, share, carriers }: RuleFacts): string {
  return [
    prefix === '' ? 'all numbers' : `numbers beginning with ${prefix}`,
    ...(number === null ? [] : [`from ${number}`]),
    ...(kind === null ? [] : [`${kind} only`]),
    ...(campaign === null ? [] : [`campaign ${campaign}`]),
    ...(hours === null ? [] : [hoursText(hours)]),
    `priority ${priority}`,
    `weight ${weight}`,
    ...(share > 0 && share < 1 ? [`gets ${percentText(share)}`] : []),
    ...(carriers.length > 1 ? [`carriers ${carriers.map(({ name }) => name).join(', then ')}`] : []),
  ].join(', ');
}

export const outcomeLabels = {
  names: {
    carrierCode: 'the carrier’s own code',
    messageId: 'the message id',
    mmsFallback: 'fallback for MMS',
    links: '“links”',
  },
  neverLeftTitle: 'It waited too long, and was not sent',
  gaveUpTitle: 'The phone was not reached in time',
  neverLeft: {
    cause: 'It waited in the queue until its time was over, and never left.',
    fix: 'Send it again; let it wait longer if it may.',
  },
  gaveUp: {
    cause: 'The carrier took it, and gave up before the handset could be reached.',
    fix: 'Send it again later; the handset may be off or without coverage.',
  },
  noReceipt: (time: string) => `No receipt came within ${time}. The message may well have arrived.`,
  tooFast: 'Too fast for the carrier, or its queue is full: it is tried again.',
  billed: 'Billed: the carrier took it.',
  notBilled: 'Not billed: no carrier took it.',
  notYet: 'Not billed yet: no carrier has taken it.',
} as const;

export const requestLabels = {
  request: 'Request',
  response: 'Response',
  fields: 'All fields',
  curl: 'Copy as curl',
  open: 'All messages of this request',
  by: {
    api: 'Rebuilt from what is stored: without tokens, headers, spaces and unknown fields.',
    portal: 'It was sent from this portal. The same call by the API:',
  },
  kept: (time: string) => `The original answer with all its recipients, kept for its Idempotency-Key until ${time}.`,
  rebuilt:
    'Rebuilt from what is stored: the answer itself is kept only for requests with an Idempotency-Key, and for 72 hours.',
  notes: {
    'reference left out':
      'Its reference looks like those the gateway gives to requests without one, so it is left out here.',
    cut: 'It has more recipients than are shown here.',
  },
  gateway: 'No request made this message: the gateway sent it by itself.',
  textGone: 'Its text was deleted because of its age, so its request and response cannot be shown any more.',
  notReader: 'Your role may not read texts, and request and response hold one. Ask an Owner or Admin.',
} as const;
