/** For portal-isolation.test.ts: a company with something in every area of the portal, all marked with its name. */
import { setTimeout as wait } from 'node:timers/promises';
import { tinyPng } from '../../packages/gateway/src/carriers/carrier-fixture.ts';
import type { Role } from '../../packages/gateway/src/model/roles.ts';
import { type Asker, emailOf, must, pairOf, portalBase, type World } from './isolation-world.ts';

/** The handset that both companies text. */
export const sharedHandset = '12025550100';

/** One thing of each kind; the requests of the routes name them. */
export interface Things {
  company: string;
  number: string;
  /** Free for its own company, refused to the other company. */
  numberToAdd: string;
  campaignId: string;
  draftId: string;
  brandId: string;
  /** Evidence files of the brand and of the draft. */
  brandFileId: string;
  draftFileId: string;
  keyId: string;
  endpointId: string;
  deliveryId: string;
  messageId: string;
  /** A sent message with a picture. */
  pictureId: string;
  inboundId: string;
  requestId: string;
  handsetTextId: string;
  handsetMediaId: string;
  wireId: string;
  eventId: string;
  userId: string;
  invitationId: string;
  /** Another session of its Owner. */
  sessionId: string;
  auditPosition: string;
  companyVersion: string;
}

export const numbersOf = (company: string): [string, string] =>
  company === 'amber' ? ['12025550151', '12025550152'] : ['12025550161', '12025550162'];

/** The company's part of the records file. */
export const recordsOf = (company: string): Record<string, object[]> => {
  const here = { account: company, environment: 'sandbox' };
  const [number, spare] = numbersOf(company);
  return {
    accounts: [{ id: company, name: `${company} works`, supportContact: `help@${company}.example` }],
    campaigns: [
      { id: `${company}-campaign`, ...here, name: `${company} news`, status: 'approved' },
      // Appears in the operators' list of campaigns to review.
      { id: `${company}-waiting`, ...here, name: `${company} offers`, status: 'in_review' },
    ],
    numbers: [
      { number, ...here, mmsEnabled: true, campaign: `${company}-campaign` },
      { number: spare, ...here, mmsEnabled: false },
    ],
    keys: [
      {
        id: `${company}-key`,
        ...here,
        name: `${company} program`,
        scopes: ['send', 'read', 'admin'],
        requestsPerSecond: 0,
        ...pairOf(company),
      },
    ],
  };
};

export async function until<T>(look: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what} did not happen in time`);
    await wait(50);
  }
}

/** Fills the company through its users; resolves when none of its work is under way. */
export async function fill(world: World, company: string, people: Record<Role, Asker>): Promise<Things> {
  const { Owner, Viewer } = people;
  const post = async (path: string, body?: unknown) =>
    (await must(Owner.call('POST', `${portalBase}${path}`, body))).json.data;
  const get = async (path: string) => (await must(Owner.call('GET', `${portalBase}${path}`))).json.data;
  const [number, spare] = numbersOf(company);

  const { brandId } = await post('/brands', { legalName: `${company} Ltd`, displayName: company, city: company });
  const file = `evidence?fileName=${company}.png`;
  const brand = await post(`/brands/${brandId}/${file}`, tinyPng);
  const { campaignId: draftId } = await post('/campaigns', { name: `${company} draft`, brandId });
  const draft = await must(world.operator.call('POST', `${portalBase}/campaigns/${draftId}/${file}`, tinyPng));
  const { keyId } = await post('/keys', { name: `${company} pair`, environment: 'sandbox', scopes: ['read'] });
  const header = { name: 'x-company', value: company };
  const { endpointId } = await post('/endpoints', { url: `${world.sink}/${company}`, name: `${company} hook`, header });
  await post('/canned-replies', { title: company, text: `${company} answers` });
  await post('/contacts', { contact: '12025550103', name: `${company} contact` });
  await post('/opt-outs', { contact: '12025550103', number, reason: `${company} was told so` });
  await post('/sandbox/handsets/12025550102/behaviour', { inbox: 'full' });
  const { invitationId } = await post('/users/invitations', { email: `guest@${company}.example`, role: 'Viewer' });
  await post('/company/erasures', { number: '12025550177' });

  const { url } = await post(`/media?fileName=${company}.png`, tinyPng);
  const sent = await must(
    Owner.call('POST', `${portalBase}/send`, {
      from: number,
      text: `${company} hello`,
      // The second recipient opted out, so it is refused.
      to: [sharedHandset, '12025550103'],
    }),
  );
  const { messageId } = sent.json.schema.resultResponses[0];
  const picture = { from: number, to: [sharedHandset], text: `${company} picture`, mediaUrls: [url] };
  const pictureSent = await must(Owner.call('POST', `${portalBase}/send`, picture));
  const { messageId: pictureId } = pictureSent.json.schema.resultResponses[0];
  const refused = { from: number, to: ['12025550102'], text: `${company} refused` };
  await must(Owner.call('POST', `${portalBase}/send`, refused));
  await post(`/sandbox/handsets/${sharedHandset}/reply`, { to: number, text: `${company} answer` });
  await must(world.program(pairOf(company)).call('GET', '/api/v1/messages'));

  const handset = await until(async () => {
    const texts = await get(`/sandbox/handsets/${sharedHandset}/messages`);
    return texts.some((one: { media: unknown[] }) => one.media.length > 0) && texts;
  }, 'the picture on the handset');
  const [{ messageId: inboundId }] = await until(async () => {
    const { messages } = await get('/messages?q=direction:in');
    return messages.length > 0 && messages;
  }, 'the answer of the handset');
  const [{ deliveryId }] = await until(async () => {
    const list = await get(`/deliveries?state=delivered&endpoint=${endpointId}`);
    return list.length > 0 && list;
  }, 'a webhook');
  const failing = await post('/endpoints', { url: `${world.sink}/fails/${company}`, name: `${company} failing` });
  await post('/events/trigger', { type: 'message.received' });
  await until(async () => world.webhooks.has(`/fails/${company}`), 'a webhook that fails');
  await post(`/endpoints/${failing.endpointId}/disable`);

  const another = await world.signIn(emailOf('Owner', company));
  const session = (await must(another.call('GET', `${portalBase}/me/sessions`))).json.data.find(
    (one: { current: boolean }) => one.current,
  );
  const viewer = (await must(Viewer.call('GET', `${portalBase}/me`))).json.data.user;
  const { message } = await get(`/messages/${messageId}/full`);
  const [event] = await get('/events');
  const entry = (await get('/sandbox/wire')).at(-1);
  const [audited] = (await get('/audit')).entries;
  const { version } = await get('/company');
  return {
    company,
    number,
    numberToAdd: company === 'amber' ? '12025550153' : spare,
    campaignId: `${company}-campaign`,
    draftId,
    brandId,
    keyId,
    endpointId,
    deliveryId,
    messageId,
    pictureId,
    inboundId,
    requestId: message.requestId,
    handsetTextId: handset[0].id,
    wireId: entry.id,
    eventId: event.id,
    userId: viewer.userId,
    invitationId,
    brandFileId: brand.evidence[0].evidenceId,
    draftFileId: draft.json.data.evidence[0].evidenceId,
    handsetMediaId: handset.find((one: { media: unknown[] }) => one.media.length > 0).media[0].mediaId,
    sessionId: session.sessionId,
    auditPosition: String(audited.position),
    companyVersion: version,
  };
}
