/** Sentences of the pages about numbers. */
const plural = new Intl.PluralRules('en');
const whole = new Intl.NumberFormat('en');
const counted = (count: number, one: string, many: string): string =>
  `${whole.format(count)} ${plural.select(count) === 'one' ? one : many}`;

export const numberWords = {
  title: 'Numbers',
  what: 'The numbers your company sends from and gets replies on.',
  add: 'Add number',
  importCsv: 'Import CSV',
  noCampaign: 'None',
  exportCsv: 'Export CSV',
  search: 'Search numbers',
  canSend: 'Can send',
  choices: { all: 'All', yes: 'Yes', no: 'No' },
  campaignFilter: 'Campaign',
  anyCampaign: 'Any',
  count: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'number', 'numbers')
      : `${whole.format(shown)} of ${counted(all, 'number', 'numbers')}`,
  columns: {
    number: 'Number',
    sms: 'SMS',
    mms: 'MMS',
    campaign: 'Campaign',
    last24h: 'Last 24 h',
    canSend: 'Can send?',
  },
  ready: 'Ready',
  none: 'none',
  smsOf: (number: string) => `SMS of ${number}`,
  mmsOf: (number: string) => `MMS of ${number}`,
  mmsNeedsSms: 'needs SMS',
  traffic: (sent: number, delivered: number) =>
    `${whole.format(sent)} · ${new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(delivered / sent)}`,
  trafficWords: (sent: number, delivered: number) => `${whole.format(sent)} sent, ${whole.format(delivered)} delivered`,
  noTraffic: '0',
  empty: {
    title: 'No numbers yet',
    sandbox: 'Add one from the sandbox’s range of numbers that nobody owns.',
    live: 'Live numbers are added by the operator of this gateway. Ask them for one.',
  },
  nothingFits: { title: 'No number fits', detail: 'Change the search or the filters.', clear: 'Clear filters' },
  roleMissing: 'Your role may look at numbers. Owners and Admins change them.',
  turnOff: {
    title: (number: string) => `Turn SMS off for ${number}?`,
    consequence:
      'Requests that send from it are refused from now on, and its replies still arrive. MMS goes off with it.',
    queued: (count: number) =>
      count === 0
        ? 'No message of this number is queued.'
        : `${counted(count, 'message is', 'messages are')} queued and will stop when their turn comes, unless it is on again by then.`,
    confirm: 'Turn SMS off',
    keep: 'Leave it on',
  },
  turnMmsOff: {
    title: (number: string) => `Turn MMS off for ${number}?`,
    consequence: 'Requests with pictures are refused from now on; queued ones are not sent. SMS stays on.',
    confirm: 'Turn MMS off',
  },
  addDialog: {
    title: 'Add a number',
    number: 'Number',
    sandboxHelp: 'Between 1 (202) 555-0100 and 1 (202) 555-0199: nobody has these.',
    liveHelp: 'Digits with the country code, or a short code.',
    name: 'Name',
    nameHelp: 'For people, such as “Shop in Austin”. Optional.',
    campaign: 'Campaign',
    campaignHelp: 'Without an approved campaign it cannot send.',
    noCampaign: 'None yet',
    add: 'Add number',
    cancel: 'Cancel',
  },
  importer: {
    title: 'Import numbers',
    what: {
      sandbox: 'Numbers that are yours are changed as the table says; others are added, if nobody owns them.',
      live: 'Numbers that are yours are changed as the table says. Others can be added by the operator alone.',
    },
    file: 'Table (CSV)',
    columns:
      'The first line names the columns. Only number is needed; what is left out stays as it is. At most 500 lines.',
    example: 'Example',
    none: 'Choose a file first.',
    go: 'Import',
    cancel: 'Cancel',
    close: 'Close',
    unreadable: 'The file cannot be read.',
    first: (shown: number, all: number) => `The first ${shown} of ${all} that were refused.`,
    counts: { added: 'Added', changed: 'Changed', unchanged: 'As they were', refused: 'Refused' },
    entry: 'Line',
    problem: 'Why',
  },
  page: {
    carrier: 'Carriers',
    noCarrier: 'No route leads from it',
    limits: 'Limits of its campaign',
    noLimits: 'None',
    limitWords: (minute: number | null, mms: number | null, day: number | null) =>
      [
        ...(minute === null ? [] : [`${counted(minute, 'segment', 'segments')} a minute`]),
        ...(mms === null ? [] : [`${whole.format(mms)} MMS a minute`]),
        ...(day === null ? [] : [`${whole.format(day)} a day`]),
      ].join(', '),
    facts: 'What it can do',
    number: 'Number',
    environment: 'Side',
    sides: { sandbox: 'Sandbox', live: 'Live' },
    canSend: 'Can send?',
    last24h: 'Last 24 hours',
    queued: 'Queued now',
    settings: 'Settings',
    name: 'Name',
    campaign: 'Campaign',
    rate: 'Messages per second',
    rateHelp: 'Requests above it are refused with RATE_LIMITED. 0 = no limit.',
    rateFault: 'Write a whole number, 0 or more.',
    save: 'Save',
    saved: 'Saved.',
    openCampaign: 'Open the campaign',
    webhooks: 'Where replies go',
    webhooksWhat: 'To the webhook of this number, else of its campaign, else of the company.',
    noWebhook: 'This number has no webhook of its own.',
    ownWebhook: 'Give it a webhook of its own',
    addWebhook: 'All webhooks',
    recent: 'Recent messages',
    noRecent: 'Nothing was sent from this number or to it.',
    allMessages: 'All its messages',
    columns: { at: 'Time', peer: 'With', text: 'Text', state: 'State' },
    out: 'to',
    in: 'from',
    hidden: (length: number) => `••• ${counted(length, 'character', 'characters')}`,
  },
} as const;
