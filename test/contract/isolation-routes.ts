/**
 * For portal-isolation.test.ts: requests to each portal route with a company's things. The routes come from the running
 * server; a route that is missing here fails the test with a sentence that says what to add.
 */
import { tinyPng } from '../../packages/gateway/src/carriers/carrier-fixture.ts';
import { sharedHandset, type Things } from './isolation-company.ts';
import { pairOf, password, portalBase, type Route } from './isolation-world.ts';

type Of<T> = (of: Things) => T;

/** The value of each path parameter; by `url` where a name has two meanings. */
export const inPath: Readonly<Record<string, (of: Things, url: string) => string>> = {
  accountId: (of) => of.company,
  brandId: (of) => of.brandId,
  campaignId: (of) => of.draftId,
  carrierId: () => 'sim-carrier',
  deliveryId: (of) => of.deliveryId,
  endpointId: (of) => of.endpointId,
  evidenceId: (of, url) => (url.includes('/brands/') ? of.brandFileId : of.draftFileId),
  invitationId: (of) => of.invitationId,
  keyId: (of) => of.keyId,
  kind: () => 'budget',
  mediaId: (of) => of.handsetMediaId,
  form: () => 'original',
  messageId: (of, url) => (url.includes('/media/') ? of.pictureId : of.messageId),
  name: () => 'heliograph-2026-11-21T10-20-30Z.db',
  number: (of, url) => (url.includes('/handsets/') ? sharedHandset : of.number),
  passkeyId: () => 'pky_none',
  peer: () => sharedHandset,
  place: () => '0',
  replyId: () => 'rep_none',
  requestId: (of) => of.requestId,
  routeId: () => 'sandbox',
  sessionId: (of) => of.sessionId,
  silenceId: () => 'sil_none',
  userId: (of) => of.userId,
};

/** Values for each query parameter that can name something of a company, or that widens a list. */
export const inQuery: Readonly<Record<string, Of<string[]>>> = {
  about: (of) => [of.messageId, of.requestId, of.endpointId, of.draftId, of.userId],
  after: (of) => [
    ...['pos_0', of.messageId, of.inboundId, of.eventId, of.handsetTextId, of.wireId],
    `12025550102~campaign:${of.campaignId}`,
  ],
  assigned: (of) => ['me', 'nobody', of.userId],
  before: (of) => [of.inboundId, of.deliveryId, of.auditPosition, `${of.requestId}~0`],
  campaign: (of) => [of.campaignId, of.draftId],
  contact: () => ['12025550103'],
  endpoint: (of) => [of.endpointId],
  from: (of) => [of.number, sharedHandset],
  groupBy: () => ['number', 'campaign', 'key'],
  ids: (of) => [of.messageId, `${of.messageId},${of.inboundId}`],
  key: (of) => [of.keyId],
  number: (of) => [of.number, sharedHandset],
  q: (of) => [
    ...[
      of.number,
      of.messageId,
      `from:${of.number}`,
      `to:${of.number}`,
      `key:${of.company}-key`,
      `text:"${of.company}"`,
      of.requestId,
      'status:refused',
      'reason:OPTED_OUT',
    ],
    `campaign:${of.campaignId}`,
  ],
  peer: () => [sharedHandset],
  scope: (of) => [`campaign:${of.campaignId}`, `number:${of.number}`],
  target: (of) => [of.company, of.keyId, of.userId, of.number],
  text: (of) => [of.company],
  to: (of) => [of.number, sharedHandset],
  waiting: () => ['true'],
  what: (of) => ['key.created', of.company],
  who: (of) => [of.userId],
};

/** Query parameters that cannot name anything of a company. */
export const plainInQuery: readonly string[] = [
  ...[
    'apikey',
    'by',
    'carrier',
    'compare',
    'country',
    'direction',
    'done',
    'dryRun',
    'expires',
    'fileName',
    'kind',
    'limit',
    'month',
    'reason',
    'referenceId',
    'signature',
    'range',
    'since',
    'state',
    'status',
    'subject',
    'until',
  ],
  ...['period', 'timeZone', 'type', 'types', 'wait'],
];

const today = new Date().toISOString().slice(0, 10);

/** The query that a read needs to show something. */
export const neededQuery: Readonly<Record<string, Of<string>>> = {
  'GET /messages/states': (of) => `?ids=${of.messageId}`,
  'GET /usage': () => `?groupBy=number&from=${today}&to=${today}`,
  'GET /usage/statement': () => `?month=${today.slice(0, 7)}`,
  'GET /usage/statement-lines': () => `?month=${today.slice(0, 7)}`,
};

/** Reads whose answer contains nothing of any company: figures, files, and data that is the same for everyone. */
export const plainReads: readonly string[] = [
  ...['GET /about', 'GET /home/figures', 'GET /usage/budget', 'GET /message-histogram'],
  ...['GET /roles', 'GET /me/passkeys', 'GET /reasons', 'GET /webhooks/catalogue', 'GET /stream'],
  ...['GET /deliveries/:deliveryId/signatures', 'GET /brands/:brandId/evidence/:evidenceId'],
  ...['GET /campaigns/:campaignId/evidence/:evidenceId', 'GET /sandbox/handsets'],
  'GET /messages/:messageId/media/:place/:form',
  ...['GET /sandbox/handsets/:number/media/:mediaId', 'GET /sandbox/handsets/:number/behaviour', 'GET /sandbox/faults'],
  ...['GET /sandbox/demo', 'GET /sandbox/carrier'],
];

/** Only the company of the seeded sandbox has these; every other company gets 404. */
export const ofSeeded: readonly string[] = [
  ...['GET /home/pair', 'GET /sandbox/webhooks'],
  ...['GET /sandbox/webhooks/answer', 'POST /sandbox/webhooks/answer'],
];

export interface Write {
  /** Valid bodies for a company with these things; the first one succeeds. */
  bodies: Of<unknown[]>;
  /** Statuses for the owner of the things. */
  own?: readonly number[];
  /** Statuses for things of another company, where a plain refusal is not the right answer. */
  foreign?: readonly number[];
  /** Deletes things that other routes need, or takes long: tried once, at the end. */
  last?: boolean;
}

const empty: Write = { bodies: () => [undefined] };
const record: Write = { bodies: () => [{ record: {}, version: '' }], own: [200, 400, 409] };
const reason = 'they told us so';

/** Every route that changes something, by its path below `/api/portal/v1`, in the order of the test. */
export const writes: Readonly<Record<string, Write>> = {
  'POST /me': { bodies: () => [{ singleKeys: true }] },
  'POST /me/view-as': { bodies: () => [{ role: null }] },
  'POST /me/password': { bodies: () => [{ current: 'not this one at all', next: 'cellos above the plum tree' }] },
  'POST /me/confirm': { bodies: () => [{ password }] },
  'POST /me/totp/begin': empty,
  'POST /me/totp/finish': { bodies: () => [{ code: '000000' }] },
  'POST /me/recovery-codes': empty,
  'POST /me/totp/remove': empty,
  'POST /me/passkeys/begin': empty,
  'POST /me/passkeys': { bodies: () => [{ name: 'Telephone', response: null }] },
  'POST /me/passkeys/:passkeyId': { bodies: () => [{ name: 'Mine now' }], own: [404] },
  'DELETE /me/passkeys/:passkeyId': { ...empty, own: [404] },
  'POST /me/confirm/passkey': { bodies: () => [{ response: null }] },
  'POST /users/:userId': { bodies: () => [{ role: 'Viewer' }, { disabled: true }] },
  'POST /users/invitations': { bodies: () => [{ email: 'anybody@elsewhere.example', role: 'Viewer' }] },
  'POST /company': {
    bodies: (of) => [{ version: of.companyVersion, supportContact: 'us@elsewhere.example' }],
    own: [200, 409],
  },
  'POST /company/quiet-hours': {
    bodies: (of) => [{ version: of.companyVersion, on: true, from: '21:00', to: '08:00' }],
    own: [200, 409],
  },
  'POST /company/second-factor': {
    bodies: (of) => [{ version: of.companyVersion, roles: ['Viewer'], graceDays: 30 }],
    own: [200, 409],
  },
  'POST /clock/confirm': { ...empty, own: [404] },
  'POST /public-url/test': { ...empty, own: [404] },
  'POST /backups': empty,
  'POST /backups/:name/download': { ...empty, own: [404] },
  'DELETE /backups/:name': { ...empty, own: [404] },
  'POST /brands': { bodies: () => [{ legalName: 'Somebody Ltd' }] },
  'POST /brands/:brandId': { bodies: () => [{ city: 'Elsewhere' }] },
  'POST /brands/:brandId/website': { ...empty, own: [200, 400, 409] },
  'POST /campaigns': { bodies: (of) => [{ name: 'News', brandId: of.brandId }] },
  'POST /campaigns/:campaignId': { bodies: (of) => [{ name: 'Other news' }, { brandId: of.brandId }] },
  'POST /campaigns/:campaignId/check': empty,
  'POST /campaigns/:campaignId/submit': { ...empty, own: [200, 400, 409] },
  'POST /campaigns/:campaignId/withdraw': { ...empty, own: [200, 409] },
  'POST /brands/:brandId/evidence': { bodies: () => [tinyPng] },
  'POST /campaigns/:campaignId/evidence': { bodies: () => [tinyPng] },
  'POST /campaigns/:campaignId/outcome': { bodies: () => [{ status: 'approved', note: 'Fine' }], own: [200, 409] },
  'POST /numbers': {
    bodies: (of) => [
      { number: of.numberToAdd, name: 'One more' },
      { number: '12025550154', campaignId: of.campaignId },
    ],
  },
  'POST /numbers/import': { bodies: (of) => [`number,name\n${of.number},Imported\n`], foreign: [200] },
  'POST /numbers/:number': {
    bodies: (of) => [{ name: 'Renamed' }, { campaignId: of.campaignId }, { smsEnabled: false }],
  },
  'POST /keys': {
    bodies: (of) => [{ name: 'A pair', environment: 'sandbox', scopes: ['read'], numbers: [of.number] }],
  },
  'POST /keys/test': { bodies: (of) => [pairOf(of.company)], foreign: [200] },
  'POST /keys/:keyId': { bodies: (of) => [{ name: 'Renamed' }, { numbers: [of.number] }] },
  'POST /keys/:keyId/rotate': { bodies: () => [{ overlapHours: 1 }] },
  'POST /endpoints': {
    bodies: (of) =>
      [{ number: of.number }, { campaign: of.campaignId }].map((only) => ({ url: 'http://127.0.0.1:9/hook', ...only })),
  },
  'PATCH /endpoints/:endpointId': {
    bodies: (of) => [{ name: 'renamed' }, { number: of.number }, { campaign: of.campaignId }],
  },
  'POST /endpoints/:endpointId/rotate-secret': empty,
  'POST /endpoints/:endpointId/test': empty,
  'POST /endpoints/:endpointId/replay': { bodies: () => [{ since: '2020-01-01T00:00:00Z' }] },
  'POST /endpoints/:endpointId/disable': empty,
  'POST /endpoints/:endpointId/enable': empty,
  'POST /deliveries/:deliveryId/replay': empty,
  'POST /deliveries/:deliveryId/send-as-new': empty,
  'POST /events/trigger': { bodies: () => [{ type: 'message.received' }] },
  'POST /webhooks/verify': {
    bodies: (of) => [{ body: '{}', id: 'evt_1', timestamp: '1', signature: 'v1,x', endpointId: of.endpointId }],
  },
  'POST /opt-outs': {
    bodies: (of) =>
      [
        ...[{ number: of.number }, { campaign: of.campaignId }, { scope: `campaign:${of.campaignId}` }],
        ...[{ scope: `number:${of.number}` }],
      ].map((place) => ({ contact: '12025550104', reason, ...place })),
  },
  'POST /opt-outs/remove': {
    bodies: (of) =>
      [...[{ number: of.number }, { campaign: of.campaignId }, { scope: `campaign:${of.campaignId}` }]].map(
        (place) => ({ contact: '12025550103', reason, ...place }),
      ),
  },
  'POST /opt-outs/import': {
    bodies: (of) => [{ entries: [{ contact: '12025550105', number: of.number, reason }] }],
    foreign: [200],
  },
  'POST /media': { bodies: () => [tinyPng] },
  'POST /send': { bodies: (of) => [{ from: of.number, to: [sharedHandset], text: 'Hello there' }] },
  'POST /messages/:messageId/cancel': { ...empty, own: [200, 409] },
  'POST /messages/:messageId/release': { ...empty, own: [200, 409] },
  'POST /messages/:messageId/resend': { bodies: () => [{ way: 'same' }] },
  'POST /messages/bulk/preview': { bodies: (of) => [{ action: 'resend', q: `from:${of.number}` }], foreign: [200] },
  'POST /messages/bulk': {
    bodies: (of) => [{ action: 'resend', messageIds: [of.messageId], runId: of.requestId }],
    foreign: [200],
  },
  'POST /conversations/:number/:peer/here': { bodies: () => [{ here: true }] },
  'POST /canned-replies': { bodies: () => [{ title: 'Hours', text: 'Nine to five' }], foreign: [200] },
  'POST /canned-replies/:replyId': { bodies: () => [{ title: 'Hours', text: 'Nine to six' }], own: [404] },
  'DELETE /canned-replies/:replyId': { ...empty, own: [404] },
  'POST /contacts': { bodies: () => [{ contact: '12025550106', name: 'Somebody' }], foreign: [200] },
  'POST /contacts/remove': { bodies: () => [{ contact: '12025550107' }], foreign: [200] },
  'POST /contacts/import': {
    bodies: () => [{ entries: [{ contact: '12025550108', name: 'Anybody' }] }],
    foreign: [200],
  },
  'POST /conversations/:number/:peer': { bodies: (of) => [{ done: true }, { assignedTo: of.userId }] },
  'POST /sandbox/handsets/:number/reply': { bodies: (of) => [{ to: of.number, text: 'I am here' }] },
  'POST /sandbox/handsets/:number/behaviour': { bodies: () => [{ receipt: { outcome: 'DELIVRD' } }] },
  'POST /sandbox/faults': { bodies: () => [{ answerAfterMs: 1 }] },
  'POST /sandbox/demo': { ...empty, last: true },
  'DELETE /sandbox/demo': { ...empty, last: true },
  'POST /sandbox/webhooks/answer': { bodies: () => [{ status: 200 }] },
  'POST /accounts': record,
  'POST /accounts/:accountId': record,
  'POST /accounts/:accountId/owner': { bodies: () => [{ email: 'owner@elsewhere.example' }] },
  'POST /carriers': record,
  'POST /carriers/test': record,
  'POST /carriers/:carrierId': record,
  'POST /carriers/:carrierId/log': { bodies: () => [{ minutes: 0 }] },
  'POST /carriers/:carrierId/retry': { bodies: () => [{}], own: [200, 400, 409] },
  'POST /carriers/:carrierId/send-via': { bodies: () => [{}], own: [200, 400, 409] },
  'POST /carriers/:carrierId/pause': { bodies: () => [{ paused: false }] },
  'POST /routes/draft': { bodies: () => [{}], own: [400] },
  'POST /routes/impact': { bodies: () => [{}], own: [400] },
  'POST /routes/publish': { bodies: () => [{}], own: [400] },
  'POST /alerts/rules/:kind': record,
  'POST /alerts/silences': { bodies: (of) => [{ kind: 'budget', subject: of.company, minutes: 1 }] },
  'DELETE /alerts/silences/:silenceId': { ...empty, own: [404] },
  'POST /alerts/test-mail': { ...empty, own: [409] },
  'POST /unmatched/candidates': { bodies: () => [{}], own: [400] },
  'POST /unmatched/match': { bodies: () => [{}], own: [400] },
  'POST /routes/test': { bodies: (of) => [{ from: of.number, to: sharedHandset, kind: 'SMS' }] },
  'POST /sandbox/reset': empty,
  'POST /users/:userId/sessions/end': empty,
  'POST /keys/:keyId/revoke': empty,
  'DELETE /endpoints/:endpointId': empty,
  'DELETE /brands/:brandId/evidence/:evidenceId': empty,
  'DELETE /campaigns/:campaignId/evidence/:evidenceId': empty,
  'DELETE /users/invitations/:invitationId': empty,
  'DELETE /me/sessions/:sessionId': empty,
  'POST /company/erasures': { bodies: () => [{ number: sharedHandset }], last: true },
  'DELETE /me/sessions': { ...empty, last: true },
  'POST /sign-out': { ...empty, last: true },
};

/** Routes for operators only, who see every company. */
export const forOperators = (route: Route): boolean =>
  /^\w+ \/(?:accounts|alerts|backups|carriers|carrier-history|clock|health|routes|unmatched)(?:\/|$)|^POST \/campaigns\/:campaignId\/(?:outcome|evidence)$|^DELETE \/campaigns\/:campaignId\/evidence\//.test(
    nameOf(route),
  );

/** Other routes on which operators see every company. */
export const operatorsSeeToo: readonly string[] = [
  ...['GET /campaigns/:campaignId', 'GET /campaigns/:campaignId/evidence/:evidenceId'],
  'POST /campaigns/:campaignId/check',
];

/** Routes for visitors: without a signed-in user no company's things can appear. */
export const forAnybody: readonly string[] = [
  ...['GET /setup-state', 'POST /setup', 'POST /setup/look', 'POST /invitation', 'POST /invitation/look'],
  ...['POST /sign-in', 'POST /sign-in/totp'],
  ...['POST /sign-in/sso/begin', 'POST /sign-in/sso/finish'],
  ...['POST /sign-in/passkey', 'POST /sign-in/passkey/begin'],
  ...['POST /password-reset', 'POST /password-reset/look', 'POST /password-reset/finish'],
];

/** The name of a route in the tables above; a route of the API has the name of the portal route that mirrors it. */
export function nameOf(route: Route): string {
  return `${route.method} ${pathOf(route)}`;
}

function pathOf({ url }: Route): string {
  return url === '/SendSMS' ? '/send' : url.replace(/^\/api\/(?:portal\/)?v1/, '');
}

export function isPortal({ url }: Route): boolean {
  return url.startsWith(`${portalBase}/`);
}

/** The path with this company's things in it. */
export function urlFor(route: Route, of: Things): string {
  const { url } = route;
  const path = url.replaceAll(/:(\w+)/g, (whole, name: string) => encodeURIComponent(inPath[name]?.(of, url) ?? whole));
  return `${path}${neededQuery[nameOf(route)]?.(of) ?? ''}`;
}
