/** Sentences of the start page. */
import { counted, isOne, numberText } from '../../language/formats';

export const homeWords = {
  title: 'Home',
  start: 'Get to your first conversation',
  done: (done: number, all: number) => `${done} of ${all} done`,
  had: 'Your first conversation',
  showSteps: 'Show the steps again',
  hideSteps: 'Hide the steps',
  steps: {
    carrier: { title: 'Carrier bound', todo: 'No carrier of texts is connected.' },
    number: { title: 'Number with SMS on', todo: 'Turn SMS on for a number under Numbers.' },
    campaign: { title: 'Campaign covers it', todo: 'Put the number on an approved campaign.' },
    accepted: { title: 'First text accepted', todo: 'Send it with the request below, from wherever you like.' },
    answered: { title: 'Answer it', todo: 'Open the handset and type anything.' },
    webhook: { title: 'Webhook received', todo: 'Arrives in Webhook inbox by itself, after the answer.' },
  },
  /** What is to be done on Live, where there are no handsets and nothing is prepared. */
  liveTodo: {
    accepted: 'Write one under New message, or send it with a live key pair.',
    answered: 'Text your number from a phone, or answer on the one that got the text.',
    webhook: 'Comes after the answer, once a webhook endpoint of yours is there.',
  } as Readonly<Record<string, string>>,
  /** What keeps the campaign of a number from sending, by its status. */
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
  breakIt: {
    title: 'Break it on purpose',
    what: 'Four failures of the sandbox, and where each shows itself. Nobody outside this gateway notices.',
    text: 'Does this arrive?',
    failures: {
      off: {
        title: 'The handset is off',
        detail: 'The carrier keeps the text until it is switched on again, at most ten minutes.',
        act: 'Switch it off and send',
        after: 'The text was accepted and stays “sent to carrier”. Look at',
        look: 'its timeline',
        undo: 'Switch it on',
        undone: 'It is on again and receives the waiting messages.',
      },
      full: {
        title: 'Its inbox is full',
        detail: 'The carrier takes the text, and its receipt says UNDELIV.',
        act: 'Fill it and send',
        after: 'The text ends as undelivered, with its code. Look at',
        look: 'its timeline',
        undo: 'Make space',
        undone: 'There is space again.',
      },
      stop: {
        title: 'The person texts STOP',
        detail: 'From then on a text to that number is refused with OPTED_OUT, before it leaves.',
        act: 'Text STOP',
        after: 'The number is on the list, with its proof. Look at',
        look: 'Opt-outs',
        undo: 'Text START',
        undone: 'The number may be texted again.',
      },
      drop: {
        title: 'The link to the carrier drops',
        detail: 'Both sessions end at once. Texts wait on disk until one is bound again, within seconds.',
        act: 'Drop it and send',
        after: 'The sessions come back by themselves, and the text goes out. Look at',
        look: 'its timeline',
        undo: '',
        undone: '',
      },
    },
  },
  ownCode: {
    title: 'Your own code',
    what: 'See every event as it happens, handed on and signed to a server on this machine:',
    command: 'command',
    or: 'Or have the gateway call an address of yours:',
    endpoint: 'add a webhook endpoint',
  },
  realCarrier: {
    title: 'Connect a real carrier',
    go: 'Connect a carrier',
    needed: 'What is needed',
    needs: [
      'Of the carrier: its SMPP host and port, a system_id and a password.',
      'A brand and an approved campaign, and a number on it: without them no text leaves.',
      'A live key pair, made under API keys.',
    ],
    second: 'A second factor for your own account:',
    profile: 'set it up in your profile',
    changes: 'What changes, and what does not',
    stays: [
      'Sandbox keys stay sandbox: they never reach a real carrier.',
      'Webhooks to this machine and to private addresses are switched off, unless the operator allows them.',
      'Test numbers and handsets stay in the sandbox; switch it off with HELIO_SANDBOX=0.',
    ],
    operatorOnly: 'The operator of this gateway connects carriers. Ask for it there.',
  },
  hour: {
    title: 'Last 60 minutes',
    partly: (time: string) => `Counted back to ${time} only: there is more than is counted here.`,
    accepted: 'accepted',
    delivered: 'delivered',
    failed: 'failed',
    waiting: 'waiting or no receipt',
    canceled: 'canceled',
    replies: 'replies',
    repliesOf: (count: number) => (isOne(count) ? 'reply' : 'replies'),
    table: 'View as table',
    chart: 'View as chart',
    minute: 'Minute',
    inMinute: (accepted: number, replies: number) => `${accepted} accepted, ${counted(replies, 'reply', 'replies')}`,
    summary: (accepted: number, delivered: number, failed: number, replies: number) =>
      `Texts of the last 60 minutes by minute: ${accepted} accepted, ${delivered} delivered, ${failed} failed, ${counted(replies, 'reply', 'replies')}.`,
    none: 'Nothing in the last 60 minutes.',
  },
  attention: {
    title: 'Needs attention',
    none: 'Nothing. Problems will be listed here with a fix.',
    tags: {
      clock: 'Clock',
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
      'carrier down': (name: string | null) =>
        name === null
          ? 'A carrier is down. What you send waits, or goes by another one. The operator knows.'
          : `Carrier ${name} is down.`,
      'bind down': (name: string | null, _: string | null, count: number | null) =>
        `${counted(count ?? 0, 'session', 'sessions')} of carrier ${name} ${count === 1 ? 'is' : 'are'} not bound. The others carry on.`,
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
      /** In two: the time since when stands between. */
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
  failures: {
    title: 'Why texts failed in the last 24 hours',
    none: 'None failed.',
    reason: 'Reason',
    count: 'Texts',
    last: 'Last',
    find: 'Show them',
  },
} as const;
