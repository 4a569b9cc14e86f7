import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { contactLimits } from '../../model/contact.ts';
import { account } from '../../model/world-fixture.ts';
import { readContactCsv } from './contact-file.ts';
import { contactRoutes } from './contact-routes.ts';
import type { ContactStore } from './store/module.ts';

const maria = '12025550100';
const changed: string[] = [];
let world: PortalWorld;

beforeAll(async () => {
  const live = { contactsChanged: (accountId: string) => void changed.push(accountId) };
  // The routes are created before the world exists.
  const store = new Proxy({} as ContactStore, { get: (_, name) => Reflect.get(world.store, name) });
  world = await openPortalWorld({ mirrored: [contactRoutes({ store, live })] });
});
afterAll(() => world.close());

const save = async (body: object, role: 'Support' | 'Viewer' = 'Support') =>
  (await world.as(role)).call('POST', '/contacts', body);
const list = async (query = '') => (await (await world.as('Support')).call('GET', `/contacts${query}`)).json;
const table = async (text: string) =>
  (await world.as('Support')).call('POST', '/contacts/import', Buffer.from(text), {
    headers: { 'content-type': 'text/csv' },
  });

describe('contacts', () => {
  it('are saved field by field, tidied, by people who may send', async () => {
    const tags = [' vip ', 'VIP', 'two\nlines', ''];
    const first = await save({ contact: '+1 (202) 555-0100', name: ' Maria \t Lopez ', tags });
    expect(first.json).toMatchObject({ data: { contact: maria, result: 'added' } });
    expect(changed).toEqual([account.accountId]);
    expect((await save({ contact: maria, note: 'calls\r\nback ' })).json.data.result).toBe('changed');
    expect((await list()).data).toMatchObject([
      { contact: maria, name: 'Maria Lopez', note: 'calls\nback', tags: ['vip', 'two lines'] },
    ]);
    expect((await save({ contact: maria, name: 'X' }, 'Viewer')).status).toBe(403);
  });

  it('are read by those who may read texts, of their company alone', async () => {
    const viewer = await world.as('Viewer');
    for (const path of ['/contacts', '/contacts/export']) expect((await viewer.call('GET', path)).status).toBe(403);
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', `/contacts?contact=${maria}`)).json.data).toEqual([]);
    expect((await other.call('POST', '/contacts/remove', { contact: maria })).json.data.removed).toBe(false);
    expect((await list(`?contact=${maria}`)).data).toHaveLength(1);
    expect((await list(`?q=${encodeURIComponent('LOPÉZ')}`)).data).toHaveLength(1);
    expect((await list('?q=nobody')).data).toEqual([]);
  });

  it('leave neither number nor name in the audit log', async () => {
    await save({ contact: maria, name: 'Maria Secreta' });
    const { entries } = await world.store.audit({
      ...{ accountId: account.accountId, before: null, userId: null, what: 'contact', limit: 1 },
    });
    expect(entries).toMatchObject([{ what: 'contact.saved', after: { fields: ['name'] } }]);
    expect(JSON.stringify(entries)).not.toMatch(/12025550100|Secreta/);
  });

  it.each([
    [{ contact: 'abc' }, /digits/],
    [{ contact: maria, name: 'x'.repeat(contactLimits.name + 1) }, /name/],
    [{ contact: maria, note: 'x'.repeat(contactLimits.note + 1) }, /note/],
    [{ contact: maria, tags: Array.from({ length: contactLimits.tags + 1 }, (_, n) => `t${n}`) }, /tags/],
    [{ contact: maria, tags: ['a;b'] }, /tag/],
    [{ contact: maria, note: 'a\0b' }, /invalid character/],
    [{ contact: maria, color: 'red' }, /color/],
    [{ name: 'Nobody' }, /contact/],
  ])('are refused as %j', async (body, sentence) => {
    const before = await list();
    const answer = await save(body);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toMatch(sentence);
    expect(await list()).toMatchObject({ data: before.data });
  });

  it('are refused in a list that nobody can read', async () => {
    for (const query of ['?after=x', '?limit=0', `?q=${'x'.repeat(101)}`, '?contact=+1']) {
      expect((await (await world.as('Support')).call('GET', `/contacts${query}`)).status, query).toBe(400);
    }
  });

  it('are imported entry by entry, and exported as they can be imported again', async () => {
    const text = 'Name,contact,tags,other\r\n"=SUM(1,2)",1 202 555 0102,a;b,x\r\nAnn,nope,,\r\nBo,12025550103,,\r\n';
    expect((await table(text)).json.data).toEqual({
      ...{ added: 2, changed: 0, unchanged: 0, refused: 1 },
      problems: [{ entry: 2, contact: 'nope', detail: expect.stringContaining('digits') }],
    });
    const support = await world.as('Support');
    const csv = (await support.call('GET', '/contacts/export')).text;
    expect(csv).toContain('12025550102,"\'=SUM(1,2)",,a;b\r\n');
    expect(readContactCsv(csv)).toContainEqual({
      ...{ contact: '12025550102', name: '=SUM(1,2)', note: '', tags: ['a', 'b'] },
    });
    expect((await table(csv)).json.data).toMatchObject({ added: 0, changed: 0, unchanged: 3, refused: 0 });
    const entries = [{ contact: '12025550103', name: 'Bob' }];
    expect((await support.call('POST', '/contacts/import', { entries })).json.data).toMatchObject({ changed: 1 });
    expect((await list('?limit=2')).next).toBe('12025550102');
    expect((await list('?limit=2&after=12025550102')).data).toMatchObject([{ name: 'Bob' }]);
    expect(await list('?limit=2&after=')).toEqual(await list('?limit=2'));
  });

  it.each([
    ['no more than numbers', 'contact\n1\n', /first line/],
    ['no numbers', 'name\nAnn\n', /first line/],
    ['two columns of a name', 'contact,name,name\n1,2,3\n', /same name/],
    ['a short line', 'contact,name\n1\n', /entry 1 has 1/],
    ['no lines', 'contact,name\n', /no entries/],
    ['too many lines', `contact,name\n${'1,a\n'.repeat(10_001)}`, /more than 10000/],
  ])('are not imported from a table with %s', async (_, text, sentence) => {
    const answer = await table(text);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toMatch(sentence);
  });

  it('go when they are removed, and when nothing of them is left', async () => {
    const support = await world.as('Support');
    expect((await support.call('POST', '/contacts/remove', { contact: '12025550102' })).json.data.removed).toBe(true);
    expect((await save({ contact: '12025550103', name: '' })).json.data.result).toBe('removed');
    expect((await list()).data).toMatchObject([{ contact: maria }]);
  });
});
