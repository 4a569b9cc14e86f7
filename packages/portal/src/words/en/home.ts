/** Sentences of the start page. */
const plural = new Intl.PluralRules('en');
const many = (count: number, one: string, other: string) => `${count} ${plural.select(count) === 'one' ? one : other}`;

export const homeWords = {
  title: 'Home',
  start: 'Get to your first conversation',
  done: (done: number, all: number) => `${done} of ${all} done`,
  steps: {
    carrier: { title: 'Carrier bound', todo: 'No carrier of texts is connected.' },
    number: { title: 'Number can send', todo: 'Turn SMS on for a number under Numbers.' },
    campaign: { title: 'Campaign covers it', todo: 'Put the number on an approved campaign.' },
    accepted: { title: 'First text accepted', todo: 'Send it with the request below, from wherever you like.' },
    answered: { title: 'Answer it', todo: 'Open the handset and type anything.' },
    webhook: { title: 'Webhook received', todo: 'Arrives in Webhook inbox by itself, after the answer.' },
  },
  isDone: 'Done',
  isOpen: 'To do',
  sessions: (count: number) => many(count, 'session', 'sessions'),
  connected: 'connected',
  deliveredIn: (seconds: string) => `delivered in ${seconds} s`,
  open: 'Open',
  handset: 'Handset',
  delivery: 'Delivery',
  numbers: 'Numbers',
  campaigns: 'Campaigns',
  send: {
    title: 'Send a text',
    languages: 'Language',
    now: 'Send now',
    reveal: 'Reveal credentials',
    hide: 'Hide credentials',
    masked: 'The credentials are hidden. Copy takes what you see.',
    noPair: 'Put in a key pair of your company: they are shown once, when they are made, under API keys.',
    response: 'The response',
    arrives: 'Watch it arrive on the handset',
    noNumber: 'No number may send yet. See Numbers for what is missing.',
  },
  hour: {
    title: 'Last 60 minutes',
    partly: (time: string) => `Counted back to ${time} only: there is more than is counted here.`,
    accepted: 'accepted',
    delivered: 'delivered',
    failed: 'failed',
    replies: 'replies',
    table: 'View as table',
    chart: 'View as chart',
    minute: 'Minute',
    summary: (accepted: number, delivered: number, failed: number, replies: number) =>
      `Texts of the last 60 minutes by minute: ${accepted} accepted, ${delivered} delivered, ${failed} failed, ${replies} replies.`,
    none: 'Nothing in the last 60 minutes.',
  },
  attention: {
    title: 'Needs attention',
    none: 'Nothing. Problems will be listed here with a fix.',
    since: 'since',
    look: 'Look',
    kinds: {
      'carrier down': (name: string | null) =>
        name === null
          ? 'A carrier is down. What you send waits, or goes by another one. The operator knows.'
          : `Carrier ${name} is down.`,
      'endpoint failing': (name: string | null) => `Webhook endpoint ${name} answers with failures only.`,
      'endpoint disabled': (name: string | null) =>
        `Webhook endpoint ${name} was switched off after failing for long. Its deliveries wait until it is on again.`,
      campaign: (name: string | null, state: string | null) =>
        `Campaign ${name} is ${(state ?? '').replace('_', ' ')}: its numbers cannot send.`,
      'unmatched receipts': (_: string | null, __: string | null, count: number | null) =>
        `${many(count ?? 0, 'receipt fits', 'receipts fit')} no message.`,
      'held messages': (_: string | null, __: string | null, count: number | null) =>
        `${many(count ?? 0, 'message is', 'messages are')} held until somebody decides whether to send again.`,
      'uncertain messages': (_: string | null, __: string | null, count: number | null) =>
        `${many(count ?? 0, 'message', 'messages')} may or may not have left: a receipt or the policy decides soon.`,
    },
  },
  failures: {
    title: 'Why texts failed in the last 24 hours',
    none: 'None failed.',
    reason: 'Reason',
    count: 'Texts',
    last: 'Last',
    find: 'Show them',
  },
} as const;
