/** Sentences of the start page. */
import { counted, numberText } from '../../language/formats';

export const homeLabels = {
  title: 'Home',
  start: 'Get to your first conversation',
  done: (done: number, all: number) => `${done} of ${all} done`,
  had: 'You had your first conversation.',
  next: 'More to try in the sandbox:',
  tryOut: 'break it on purpose, your own code, a real carrier',
  steps: {
    carrier: { title: 'Carrier bound', todo: 'No carrier of texts is connected.' },
    number: { title: 'Number with SMS on', todo: 'Turn SMS on for a number under Numbers.' },
    campaign: { title: 'Campaign covers it', todo: 'Put the number on an approved campaign.' },
    accepted: { title: 'First text accepted', todo: 'Send it with the request below, from wherever you like.' },
    answered: { title: 'Answer it', todo: 'Open the handset and type anything.' },
    webhook: { title: 'Webhook received', todo: 'Arrives in Webhook inbox by itself, after the answer.' },
  },
  /** The steps in Live, where there are no handsets and nothing is prepared. */
  liveTodo: {
    accepted: 'Write one under New message, or send it with a live key pair.',
    answered: 'Text your number from a phone, or answer on the one that got the text.',
    webhook: 'Comes after the answer, once a webhook endpoint of yours is there.',
  } as Readonly<Record<string, string>>,
  /** Why a number's campaign cannot send, by its status. */
  campaignTodo: {
    draft: (name: string) => `Campaign ${name} is a draft: fill it in and send it to the operator.`,
    submitted: (name: string) => `Campaign ${name} was sent in: the operator hands it to the carriers.`,
    in_review: (name: string) => `Campaign ${name} is with the carriers: wait for their answer.`,
    changes_needed: (name: string) => `Campaign ${name} has to be changed: its page says what.`,
    suspended: (name: string) => `Campaign ${name} is suspended: its page says why, and what comes next.`,
    expired: (name: string) => `Campaign ${name} has expired: ask the operator to renew it.`,
  } as Readonly<Record<string, (name: string) => string>>,
  campaign: 'Open the campaign',
  isDone: 'Done',
  isOpen: 'To do',
  sessions: (count: number) => counted(count, 'session', 'sessions'),
  connected: 'connected',
  deliveredIn: (seconds: string) => `delivered in ${seconds} s`,
  open: 'Open',
  handset: 'Handset',
  delivery: 'Delivery',
  numbers: 'Numbers',
  campaigns: 'Campaigns',
  send: {
    title: 'Send a text',
    text: 'Hello from my gateway',
    languages: 'Language',
    now: 'Send now',
    reveal: 'Reveal credentials',
    hide: 'Hide credentials',
    masked: 'The credentials are hidden. Copy takes them along; the audit log notes it.',
    noPair:
      'Copy takes the placeholders: put in a key pair of your company. They are shown once, when they are made, under API keys.',
    response: 'The response',
    arrives: 'Watch it arrive on the handset',
    noNumber: 'No number may send now. The steps above say what is missing.',
    live: 'On Live a text goes to a real phone.',
    liveWrite: 'Write it',
  },
  demo: {
    title: (messages: number) => `This is demo traffic: ${numberText(messages)} messages, all made up.`,
    about:
      'Nothing of it was sent or billed. Removing it takes its messages, conversations and usage away, and leaves yours.',
    remove: 'Remove demo traffic',
    removing: 'Removing …',
  },
  attention: {
    title: 'Needs attention',
    none: 'Nothing. Problems will be listed here with a fix.',
    carriers: (up: number, all: number) => `${numberText(up)} of ${counted(all, 'carrier', 'carriers')} up`,
    tags: {
      clock: 'Clock',
      alert: 'Alert',
      'carrier down': 'Carrier down',
      'bind down': 'Session down',
      limit: 'Limit near',
      certificate: 'Certificate',
      'carrier certificate': 'Certificate',
      budget: 'Budget',
      'endpoint failing': 'Endpoint failing',
      'endpoint disabled': 'Endpoint off',
      campaign: 'Campaign',
      'unmatched receipts': 'Receipts',
      'held messages': 'Held',
      'uncertain messages': 'Uncertain',
    },
    look: {
      clock: 'The clock is right',
      alert: 'See the alert',
      'carrier down': 'Open the carrier',
      'bind down': 'Open the carrier',
      limit: 'Open the campaign',
      certificate: 'Open the settings',
      'carrier certificate': 'Open the carrier',
      budget: 'Open usage',
      'endpoint failing': 'See its deliveries',
      'endpoint disabled': 'Open the endpoint',
      campaign: 'Open the campaign',
      'unmatched receipts': 'See the receipts',
      'held messages': 'See the messages',
      'uncertain messages': 'See the messages',
    },
    kinds: {
      clock: (says: string | null) => says ?? '',
      'carrier down': (name: string | null, state: string | null) =>
        name === null
          ? 'A carrier is down. What you send waits, or goes by another one. The operator knows.'
          : `Carrier ${name}${elsewhere(state)} is down.`,
      'bind down': (name: string | null, state: string | null, count: number | null) =>
        `${counted(count ?? 0, 'session', 'sessions')} of carrier ${name}${elsewhere(state)} ${count === 1 ? 'is' : 'are'} not bound. The others carry on.`,
      limit: (name: string | null, state: string | null, count: number | null) =>
        state === 'day'
          ? `Campaign ${name} has used ${count} % of what its brand may send today. Messages above it wait for the reset.`
          : `Campaign ${name} reached ${count} % of its limit for a minute. Messages above it wait their turn.`,
      certificate: (_: string | null, __: string | null, count: number | null) =>
        (count ?? 0) < 0
          ? 'The certificate of this gateway has expired. Renew HELIO_TLS_CERT and start again.'
          : `The certificate of this gateway expires in ${counted(count ?? 0, 'day', 'days')}. Renew HELIO_TLS_CERT and start again.`,
      'carrier certificate': (name: string | null, _: string | null, count: number | null) =>
        (count ?? 0) < 0
          ? `The certificate of carrier ${name} has expired. Ask the carrier to renew it: new connections to it fail.`
          : `The certificate of carrier ${name} expires in ${counted(count ?? 0, 'day', 'days')}. Ask the carrier whether it renews it.`,
      budget: (_: string | null, __: string | null, count: number | null) =>
        (count ?? 0) < 100
          ? `${count} % of this month’s budget is used.`
          : `This month’s budget is used up: ${count} %. Messages go on; the budget only warns.`,
      /** In two parts: the time stands between them. */
      alert: (name: string | null, state: string | null) => [alertSince(name, state), '.'] as const,
      'endpoint failing': (name: string | null) =>
        [`Every attempt at webhook endpoint “${name}” has failed since `, '.'] as const,
      'endpoint disabled': (name: string | null) =>
        [
          `Webhook endpoint “${name}” failed for long and has been off since `,
          '. Its deliveries wait until it is on again.',
        ] as const,
      campaign: (name: string | null, state: string | null) =>
        `Campaign ${name} is ${(state ?? '').replace('_', ' ')}: its numbers cannot send.`,
      'unmatched receipts': (_: string | null, __: string | null, count: number | null) =>
        `${counted(count ?? 0, 'receipt fits', 'receipts fit')} no message.`,
      'held messages': (_: string | null, __: string | null, count: number | null) =>
        `${counted(count ?? 0, 'message is', 'messages are')} held until somebody decides whether to send again.`,
      'uncertain messages': (_: string | null, __: string | null, count: number | null) =>
        `${counted(count ?? 0, 'message', 'messages')} may or may not have left: a receipt or the policy decides soon.`,
    },
  },
} as const;

function alertSince(name: string | null, kind: string | null): string {
  switch (kind) {
    case 'receipts':
      return `Carrier ${name} takes messages and sends no receipts. Firing since `;
    case 'errors':
      return `Carrier ${name} refuses more messages than its limit allows. Firing since `;
    case 'backlog':
      return `Messages for carrier ${name} wait for too long. Firing since `;
    case 'disk':
      return 'The disk of the gateway is nearly full. Firing since ';
    default:
      return `An alert fires${name === null ? '' : ` for ${name}`}. Firing since `;
  }
}

/** Where a carrier is, when that is not the environment on show. */
function elsewhere(environment: string | null): string {
  return environment === null ? '' : environment === 'live' ? ' (Live)' : ' (Sandbox)';
}
