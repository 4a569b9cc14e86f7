/** Sentences of the building blocks that every page is made of. */
export const uiWords = {
  loading: 'Loading',
  close: 'Close',
  breadcrumbs: 'Breadcrumbs',
  search: 'Search',
  searchMessages: 'Search messages: a number, an id, a reference',
  switch: { on: 'on', off: 'off' },
  copy: {
    copy: 'Copy',
    /** Of one of several values on a page. */
    copyOf: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    byHand: 'Select it and press Ctrl+C',
    details: 'Copy details',
    request: 'Copy API request',
  },
  fault: {
    page: 'This page made a mistake.',
    forbidden: 'You may not see this',
    notLoaded: 'This could not be loaded',
    outdated: 'This may be out of date: the gateway could not be asked again.',
    nothing: 'There is no such thing here',
    again: 'Try again',
    request: 'Request',
    /** For a report of it. */
    requestOf: (requestId: string | null) => `request ${requestId ?? 'none'}`,
  },
} as const;

/** What a button copies, after “Copy”. */
export const copiedWords = {
  apiRequest: 'API request',
  details: 'the details',
  secret: 'the secret',
  recoveryCodes: 'the recovery codes',
  commands: 'the commands',
  command: 'the command',
  link: 'the link',
  wire: 'the wire',
  requestId: 'the request id',
  address: 'the address',
  reference: 'the reference',
  messageId: 'the message id',
  url: 'URL',
  endpointId: 'endpoint id',
  eventId: 'event id',
  asCurl: 'as curl',
  headers: 'headers',
  body: 'body',
  event: 'event',
  example: 'example',
  curlCommand: 'curl command',
  id: 'the id',
  code: 'the code',
} as const;

/** States of messages, connections, campaigns and endpoints, as their badges say them. */
export const stateWords = {
  accepted: 'Accepted',
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent to carrier',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
  expired: 'Expired',
  failed: 'Not sent',
  canceled: 'Canceled',
  unconfirmed: 'No receipt',
  uncertain: 'Uncertain',
  held: 'Held',
  received: 'Received',
  refused: 'Refused',
  up: 'Up',
  connecting: 'Connecting',
  down: 'Down',
  paused: 'Paused',
  draft: 'Draft',
  submitted: 'Submitted',
  in_review: 'In review',
  changes_needed: 'Changes needed',
  approved: 'Approved',
  suspended: 'Suspended',
  active: 'Active',
  waiting: 'Waiting',
  healthy: 'Healthy',
  failing: 'Failing',
  disabled: 'Disabled',
  revoked: 'Revoked',
} as const;

/** Roles of people, as pages name them. */
export const roleWords = {
  Owner: 'Owner',
  Admin: 'Admin',
  Developer: 'Developer',
  Support: 'Support',
  Viewer: 'Viewer',
  /** Beside a role: of the gateway, not of a company. */
  Operator: 'Operator',
} as const;
