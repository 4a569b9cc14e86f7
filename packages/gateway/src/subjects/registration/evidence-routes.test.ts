/**
 * Evidence of brands and campaigns, and the check of a brand's website: what is stored, who may upload it, who may
 * download it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../http/portal/portal-fixture.ts';
import { goodBrand, goodCampaign, openRegistrationWorld, type RegistrationWorld } from './registration-fixture.ts';

let world: RegistrationWorld;
let admin: Browser;
let operator: Browser;
beforeEach(async () => {
  world = await openRegistrationWorld();
  admin = await world.as('Admin');
  operator = await world.as('Owner');
});
afterEach(() => world.close());

const pdf = Buffer.from('%PDF-1.7\nletter');
const upload = (who: Browser, path: string, bytes: Buffer, type = 'application/pdf') =>
  who.call('POST', path, bytes, { headers: { 'content-type': type } });

async function brandPath(form: object = {}): Promise<string> {
  const { brandId } = (await admin.call('POST', '/brands', { ...goodBrand, ...form })).json.data;
  return `/brands/${brandId}`;
}

async function submitted(): Promise<string> {
  const brandId = (await brandPath()).split('/')[2];
  const { campaignId } = (await admin.call('POST', '/campaigns', { ...goodCampaign, brandId })).json.data;
  await admin.call('POST', `/campaigns/${campaignId}/submit`);
  return `/campaigns/${campaignId}`;
}

describe('evidence of a brand', () => {
  it('is kept beside it, given back as it was, and makes no form stale', async () => {
    const path = await brandPath();
    const { version } = (await admin.call('GET', path)).json.data;
    const added = await upload(admin, `${path}/evidence?fileName=CP%20575.PDF`, pdf);
    expect(added.status).toBe(200);
    const [one] = added.json.data.evidence;
    expect(one).toEqual({
      evidenceId: expect.stringMatching(/^evd_/),
      fileName: 'CP 575.pdf',
      type: 'application/pdf',
      sizeBytes: pdf.length,
      at: expect.any(String),
      who: expect.stringContaining('Admin'),
    });
    const file = await (await world.as('Viewer')).call('GET', `${path}/evidence/${one.evidenceId}`);
    expect([file.status, file.text]).toEqual([200, pdf.toString()]);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment; filename="CP 575.pdf"',
    });
    expect((await admin.call('POST', path, { city: 'Dallas', version })).status).toBe(200);
    expect((await admin.call('GET', path)).json.data.evidence).toHaveLength(1);
    const {
      entries: [note],
    } = await world.store.audit({
      accountId: 'acc_one',
      before: null,
      limit: 5,
      userId: null,
      what: 'brand.evidence',
    } as never);
    expect(note).toMatchObject({ what: 'brand.evidence' });
  });

  it.each([
    ['a program', Buffer.from('MZ\0\0'), 'application/pdf', 'UNSUPPORTED_CONTENT_TYPE'],
    ['a page', Buffer.from('<script>alert(1)</script>\0'), 'text/html', 'UNSUPPORTED_CONTENT_TYPE'],
    ['nothing', Buffer.alloc(0), 'application/pdf', 'UNSUPPORTED_CONTENT_TYPE'],
    ['more than 5 MB', Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]), 'application/pdf', 'BODY_TOO_LARGE'],
  ])('is not %s', async (_, bytes, type, reason) => {
    const path = await brandPath();
    expect((await upload(admin, `${path}/evidence`, bytes, type)).json.reason).toBe(reason);
    expect((await admin.call('GET', path)).json.data.evidence).toEqual([]);
  });

  it('is nobody else’s, and needs the role for it', async () => {
    const path = await brandPath();
    const { evidence } = (await upload(admin, `${path}/evidence`, pdf)).json.data;
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', `${path}/evidence/${evidence[0].evidenceId}`)).status).toBe(404);
    expect((await upload(other, `${path}/evidence`, pdf)).status).toBe(404);
    expect((await upload(await world.as('Developer'), `${path}/evidence`, pdf)).status).toBe(403);
    expect((await admin.call('GET', `${path}/evidence/evd_none`)).status).toBe(404);
  });
});

describe('evidence that is removed', () => {
  const namesOf = async (path: string) =>
    (await admin.call('GET', path)).json.data.evidence.map(({ fileName }: { fileName: string }) => fileName);
  const notes = async () => (await operator.call('GET', '/audit?what=brand')).json.data.entries;

  it('takes its bytes with it, but not those that another brand names', async () => {
    const [one, two] = [await brandPath(), await brandPath({ legalName: 'Second LLC' })];
    const idOf = async (path: string, name: string, bytes: Buffer) =>
      (await upload(admin, `${path}/evidence?fileName=${name}`, bytes)).json.data.evidence.at(-1).evidenceId;
    const shared = await idOf(one, 'a.pdf', pdf);
    const own = await idOf(one, 'b.pdf', Buffer.from('%PDF-1.7\nother'));
    const twin = await idOf(two, 'c.pdf', pdf);
    expect(world.kept.size).toBe(2);
    expect((await admin.call('DELETE', `${one}/evidence/${own}`)).status).toBe(200);
    expect([await namesOf(one), world.kept.size]).toEqual([['a.pdf'], 1]);
    expect((await admin.call('DELETE', `${one}/evidence/${shared}`)).status).toBe(200);
    expect((await admin.call('GET', `${two}/evidence/${twin}`)).text).toBe(pdf.toString());
    expect((await admin.call('DELETE', `${two}/evidence/${twin}`)).status).toBe(200);
    expect(world.kept.size).toBe(0);
    const entries = await notes();
    expect(entries[0]).toMatchObject({
      what: 'brand.evidence_removed',
      before: { evidence: ['c.pdf'] },
      after: { evidence: [] },
    });
    expect(entries.find(({ after }: { after: object }) => JSON.stringify(after).includes('b.pdf'))).toMatchObject({
      what: 'brand.evidence',
      before: { evidence: ['a.pdf'] },
      after: { evidence: ['a.pdf', 'b.pdf'] },
    });
  });

  it('is not there twice, nor for others', async () => {
    const path = await brandPath();
    const { evidence } = (await upload(admin, `${path}/evidence`, pdf)).json.data;
    const file = `${path}/evidence/${evidence[0].evidenceId}`;
    expect((await (await world.as('Owner', 'acc_two')).call('DELETE', file)).status).toBe(404);
    expect((await (await world.as('Support')).call('DELETE', file)).status).toBe(403);
    expect(world.kept.size).toBe(1);
    expect((await admin.call('DELETE', file)).status).toBe(200);
    expect((await admin.call('DELETE', file)).status).toBe(404);
  });

  it('stays where an outcome names it', async () => {
    const path = await submitted();
    const add = async (text: string) =>
      (await upload(operator, `${path}/evidence`, Buffer.from(text))).json.data.evidence.at(-1).evidenceId;
    const [proof, other] = [await add('Approved.'), await add('Something else.')];
    await operator.call('POST', `${path}/outcome`, { status: 'approved', note: 'E-mail', evidence: [proof] });
    expect((await operator.call('DELETE', `${path}/evidence/${proof}`)).status).toBe(409);
    expect((await admin.call('DELETE', `${path}/evidence/${other}`)).status).toBe(403);
    expect((await operator.call('DELETE', `${path}/evidence/${other}`)).status).toBe(200);
    expect(world.kept.size).toBe(1);
  });
});

describe('evidence of an outcome', () => {
  it('is brought by the operator, named by the outcome, and read by the company', async () => {
    const path = await submitted();
    expect((await upload(admin, `${path}/evidence`, pdf)).status).toBe(403);
    const mail = Buffer.from('From: registry\n\nApproved.\n');
    const { evidence } = (await upload(operator, `${path}/evidence?fileName=mail.eml`, mail, 'message/rfc822')).json
      .data;
    const [{ evidenceId, fileName }] = evidence;
    expect(fileName).toBe('mail.txt');
    const outcome = { status: 'approved', note: 'E-mail' };
    const wrong = await operator.call('POST', `${path}/outcome`, { ...outcome, evidence: ['evd_other'] });
    expect(wrong.json.fields.evidence).toBeDefined();
    const done = await operator.call('POST', `${path}/outcome`, { ...outcome, evidence: [evidenceId] });
    expect(done.json.data.history.at(-1)).toMatchObject({ status: 'approved', evidence: [evidenceId] });
    expect((await admin.call('GET', `${path}/evidence/${evidenceId}`)).text).toBe(mail.toString());
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', `${path}/evidence/${evidenceId}`)).status).toBe(404);
  });
});

describe('the website of a brand', () => {
  it.each([
    ['https://peartree.example', true, 'It answers (200).'],
    ['https://private.example', false, 'not a public web address'],
    ['https://nowhere.example', false, 'not known to the DNS'],
  ])('%s is looked at and written down', async (website, ok, words) => {
    const path = await brandPath({ website });
    const { websiteCheck } = (await admin.call('POST', `${path}/website`)).json.data;
    expect(websiteCheck).toMatchObject({ url: website, ok, sentence: expect.stringContaining(words) });
  });

  it('is required when it is missing; others may not', async () => {
    const path = await brandPath({ website: '' });
    expect((await admin.call('POST', `${path}/website`)).json.fields.website).toBeDefined();
    expect((await (await world.as('Owner', 'acc_two')).call('POST', `${path}/website`)).status).toBe(404);
    expect((await (await world.as('Viewer')).call('POST', `${path}/website`)).status).toBe(403);
  });
});
