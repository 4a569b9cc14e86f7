/** The list of messages apart from its rows: actions on all results, refused recipients, the search by form. */
import { isOne, numberText } from '../../language/formats';

const many = (count: number) => `${numberText(count)} ${isOne(count) ? 'message' : 'messages'}`;

export const bulkLabels = {
  menu: 'All found',
  menuName: (searched: boolean) =>
    searched ? 'All found: actions on this search' : 'All found: actions on all messages',
  resend: 'Send again …',
  cancel: 'Cancel what waits …',
  resendTitle: 'Send again what this search finds',
  cancelTitle: 'Cancel what waits of this search',
  of: 'Search',
  everything: 'everything',
  count: {
    resend: (count: number) => `${many(count)} would be sent again.`,
    cancel: (count: number) => `${many(count)} would be canceled.`,
  },
  none: {
    resend: 'Nothing of it can be sent again.',
    cancel: 'Nothing of it waits.',
  },
  more: (max: number) =>
    `There are more, or there may be: no more than the newest ${numberText(max)} are taken at a time. Repeat it for the rest.`,
  state: (state: string, count: number) => `${numberText(count)} ${state}`,
  states: 'They are now',
  left: 'Left out',
  leftReasons: {
    STILL_UNDER_WAY: 'still under way: sent again, they may arrive twice',
    TEXT_GONE: 'their texts were deleted because of their age',
    NO_CARRIER: 'never went to a carrier, so have no same way; re-evaluate them instead',
    RECEIVED: 'received, not sent',
  } as Readonly<Record<string, string>>,
  leftLine: (count: number, reason: string) => `${numberText(count)}: ${reason}`,
  way: 'How',
  ways: {
    same: 'Same payload: same text, sender, reference and carrier',
    fresh: 'Re-evaluate: new messages by all of today’s rules',
  },
  consequence: {
    resend: 'Each becomes a new message and is billed as one. What a carrier took cannot be called back.',
    cancel: 'They have not been sent, and never will be. Nothing is billed. This cannot be undone.',
  },
  typed: (count: number) => `Type ${count} to confirm`,
  typedWrong: (count: number) => `Type ${count}, the number of messages.`,
  back: 'Not now',
  go: {
    resend: (count: number) => `Send ${many(count)} again`,
    cancel: (count: number) => `Cancel ${many(count)}`,
  },
  done: {
    resend: (done: number, count: number) => `${numberText(done)} of ${many(count)} sent again.`,
    cancel: (done: number, count: number) => `${numberText(done)} of ${many(count)} canceled.`,
  },
  reasons: 'What became of the others',
  reason: 'Reason',
  how: 'Detail',
  howMany: 'Messages',
  close: 'Close',
} as const;

const counted = (count: number, more: boolean) =>
  more || !isOne(count)
    ? `${numberText(count)}${more ? '+' : ''} refused recipients`
    : `${numberText(count)} refused recipient`;

export const refusedLabels = {
  caption: 'Refused recipients, newest first',
  match: (count: number, more: boolean) =>
    `${counted(count, more)} ${!more && isOne(count) ? 'matches' : 'match'} this search.`,
  show: 'Show refused',
  count: counted,
  none: 'No refused recipient fits this search',
  older: 'Older refused',
  whole:
    'A refused recipient is listed here when others of its request were accepted. A request that was refused for all of its recipients leaves only its API call.',
  requests: 'Request log',
} as const;

export const searchFormLabels = {
  open: 'Filter',
  title: 'Filter messages',
  apply: 'Show them',
  cancel: 'Cancel',
  any: 'Any',
  outbound: 'Outbound',
  inbound: 'Inbound',
  utc: 'Days are UTC.',
  since: (time: string) => `From ${time}`,
  until: (time: string) => `Until ${time}`,
  notes: {
    after: 'From the beginning of this day, UTC.',
    before: 'Up to the beginning of this day, UTC.',
    reason: 'A code such as OPTED_OUT.',
  } as Partial<Record<string, string>>,
  fields: {
    to: 'To',
    from: 'From',
    status: 'Status',
    direction: 'Direction',
    type: 'Type',
    text: 'Text has',
    reason: 'Reason',
    ref: 'Reference',
    key: 'Key',
    after: 'From day',
    before: 'Before day',
  },
} as const;
