/** Sentences of the frame */

export const frameLabels = {
  skip: 'Skip to the page',
  menu: 'Menu',
  navigation: 'Main',
  newMessage: 'New message',
  search: 'Search or jump to…',
  help: 'Help',
  docs: 'Docs',
  live: { live: 'Live', reconnecting: 'Reconnecting…', paused: 'Paused' },
  offline: {
    title: 'The gateway does not answer',
    detail: 'It is asked until it does; nothing that was accepted is lost.',
    /** Followed by a distance: `2 minutes ago`. */
    updated: 'What stands here was updated',
  },
  unread: (count: number) => (count === 1 ? '1 unread reply' : `${count} unread replies`),
  notify: {
    one: (from: string) => `New message from ${from}`,
    many: (count: number) => `${count} new messages`,
    on: (number: string) => `To ${number}`,
  },
  pause: 'Pause',
  resume: 'Resume',
  places: {
    home: 'Home',
    messages: 'Messages',
    conversations: 'Conversations',
    handsets: 'Handsets',
    numbers: 'Numbers',
    campaigns: 'Campaigns',
    optOuts: 'Opt-outs',
    webhooks: 'Webhooks',
    keys: 'API keys',
    carriers: 'Carriers',
    routes: 'Routes',
    usage: 'Usage & billing',
    requests: 'Request log',
    audit: 'Audit log',
    accounts: 'Accounts',
    alerts: 'Alerts',
    settings: 'Settings',
    backup: 'Backup',
  },
  environment: { label: (now: string) => `${now}, sandbox or live`, sandbox: 'Sandbox', live: 'Live' },
  unsaved: {
    title: 'Close without saving?',
    detail: 'What you filled in here is not saved.',
    discard: 'Close without saving',
    stay: 'Keep editing',
  },
  profile: 'Profile and security',
  operatorRole: 'Operator',
  signOut: 'Sign out',
  theme: { label: 'Colours', system: 'As the system', light: 'Light', dark: 'Dark' },
  palette: {
    title: 'Search or jump',
    label: 'A page, a number, a campaign, an id, a word',
    none: 'Nothing fits. A telephone number finds its messages.',
    nothing: (text: string) => `Nothing here is called “${text}”. Messages can still be searched for it.`,
    reference: (text: string) => `Messages with your reference ${text}`,
    find: (text: string) => `Search messages for “${text}”`,
    handset: (number: string) => `Open handset ${number}`,
    conversation: (number: string, own: string) => `Conversation with ${number}, on ${own}`,
    number: (number: string) => `Your number ${number}`,
    campaign: (name: string) => `Campaign ${name}`,
    message: (id: string) => `Message ${id}`,
    request: (id: string) => `Request ${id}`,
    reason: (code: string) => `What ${code} means`,
  },
  keys: {
    title: 'Keyboard',
    list: [
      ['Ctrl K', 'Search or jump'],
      ['/', 'Go to the search of the page; search everything where it has none'],
      ['g then m, n, w, c …', 'Go to messages, numbers, webhooks, campaigns …'],
      ['j, k', 'Next and previous row'],
      ['Enter', 'Open the row'],
      ['e', 'Close a conversation, or open it again'],
      ['r', 'Reply in a conversation'],
      ['Esc', 'Close or clear'],
      ['?', 'This list'],
    ],
    off: 'Single keys can be turned off under Profile.',
  },
  /** Above a submitted form, followed by links to its fields. */
  faults: (count: number) => (count === 1 ? 'This is not right yet' : `${count} fields are not right yet`),
  confirm: {
    title: 'Your password, please',
    why: 'You signed in a while ago. What you are about to do needs your password once more, now and not again for ten minutes.',
    whyNoPassword:
      'You signed in a while ago. What you are about to do needs a sign-in of the last ten minutes: sign in again, and come back to this page.',
    go: 'Go on',
    cancel: 'Cancel',
  },
  /** For a page that the person may not open: its purpose, and who can grant access. */
  needs: {
    operator: {
      title: 'This page is for operators of this gateway',
      ask: 'It is about the whole gateway, not one company. An operator can do it for you.',
    },
    send: {
      title: 'Your role does not send messages',
      ask: 'Owner, Admin, Developer and Support do. An Owner or Admin of your company can change your role.',
    },
    readBody: {
      title: 'Your role does not read what people write',
      ask: 'Owner, Admin, Developer and Support do. Any of them can look something up for you; an Owner or Admin of your company can change your role.',
    },
    manageKeys: {
      title: 'Your role does not look after API keys',
      ask: 'Owner, Admin and Developer do. They see the calls of the API too. An Owner or Admin of your company can change your role.',
    },
    readAudit: {
      title: 'Your role does not read the audit log',
      ask: 'Owner and Admin do. Either of them can look something up for you, or change your role.',
    },
    readUsage: {
      title: 'Your role does not see usage and costs',
      ask: 'Owner, Admin, Developer and Viewer do. An Owner or Admin of your company can change your role.',
    },
  },
  notFound: {
    title: 'There is no such page',
    detail: 'The address may be mistyped, or its page was removed.',
    home: 'Go home',
    messages: 'All messages',
    docs: 'Documentation',
  },
  notFetched: {
    /** When the URL is not in the navigation. */
    title: 'This page has not come yet',
  },
  fault: {
    title: 'This page stopped',
    detail: 'It made a mistake. What you did before is safe.',
    again: 'Load it again',
  },
} as const;

export const suspendedLabels = {
  title: 'This company is suspended: nothing is sent',
  detail:
    'Nothing can be added or changed either; earlier messages can still be read. Ask the operator of this gateway for the reason.',
  send: 'Suspended: nothing can be sent',
} as const;
