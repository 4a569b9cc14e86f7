/** The media of a sent message over HTTP: which of them, and for whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { medium, mmsItem, queuedMedia } from '../../store/contract/media-fixture.ts';
import { messageMediaRoutes } from './message-media-routes.ts';

let world: PortalWorld;
let messageId: string;
const photo = medium('photo', { type: 'image/jpeg' });
const card = medium('card', { type: 'text/vcard' });
const small = medium('small', { type: 'image/jpeg' });
const lost = medium('lost');

beforeAll(async () => {
  const bytes = new Map([photo, card, small].map(({ hash }) => [hash, Buffer.from(`bytes of ${hash}`)]));
  world = await openPortalWorld({
    modules: ({ store }) => [messageMediaRoutes({ store, media: { read: async (hash) => bytes.get(hash) ?? null } })],
  });
  const item = mmsItem(t0, { accountId: 'acc_one' });
  await world.store.accept([item]);
  const fitted = [{ budgetBytes: 300_000, media: [small, card, lost] }];
  await world.store.prepareMedia([queuedMedia(item, t0, { original: [photo, card, lost], fitted })]);
  messageId = item.deliveries[0]!.messageId;
});
afterAll(() => world.close());

const getMedia = async (path: string, ...who: Parameters<PortalWorld['as']>) =>
  (await world.as(...who)).call('GET', `/messages/${messageId}/media/${path}`);

describe('media of a sent message', () => {
  it.each([
    ['0/original', photo, 'image/jpeg', 'inline'],
    ['0/300000', small, 'image/jpeg', 'inline'],
    ['1/original', card, 'text/vcard; charset=utf-8', 'attachment'],
  ])('%s', async (path, { hash }, type, disposition) => {
    const answer = await getMedia(path, 'Support');
    expect([answer.status, answer.text]).toEqual([200, `bytes of ${hash}`]);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-disposition': disposition,
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each(['3/original', '-1/original', '0/299999', '0/0', '0/-1', '0/x', 'x/original', '2/original'])(
    '%s is not there',
    async (path) => {
      expect((await getMedia(path, 'Owner')).status).toBe(404);
    },
  );

  it('are for those who may read texts, and for no other company', async () => {
    expect((await getMedia('0/original', 'Viewer')).status).toBe(403);
    expect((await getMedia('0/original', 'Owner', 'acc_two')).status).toBe(404);
    expect((await world.browser().call('GET', `/messages/${messageId}/media/0/original`)).status).toBe(401);
  });
});
