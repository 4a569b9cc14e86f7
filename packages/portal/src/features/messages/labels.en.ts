/** Sentences of the message log, of one message, and of sending. */
const rules = new Intl.PluralRules('en');
const whole = new Intl.NumberFormat('en');
const many = (count: number, one: string, other: string) =>
  `${whole.format(count)} ${rules.select(count) === 'one' ? one : other}`;

export const messageWords = {
  title: 'Messages',

  list: {
    caption: 'Messages, newest first',
    search: 'Search messages',
    hint: 'A number, or to: status: text:"…" — press / to come here',
    find: 'Search',
    clear: 'Clear the search',
    help: 'Days and times are UTC. Several values of one kind find any of them.',
    tokens: {
      to: 'Recipient',
      from: 'Sender',
      status: 'Status, such as not-sent or delivered',
      reason: 'Reason code',
      ref: 'Reference you sent with it',
      text: 'Words of the text',
      after: 'From this day or time on',
      before: 'Before this day or time',
      type: 'sms or mms',
      key: 'Name of the key pair',
      direction: 'outbound or inbound',
      request: 'Id of a request',
    },
    also: (shown: string, technical: string) => `${shown}; ${technical} says the same`,
    suggestions: 'Search words',
    remove: (token: string) => `Remove ${token}`,
    noKey: 'There is no such key',
    notUnderstood: 'Not understood',
    problems: 'Not all of the search was understood. The rest is applied.',
    count: (count: number, more: boolean) =>
      more ? `${whole.format(count)} newest shown` : many(count, 'message', 'messages'),
    countRequests: (count: number, more: boolean) =>
      more ? `${whole.format(count)} newest shown` : many(count, 'row', 'rows'),
    byRequest: 'One row per request',
    fresh: (count: number) =>
      count >= 100 ? '99+ new messages — show' : `${many(count, 'new message', 'new messages')} — show`,
    older: 'Older',
    lookOn: 'Look further back',
    searchedTo: (time: string) => `Looked through everything back to ${time}. There may be more before that.`,
    columns: 'Columns',
    columnsTitle: 'Columns of the list',
    density: 'Compact rows',
    close: 'Done',
    panel: {
      title: 'Message',
      open: 'Open page',
      close: 'Close the panel',
    },
    export: 'Export',
    csv: 'CSV for spreadsheets',
    jsonl: 'JSON, one message a line',
    empty: 'No messages yet',
    emptyHow: 'Send a text from here, or with the request on the start page. It appears here by itself.',
    emptyIn: (environment: string) => `This is the ${environment} environment; the other is chosen at the top.`,
    none: 'No message fits this search',
    noneHow: 'Take a word out of it, or look further back.',
    kept: (bodyDays: number, metadataDays: number) =>
      `Texts and media are kept ${many(bodyDays, 'day', 'days')}, everything else about a message ${many(metadataDays, 'day', 'days')}.`,
  },
  columns: {
    time: 'Time',
    direction: 'Direction',
    from: 'From',
    to: 'To',
    text: 'Text',
    type: 'Type',
    parts: 'Segments',
    status: 'Status',
    reason: 'Reason',
    key: 'Key',
    reference: 'Reference',
  },
  outbound: 'Outbound',
  inbound: 'Inbound',
  hidden: (count: number) => `••• ${many(count, 'character', 'characters')}`,
  recipients: (count: number, refused: number) =>
    refused === 0
      ? many(count, 'recipient', 'recipients')
      : `${whole.format(count)} of ${many(count + refused, 'recipient', 'recipients')}`,
  refused: (count: number) => `${whole.format(count)} refused`,
  hiddenToRole: 'Hidden to your role',
  hiddenShort: 'hidden to your role',
  textsHidden: 'Texts and attachments are hidden to your role: dots stand for them.',
  media: (count: number) => many(count, 'picture', 'pictures'),
  sentMedia: {
    title: 'Media',
    place: (place: number, name: string) =>
      name === '' ? `${whole.format(place)}.` : `${whole.format(place)}. ${name}`,
    fetched: 'Fetched',
    fittedFor: (limit: string) => `Fitted for ${limit}`,
    sent: 'Sent',
    failed: 'Failed',
    skipped: 'Not fetched, as another medium failed',
    altered: { 'fewer-frames': 'Fewer frames', still: 'Sent as a still picture' },
    pixels: (width: number, height: number) => `${whole.format(width)} × ${whole.format(height)}`,
    frames: (count: number) => many(count, 'frame', 'frames'),
  },
  attachments: (count: number) => many(count, 'attachment', 'attachments'),
  parts: (count: number) => many(count, 'segment', 'segments'),
  dupRisk: 'May have arrived twice',
  one: {
    noRecipient: 'This request has no such recipient',
    noRecipientDetail: (to: string) => `None of its messages went to ${to}.`,
    title: 'Message',
    from: 'From',
    to: 'To',
    type: 'Kind',
    status: 'Status',
    reason: 'Reason',
    took: 'Took',
    billing: 'Billing',
    carrier: 'Carrier',
    carrierCode: 'Carrier’s own code',
    reference: 'Reference',
    key: 'Key',
    request: 'Request',
    id: 'Message id',
    noText: 'No text',
    binary: 'Binary content',
    subject: (subject: string) => `Subject: ${subject}`,
    octets: (count: number, dataCoding: number | undefined) =>
      `${many(count, 'octet', 'octets')}${dataCoding === undefined ? '' : ` · data coding ${dataCoding}`}`,
    saveOctets: 'Save',
    participants: 'Also to',
    messageClass: 'Message class',
    classes: ['0 (flash, shown at once)', '1 (handset)', '2 (SIM)', '3 (terminal equipment)'],
    ports: 'Ports',
    fromTo: (source: number, destination: number) => `from ${source} to ${destination}`,
    conversation: 'Conversation',
    cancel: 'Cancel',
    cancelTitle: 'Cancel this message?',
    cancelDetail: 'It has not been sent, and never will be. Nothing is billed. This cannot be undone.',
    cancelIt: 'Cancel the message',
    release: 'Send it all the same',
    releaseTitle: 'Send this message again?',
    releaseDetail:
      'Nobody knows whether it has left already: the handset may get it twice, and it may be billed twice.',
    releaseIt: 'Send it again',
    keep: 'Leave it',
    recipients: 'Recipients of the same request',
    apiStatus: 'API status',
    timeline: 'What happened',
    gap: (time: string) => `waited ${time}`,
    plain: 'In plain words',
    partsTitle: 'Segments',
    part: 'Segment',
    carrierId: 'Carrier’s id',
    updated: 'Updated',
    told: 'Webhooks told of it',
    toldNone: 'No webhook was told of it.',
    endpoint: 'Endpoint',
    event: 'Event',
    attempts: 'Attempts',
    lastStatus: 'Answer',
    delivery: 'Delivery',
    /** `used`: of a segment's room; more than there are characters where some of them take two places. */
    room: (characters: number, used: number, room: number) =>
      characters === used
        ? `${whole.format(used)} of ${whole.format(room)} characters`
        : `${many(characters, 'character', 'characters')}, uses ${whole.format(used)} of ${whole.format(room)}`,
    more: 'More about this message',
    tabs: {
      recipients: (count: number) => `Recipients ${whole.format(count)}`,
      webhooks: 'Webhooks',
      parts: 'Segments & encoding',
      request: 'Request & response',
      fields: 'All fields',
    },
  },
  timeline: {
    accepted: 'The request was answered, and the message is on disk.',
    queued: 'Waits for its carrier.',
    queuedAgain: 'Waits to be tried again.',
    sending: (carrier: string) => `Goes to ${carrier}.`,
    sent: (carrier: string) => `${carrier} took it.`,
    delivered: 'The carrier reports that the handset has it.',
    undelivered: 'The carrier reports that the handset did not get it.',
    failed: 'It ended here: it was not sent.',
    expired: 'Its time was over before it could leave.',
    canceled: 'A person canceled it.',
    unconfirmed: 'No final receipt came in time: nobody knows whether it arrived.',
    uncertain: 'No answer came to what was sent: the carrier may or may not have it.',
    held: 'It waits for a person to decide whether it is sent again.',
    received: 'A handset sent it, and it was stored.',
    webhookBadge: (status: number | null) => (status === null ? 'Webhook' : `Webhook ${status}`),
    webhook: (type: string, endpoint: string) => `${type} → ${endpoint}`,
    notAnswered: 'not answered yet',
  },
  compose: {
    title: 'New message',
    from: 'From',
    noSenders: 'No number may send yet',
    noSendersHow: 'Each of your numbers is listed here with what is missing.',
    others: 'Numbers that cannot send, and why',
    cannot: 'This number cannot send.',
    parts: (encoding: string, segments: number) => `${encoding} · ${many(segments, 'segment', 'segments')}`,
    to: 'To',
    toHelp: 'Numbers with their country, one after the other. Spaces, dashes and + are taken away.',
    recipients: (count: number) => many(count, 'recipient', 'recipients'),
    bad: 'These are no numbers and will not be sent to',
    scientific: 'A spreadsheet has turned this number into a power of ten. Format its column as text, and copy again.',
    twice: (count: number) => `${many(count, 'number stands', 'numbers stand')} here twice and is sent to once.`,
    text: 'Text',
    counter: (encoding: string, characters: number, segments: number, left: number) =>
      `${encoding} · ${many(characters, 'character', 'characters')} · ${many(segments, 'segment', 'segments')} · ${left} left in ${segments === 1 ? 'it' : 'the last'}`,
    /** Where it takes more room than it has characters. */
    uses: (encoding: string, used: number, room: number) =>
      `Uses ${whole.format(used)} of ${whole.format(room)}: ${
        encoding === 'GSM-7'
          ? 'characters such as € [ ] { } ~ ^ | \\ count twice.'
          : 'emoji and what is made of several signs count as two or more.'
      }`,
    tooLong: (segments: number, most: number) =>
      `Too long: it needs ${whole.format(segments)} segments, and a text may have ${whole.format(most)}. Shorten it, or send several.`,
    tooLongMms: (characters: number, most: number) =>
      `Too long: it has ${whole.format(characters)} characters, and an MMS may carry ${whole.format(most)}. Shorten it.`,
    mmsCounter: (characters: number) =>
      `${many(characters, 'character', 'characters')} · Sent as MMS, billed at the MMS rate`,
    forcing: (segments: number, instead: number) =>
      instead < segments
        ? `These characters force Unicode: ${many(segments, 'segment', 'segments')} instead of ${instead}.`
        : 'These characters force Unicode: a segment holds less.',
    replace: (from: string, to: string) => `Replace ${from} with ${to === '' ? 'nothing' : to}`,
    replaceAll: 'Replace all',
    media: 'Media',
    mediaHelp: 'With a medium it goes as MMS, at the MMS rate.',
    mediaUrl: 'Address of a picture',
    addUrl: 'Add',
    badUrl: 'Write the address of a picture, beginning with https:// or http://.',
    upload: 'Choose files',
    uploading: 'Uploading …',
    dropHere: 'or drop files here',
    noMms: 'This number cannot send MMS: turn MMS on under Numbers.',
    removeMedium: 'Remove',
    reference: 'Reference (optional)',
    referenceHelp: 'Your own word for it: comes back in webhooks, and finds it with ref:.',
    draft: {
      title: (count: number) => many(count, 'draft', 'drafts'),
      kept: 'Kept as a draft in this browser.',
      discard: 'Discard draft',
      anew: 'Begin another',
      where: 'Drafts are kept in this browser, for you alone: for 30 days, and until you sign out.',
      remove: (text: string) => `Delete draft: ${text}`,
      deleted: 'The draft is deleted.',
      undo: 'Undo',
      noText: 'No text yet',
      noRecipient: 'to nobody yet',
      to: (first: string, more: number) => (more === 0 ? `to ${first}` : `to ${first} and ${whole.format(more)} more`),
    },
    check: 'Check only',
    /** `going`: what is not passed over, of all that stand in the list. */
    send: (going: number, count: number) => {
      if (going < count) return `Send to ${whole.format(going)} of ${whole.format(count)}`;
      return count > 1 ? `Send to ${whole.format(count)}` : 'Send';
    },
    sent: {
      title: (gone: number, count: number) =>
        gone === count
          ? `Sent to ${many(count, 'recipient', 'recipients')}`
          : `Sent to ${whole.format(gone)} of ${many(count, 'recipient', 'recipients')}`,
      dropped: (count: number) => `Left out, as ${count === 1 ? 'it is no number' : 'they are no numbers'}:`,
      open: 'Open the message',
      openFirst: 'Open the first message',
      anew: 'New message',
      again: 'Send another like this',
    },
    waits: (until: string) => `This message will wait until ${until}.`,
    waitsWhy:
      'Your company has quiet hours now: Settings › Company. It is accepted at once and can be canceled while it waits.',
    missing: {
      from: 'Choose a number to send from.',
      to: 'Write at least one number.',
      text: 'Write a text, or add a medium.',
    },
    preview: {
      title: 'Before you send',
      to: 'Goes to',
      going: (going: number, count: number) =>
        going === count
          ? many(count, 'recipient', 'recipients')
          : `${whole.format(going)} of ${many(count, 'recipient', 'recipients')}`,
      shape: 'As',
      cost: 'Estimated cost',
      noCost: 'No price is set',
      twice: 'Duplicates',
      waiting: 'Write a number and a text: whoever opted out is found here.',
      nobody: 'Nobody is skipped.',
      skipped: (count: number) => many(count, 'recipient is skipped', 'recipients are skipped'),
      more: (count: number) => `and ${whole.format(count)} more`,
      refused: 'It would be refused',
      away: 'The gateway cannot be asked now. It is checked again when you change something, and when you send.',
      nothingSent: 'Looked up as you write. Nothing is sent before you press Send.',
    },
    results: 'What became of each',
    checked: 'Checked. Nothing was sent.',
    result: 'Result',
    detail: 'Detail',
    message: 'Message',
    many: {
      title: (count: number) => `Send to ${whole.format(count)} numbers?`,
      detail: (count: number) =>
        `${many(count, 'message leaves', 'messages leave')} at once. What a carrier took cannot be called back.`,
      back: 'Not yet',
    },
  },
} as const;
