/** Sentences of the carriers: cards, forms, connection test, PDU log, unmatched receipts. */
import { counted, fixedText, isOne } from '../../language/formats';

/** About how long, in the largest fitting unit. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return counted(seconds, 'second', 'seconds');
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? counted(minutes, 'minute', 'minutes') : counted(Math.round(minutes / 60), 'hour', 'hours');
}

/** Rounded down to a tenth, so never 100 while one is missing. */
function percent(share: number): string {
  return `${fixedText(Math.floor(share * 1_000) / 10, share === 1 ? 0 : 1)} %`;
}

function shortTime(ms: number): string {
  if (ms < 950) return `${Math.round(ms / 10) * 10} ms`;
  return ms < 120_000 ? `${fixedText(ms / 1_000, ms < 9_950 ? 1 : 0)} s` : `${Math.round(ms / 60_000)} min`;
}

export const carrierLabels = {
  title: 'Carriers',
  what: 'Who carries your messages, and how each link does at this moment.',
  add: 'Add carrier',
  edit: 'Edit',
  open: 'Open',
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  empty: {
    title: 'No carrier yet.',
    detail: 'Texts need a carrier that takes them. You get host, login name and password from yours.',
  },
  /** `SMPP 3.4 (texts)`. */
  kind: (title: string, carries: string) => (carries === '' ? title : `${title} (${carries})`),
  withTls: 'with TLS',
  simulated: 'simulated',
  secondFactor: {
    title: 'Two-factor sign-in is needed',
    detail:
      'A carrier that reaches real telephones can only be added, changed or switched on by somebody who signs in with two factors. Switching off and pausing work without.',
    link: 'Turn it on in your profile',
  },
  tabs: {
    links: 'Links',
    unmatched: (n: number) => (n === 0 ? 'Unmatched receipts' : `Unmatched receipts (${n})`),
    log: 'PDU log',
    errors: 'Error statistics',
    changes: 'Changes',
  },
  card: {
    /** For a bind its SMPP name; for another connection its number. */
    bind: (kind: string | null, number: number) =>
      `${{ transceiver: 'TRX', transmitter: 'TX', receiver: 'RX' }[kind ?? ''] ?? 'Connection'} #${number}`,
    /** The gateway that has its connections. */
    node: (name: string) => `at gateway ${name}`,
    bound: 'bound',
    reachable: 'reachable',
    lost: 'lost',
    more: (n: number, up: number) => `and ${counted(n, 'connection', 'connections')} more, ${up} of them up`,
    upSince: 'up since',
    downSince: 'down since',
    window: (used: number, of: number) => `window ${used}/${of}`,
    out: (perSecond: string) => `out ${perSecond} /s`,
    in: (perSecond: string) => `in ${perSecond} /s`,
    history: (parts: number) => `Last five minutes: ${counted(parts, 'segment', 'segments')} taken by the carrier.`,
    queue: (n: number) => `queue ${n}`,
    waiting: (n: number) => `${isOne(n) ? `${n} message waits` : `${n} messages wait`}; oldest due`,
    p95: (ms: number) => `answers within ${ms} ms (p95)`,
    receipts: (n: number) => `${counted(n, 'receipt', 'receipts')} in 5 min`,
    noReceipts: 'no receipts are asked for',
    reported: (share: number, p50Ms: number | null) =>
      `receipts ${percent(share)}${p50Ms === null ? '' : ` · p50 ${shortTime(p50Ms)}`}`,
    reportedHelp: (looked: number) =>
      `Of the last ${counted(looked, 'segment', 'segments')} looked at that the carrier took a minute ago or longer: those whose final receipt came, and the time half of them took.`,
    enquireLink: 'enquire_link',
    heard: 'heard from',
    certificate: (days: number) =>
      days < 0
        ? 'The certificate of the carrier has expired'
        : `Its certificate expires in ${counted(days, 'day', 'days')}`,
    limit: 'What holds it back:',
    pause: 'Pause sending',
    resume: 'Resume sending',
    tryNow: 'Try now',
    backup: 'Send via backup',
    log: 'Log PDUs 5 min',
    logging: 'PDU log on until',
    stopLog: 'Stop the log',
  },
  backup: {
    title: (name: string) => `Send what waits for ${name} another way?`,
    to: 'Over',
    choice: (name: string, state: 'up' | 'down' | 'paused', fits: number) =>
      `${name} (${state}): ${counted(fits, 'message', 'messages')}`,
    consequence: (fits: number, looked: number, name: string) =>
      `${counted(fits, 'message', 'messages')} of the ${looked} that wait ${isOne(fits) ? 'moves' : 'move'} to ${name} now and ${isOne(fits) ? 'does' : 'do'} not come back by ${isOne(fits) ? 'itself' : 'themselves'}. No other message may go over it by the routing rules; what is being handed over already stays.`,
    more: (looked: number) => `Only the ${looked} that have waited longest are looked at; do it again for the rest.`,
    waitsThere: 'It does not send at this moment: they will wait there.',
    none: {
      title: 'No other carrier may take what waits',
      detail: 'Only a carrier that a routing rule names for these messages can. Add it to a rule, then try again.',
    },
    go: (n: number) => `Send ${counted(n, 'message', 'messages')} over it`,
  },
  errors: {
    caption: 'What carriers refused, the most frequent first',
    looked: (n: number) => `Counted over the newest ${counted(n, 'event', 'events')} of all messages, since`,
    empty: 'No carrier has refused anything lately.',
    columns: {
      carrier: 'Carrier',
      carrierCode: 'Code of the carrier',
      reason: 'Reason',
      state: 'Outcome',
      count: 'Count',
      last: 'Last',
    },
  },
  pauseDialog: {
    title: (name: string) => `Pause sending over ${name}?`,
    consequence: (waiting: number) =>
      `Nothing more is handed to it until somebody resumes it. ${waiting === 0 ? 'Nothing waits' : counted(waiting, 'message waits', 'messages wait')} now; new ones will wait too, even when another carrier of their route could take them. Replies and receipts still come in.`,
    go: 'Pause sending',
  },
  detail: {
    gateway: 'Gateway',
    live: 'Now',
    state: 'State',
    kind: 'Kind',
    bind: 'Connection',
    bindState: 'State',
    lastDetail: 'Last words',
    inFlight: 'In flight',
    protocolErrors: 'Against the protocol',
    noBinds: 'Nothing is open.',
    rates: 'Throughput',
    queue: 'Waiting',
    oldest: 'Oldest due',
    nothing: 'nothing',
    responses: 'Response time p95',
    noResponses: 'no answer yet',
    receipts: 'Receipts, 5 minutes',
    reported: 'Parts reported on',
    notReported: 'no segment is old enough to tell',
    heard: 'Last heard',
    never: 'not yet',
    certificate: {
      title: 'Certificate it shows',
      none: 'No connection with TLS was made since the gateway started.',
      refused: {
        title: 'The gateway does not trust the certificate it shows',
        detail:
          'Connections are refused. Ask the carrier whether the certificate is theirs, by its fingerprint. It is taken once an authority that the gateway trusts stands behind it, or when its check is switched off in the settings.',
      },
      subject: 'Subject',
      issuer: 'Issuer',
      names: 'Good for',
      validFrom: 'Valid from',
      validTo: 'Valid until',
      fingerprint: 'SHA-256',
      ending: {
        title: (days: number) =>
          days < 0
            ? 'It has expired'
            : days === 0
              ? 'It expires today'
              : `It expires in ${counted(days, 'day', 'days')}`,
        detail:
          'The carrier renews it. Once it has expired, new connections fail while the certificate is checked; messages wait or use a backup carrier.',
      },
    },
    accepted: 'Parts taken, 5 minutes',
    limit: 'What holds it back',
    listening: 'Listens on',
    settings: 'Settings',
    secretSet: 'set',
    secretUnset: 'not set',
    none: 'none',
    on: 'on',
    offWord: 'off',
    simulated: 'The gateway keeps this simulated carrier itself. You can pause it and log its PDUs.',
    switchOff: 'Switch off',
    switchOn: 'Switch on',
  },
  switchDialog: {
    title: (name: string) => `Switch ${name} off?`,
    consequence: (waiting: number) =>
      `Its connections are closed. ${waiting === 0 ? 'Nothing waits' : counted(waiting, 'message waits', 'messages wait')} for it now; they move to the next carrier of their route where there is one, and wait otherwise.`,
    go: 'Switch off',
  },
  groups: {
    connection: 'Connection',
    identity: 'Identity',
    limits: 'Limits',
    encoding: 'Encoding & receipts',
    tls: 'TLS',
    inbound: 'What the carrier sends',
  } as Readonly<Record<string, string>>,
  form: {
    addTitle: 'Add a carrier',
    editTitle: (name: string) => `Edit ${name}`,
    kind: 'Kind',
    secretKept: 'Set. Leave empty to keep it.',
    secretNew: 'Written once; never shown again.',
    bounds: (min: number, max: number) => `${min} to ${max}.`,
    anyOf: (choices: string) => `Any of: ${choices}.`,
    allowed: (what: string) => `Allowed: ${what}.`,
    units: { ms: 'ms', bytes: 'bytes', perSecond: 'per second' },
    saved: 'Saved',
    conflict: {
      title: 'Somebody changed this carrier meanwhile',
      detail: 'Your entries are still here. Look at what differs, then save again to write yours over it.',
      columns: { field: 'Field', theirs: 'Now on record', yours: 'Yours' },
      nothing: 'It differs in nothing that you changed.',
      again: 'Save over it',
    },
  },
  test: {
    go: 'Test connection',
    what: 'Opens, signs in, says goodbye. No message is sent, nothing is saved.',
    running: 'Trying…',
    title: 'Connection test',
    ok: 'done',
    bad: 'failed',
    took: (ms: number) => `${ms} ms`,
  },
  unmatched: {
    caption: 'Receipts that match no message',
    empty: 'Every receipt of the last 24 hours found its message.',
    detail:
      'A receipt stands here when its id is none of ours. Often the carrier writes ids in another base: see idBase of the carrier. They are kept for 24 hours.',
    columns: {
      at: 'Time',
      carrier: 'Carrier',
      id: 'Carrier id',
      to: 'Handset',
      state: 'State',
      raw: 'Raw',
      actions: 'Actions',
    },
    match: 'Match by hand',
    matchThis: (id: string) => `receipt ${id}`,
    done: 'Given to its message.',
  },
  match: {
    title: 'Which message is this receipt about?',
    raw: 'Raw receipt',
    offered: (n: number) =>
      `${counted(n, 'segment of a message', 'segments of messages')} to this handset over this carrier, likely ones first.`,
    nothing: 'Nothing that went to this handset over this carrier lately.',
    nothingDetail: 'If you know which message it is, name it below.',
    byId: 'Another message, by its id',
    byIdHelp: 'For instance one that was given up as unconfirmed days ago.',
    look: 'Look',
    noSuch: 'No sent message has this id.',
    all: 'Show all that may be meant',
    part: (part: number, of: number) => `segment ${part} of ${of}`,
    sent: 'handed over',
    id: 'its id at the carrier:',
    noId: 'none on record',
    cannot: 'Cannot be it.',
    choose: 'Choose',
    chooseThis: (messageId: string) => `message ${messageId}`,
    why: 'What speaks for and against it',
    speaks: { for: 'for', against: 'against', neither: 'tells nothing' },
    clues: {
      'same handset': 'It went to the handset that the receipt names.',
      'no handset named': 'The receipt names no handset.',
      'waits for its receipt': 'It still waits for its receipt.',
      'never answered': 'The carrier never answered its hand-over, so its id is not known.',
      'over already': 'It is over: only its segment would be noted.',
      'other form of the id': 'Its id is the same, written another way. Look at idBase of the carrier.',
      'id contained': 'One of the two ids contains the other.',
      'other id': 'Its id at the carrier is another one.',
      'no id on record': 'The carrier gave no id for it.',
      'before the message': 'The receipt came before it was handed over:',
      'after the message': 'The receipt came after it was handed over:',
      'submit date fits': 'The time of submission in the receipt fits, in the zone of the carrier.',
      'submit date differs': 'The time of submission in the receipt is another one.',
      'text fits': 'Its text begins as the receipt quotes it.',
      'text differs': 'Its text begins otherwise than the receipt quotes it; carriers often cut or change that.',
    },
    by: (ms: number) => duration(ms),
    confirm: {
      title: 'Give the receipt to this message?',
      consequence: (messageId: string, state: string, from: string) =>
        `${messageId} (${from} now) is told "${state}" as if the receipt had named it: its state, its timeline, its webhooks and its account's figures follow. That is never taken back. The receipt leaves this list, and your name stands in the audit log.`,
      go: 'Give it to this message',
      back: 'Back',
    },
  },
  log: {
    which: 'Carrier',
    off: 'The log is off. Switch it on for some minutes; it costs nothing while it is off.',
    on: 'The log is on until',
    minutes: 'Minutes',
    start: 'Start',
    stop: 'Stop',
    empty: 'No PDU yet.',
    none: 'No running carrier has a log of PDUs.',
    texts:
      'Texts of messages and passwords are never kept: you see how long they are, and xx for each of their octets.',
    columns: { at: 'Time', bind: 'Bind', way: 'Way', command: 'PDU', status: 'Status', fields: 'Fields' },
    octets: 'Octets',
    octetsOf: (command: string, at: string) => `of ${command}, ${at}`,
    ways: { out: 'out ▸', in: '◂ in' },
    caption: 'PDUs, newest first',
  },
  changes: {
    empty: 'No change yet.',
    noAudit: 'Your role does not read the audit log.',
    rules: 'Published routing rules that name it, or did',
    noRules: 'Nobody has published a change of such a rule yet.',
  },
} as const;

/** The plain name of each setting, shown beside the standard's. */
export const settingLabels: Readonly<Record<string, string>> = {
  id: 'Id',
  name: 'Name',
  enabled: 'Switched on',
  host: 'Host',
  port: 'Port',
  url: 'Address',
  tls: 'Encrypted (TLS)',
  tlsVerify: 'Check the certificate',
  caCertificate: 'Authority to trust (PEM)',
  clientCertificate: 'Our certificate (PEM)',
  clientKey: 'Our private key (PEM)',
  system_id: 'Login name',
  password: 'Password',
  username: 'Login name',
  system_type: 'Kind of system',
  interface_version: 'Version of the protocol',
  bindMode: 'Way of binding',
  binds: 'Connections',
  connections: 'Connections',
  window: 'Requests without an answer',
  messagesPerSecond: 'Messages per second (0: no limit)',
  lendRate: 'Lend unused rate to other cells, and borrow theirs',
  repeatsUnanswered: 'Most repeats of a message it did not answer (0: held)',
  repeatsBroken: 'Most repeats after a broken link (0: held)',
  responseTimeoutMs: 'Patience for an answer, ms',
  enquireLinkMs: 'Sign of life every, ms',
  reconnectMs: 'First wait after a lost connection, ms',
  reconnectMsMax: 'Longest wait after a lost connection, ms',
  rebindMs: 'First wait after a refused bind, ms',
  rebindMsMax: 'Longest wait after a refused bind, ms',
  passwordTriesMax: 'Tries with a refused password',
  stableAfterMs: 'A connection is good after, ms',
  source_addr_ton: 'Type of a long sender number',
  source_addr_npi: 'Plan of a long sender number',
  short_code_ton: 'Type of a short code',
  short_code_npi: 'Plan of a short code',
  alphanumeric_ton: 'Type of a name as sender',
  alphanumeric_npi: 'Plan of a name as sender',
  dest_addr_ton: 'Type of the recipient number',
  dest_addr_npi: 'Plan of the recipient number',
  trustText: 'Texts that look like receipts',
  acceptedIsFinal: 'ACCEPTED is the last word',
  receiptTimeZone: 'Time zone of receipts',
  idBase: 'How message ids are written',
  longMessage: 'How long texts are split',
  defaultAlphabet: 'Default alphabet',
  nationalLanguages: 'National language tables',
  registered_delivery: 'Ask for receipts',
  deliveryReport: 'Ask for delivery reports',
  readReports: 'Send read reports when asked',
  acknowledgement: 'Wait for acknowledgements',
  ackTimeoutMs: 'Patience for an acknowledgement, ms',
  mediaBytesMax: 'Largest media of a message, bytes',
  schema: 'Schema',
  version: 'Version',
  vaspId: 'Our company at the carrier',
  vasId: 'Our service at the carrier',
  serviceCode: 'Service code',
  domain: 'Domain of the carrier',
  ownDomain: 'Our domain',
  'inbound.username': 'Login name it shows',
  'inbound.password': 'Password it shows',
  'inbound.addresses': 'Addresses it comes from',
  'inbound.clientCertSha256': 'Certificates it shows (SHA-256)',
  'inbound.host': 'Address we listen on',
  'inbound.port': 'Port we listen on',
  'inbound.requireTls': 'Only with TLS',
};

/** The meaning of each value of a setting that is a choice. */
export const choiceLabels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  longMessage: {
    udh8: 'In segments, short reference',
    udh16: 'In segments, long reference',
    sar: 'In segments, by TLVs',
    payload: 'Whole; the carrier splits',
  },
  trustText: {
    known: 'Receipts where the id is known',
    always: 'Always receipts',
    never: 'Always texts of people',
  },
  idBase: {
    auto: 'Found out by the gateway',
    string: 'Alike in answers and receipts',
    'resp-hex': 'Hexadecimal in answers',
    'receipt-hex': 'Hexadecimal in receipts',
  },
  bindMode: { transceiver: 'One connection for both ways', 'transmitter+receiver': 'One connection for each way' },
  defaultAlphabet: { gsm: 'GSM 7-bit', latin1: 'Latin 1', ascii: 'ASCII' },
};
