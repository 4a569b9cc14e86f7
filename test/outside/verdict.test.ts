/** Each rule of the verdict finds what it is there for, in evidence that is sound but for that. */
import { expect, it } from 'vitest';
import type { OwnMessage, Send } from './application.ts';
import type { Arrival } from './carrier.ts';
import { type Evidence, judge } from './verdict.ts';

const [handset, stopped] = ['14155550100', '16285550001'];
const arrival: Arrival = { to: handset, text: 'outside a', carrier: 'north', session: 1, at: 20 };
const message: OwnMessage = {
  messageId: 'm1',
  to: handset,
  state: 'delivered',
  dupRisk: false,
  direction: 'outbound',
  events: [{ state: 'sent' }, { state: 'delivered' }],
};
const send: Send = {
  to: [handset],
  text: 'outside a',
  from: 10,
  answer: { at: 12, results: [{ to: handset, status: 'SUCCESS', messageId: 'm1' }] },
  refused: null,
  again: 1,
};
const reported = { id: 'e1', type: 'message.delivered', data: { messageId: 'm1', from: '12025550142' } };
const received = { id: 'e2', type: 'message.received', data: { messageId: 'm9', from: handset, text: 'hello' } };
const reply = { from: handset, text: 'hello', at: 30, tries: 1 };

const sound: Evidence = {
  sends: [send, { ...send, to: [stopped], text: 'outside b', from: 900, answer: null, refused: 'OPTED_OUT' }],
  arrivals: [arrival, { ...arrival, to: stopped, text: 'You will get no more messages.', at: 1_000 }],
  messages: [message],
  seen: [reported, received],
  replies: [reply],
  optedOut: new Map([[stopped, 500]]),
  inDoubtMax: 1,
};
const toStopped = { ...send, to: [stopped], text: 'outside c', from: 600 };
const second = { ...message, messageId: 'm2' };

it('nothing is broken in sound evidence, and copies that are flagged are counted', () => {
  const copied = { arrivals: [...sound.arrivals, { ...arrival, at: 25 }], messages: [{ ...message, dupRisk: true }] };
  expect(judge(sound)).toEqual({ acknowledged: 1, copies: 0, repeated: 2, broken: [] });
  expect(judge({ ...sound, ...copied })).toMatchObject({ copies: 1, broken: [] });
});

it.each<[rule: string, change: Partial<Evidence>]>([
  ['acknowledged and never at the carrier', { arrivals: [] }],
  ['acknowledged and not in the list', { messages: [] }],
  ['at the carrier more than once and not flagged', { arrivals: [arrival, arrival] }],
  ['never in doubt, and neither delivered', { messages: [{ ...message, state: 'sent' }] }],
  ['never in doubt, and neither delivered', { messages: [{ ...message, state: 'failed' }] }],
  ['two messages of one recipient', { messages: [message, second, second, second], seen: [reported, received] }],
  ['refused without a STOP', { sends: [send, { ...send, answer: null, refused: 'INVALID_JSON' }] }],
  ['never answered', { sends: [send, { ...send, answer: null }] }],
  [
    'taken after an acknowledged STOP',
    {
      sends: [
        send,
        { ...toStopped, answer: { at: 610, results: [{ to: stopped, status: 'SUCCESS', messageId: 'm1' }] } },
      ],
    },
  ],
  [
    'sent after an acknowledged STOP',
    { sends: [send, toStopped], arrivals: [arrival, { ...arrival, to: stopped, text: 'outside c', at: 900 }] },
  ],
  [
    'from an older session',
    { arrivals: [{ ...arrival, session: 2, at: 15 }, arrival], messages: [{ ...message, dupRisk: true }] },
  ],
  ['at the carrier and never requested', { arrivals: [arrival, { ...arrival, text: 'outside z' }] }],
  ['a reply that was acknowledged and is no event, or two', { seen: [reported] }],
  [
    'a reply that was acknowledged and is no event, or two',
    { seen: [reported, received, { ...received, id: 'e3', data: { ...received.data, messageId: 'm8' } }] },
  ],
  ['delivered, without an event in the feed', { seen: [received] }],
  [
    'copies, more than were under way',
    { arrivals: [arrival, arrival, arrival], messages: [{ ...message, dupRisk: true }] },
  ],
])('%s', (rule, change) => {
  const { broken } = judge({ ...sound, ...change });
  expect(broken.join('\n')).toContain(rule);
});
