/**
 * What the pages of carriers show in a real browser: signs of life, receipts, certificates, octets; and rules for a
 * campaign or a time of the week, drafted and dragged.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../../packages/smpp/src/index.ts';
import { certificateKey, expiredCertificate } from '../../packages/smpp/src/tls-samples.ts';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

let portal: Portal;
let smsc: ReturnType<typeof createServer>;

describe.skipIf(noBrowser)('the links of carriers', () => {
  beforeAll(async () => {
    const tls = { cert: expiredCertificate, key: certificateKey };
    smsc = createServer({ system_id: 'smsc', tls }, { authenticate: () => 0, onRequest: () => {} });
    const { port } = await smsc.listen(0);
    const carrier = { id: 'telco-tls', host: '127.0.0.1', port, system_id: 'us', password: 'unseen', tls: true };
    portal = await openPortal({ records: { carriers: [{ ...carrier, tlsVerify: false }] } });
  });
  afterAll(() => smsc?.close());

  it('show signs of life, and a certificate that has ended', async () => {
    const { page, go } = portal;
    await go('/carriers?tab=links');
    const card = page.getByRole('article', { name: 'telco-tls' });
    await card.getByText('Up', { exact: true }).waitFor();
    await card.getByText(/#1 bound .*(heard from|enquire_link)/).waitFor();
    await card.getByText('The certificate of the carrier has expired').waitFor();
    await wideAndNarrow(portal, 'links-cards');
    await card.getByRole('link').click();
    await page.getByRole('heading', { name: 'Certificate it shows' }).waitFor();
    await page.getByText('It has expired', { exact: true }).waitFor();
    await page.getByText('CN=Heliograph test CA').waitFor();
    await page.getByText('DNS:smsc.example').waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'links-certificate');
  });

  it('show PDUs octet by octet, without texts', async () => {
    const { page, go, sandbox } = portal;
    // An unknown tab in the address shows the first tab.
    await go('/carriers/sim-carrier?tab=gone');
    await page.getByRole('tab', { name: 'Links', selected: true }).waitFor();
    await go('/carriers/sim-carrier?tab=log');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The log is on until').waitFor();
    await sandbox.until(await sandbox.text('12025550100', 'Nobody reads this'), ['delivered']);
    const one = page.locator('details').filter({ hasText: 'of submit_sm,' }).first();
    await one.locator('summary').click();
    const octets = await one.locator('pre').innerText();
    expect(octets).toMatch(/00 00 00 04/);
    expect(octets).toMatch(/xx xx xx/);
    expect(octets).not.toContain(Buffer.from('Nobody').toString('hex').match(/../g)!.join(' '));
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'links-octets');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('cell', { name: 'Logged a carrier’s PDUs', exact: true }).waitFor();
    await page.getByText('Nobody has published a change of such a rule yet.').waitFor();
  });

  it('have rules by campaign and by time, which are dragged into their order', async () => {
    const { page, go } = portal;
    await go('/routes');
    const dialog = page.getByRole('dialog');
    const draft = async (id: string, more: () => Promise<void>) => {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await dialog.getByLabel('Id', { exact: true }).fill(id);
      await dialog.getByRole('button', { name: 'Environment' }).click();
      await page.getByRole('option', { name: 'sandbox' }).click();
      await more();
      await dialog.getByRole('button', { name: 'Carrier 1' }).click();
      await page.getByRole('option', { name: /sim-carrier/ }).click();
      await dialog.getByRole('button', { name: 'Put into the draft' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await draft('demo', async () => {
      await dialog.getByRole('button', { name: 'Only for this campaign' }).click();
      await page.getByRole('option', { name: /Sandbox demo/ }).click();
    });
    await draft('night', async () => {
      await dialog.getByText('Only at certain times').click();
      await dialog.getByText('Sat', { exact: true }).click();
      await dialog.getByLabel('From', { exact: true }).fill('22:00');
      await dialog.getByLabel('Until', { exact: true }).fill('6');
      await dialog.getByRole('button', { name: 'Put into the draft' }).click();
      await dialog.getByText('a time of day like "08:00"', { exact: false }).first().waitFor();
      expect(await faultsWithin(portal)).toEqual([]);
      await wideAndNarrow(portal, 'rules-hours');
      await dialog.getByLabel('Until', { exact: true }).fill('06:00');
    });
    await page.getByText('Mon–Sat 22:00–06:00 (next day)', { exact: true }).waitFor();
    await page.getByText('campaign SBX-DEMO', { exact: true }).waitFor();
    const names = async () => {
      const rows = page.getByRole('table', { name: 'Routes' }).getByRole('row');
      return (await rows.allInnerTexts()).map((text) => /^(demo|night)\b/.exec(text)?.[1]).filter((name) => name);
    };
    expect(await names()).toEqual(['demo', 'night']);
    const row = (id: string) => page.getByRole('table', { name: 'Routes' }).getByRole('row').filter({ hasText: id });
    const target = row('demo').first();
    await row('night')
      .first()
      .getByTitle(/^Drag a rule/)
      .dragTo(target, { targetPosition: { x: 20, y: 4 } });
    await page.getByText(/^night is rule 2 of/).waitFor({ state: 'attached' });
    expect(await names()).toEqual(['night', 'demo']);
    await page.getByRole('button', { name: 'Move demo up' }).click();
    await page.getByText(/^demo is rule 2 of/).waitFor({ state: 'attached' });
    // A rule that is first has no button to move up, so the focus goes to its other button.
    expect(await page.evaluate<string>('document.activeElement.getAttribute("aria-label")')).toBe('Move demo down');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'rules-drag');
    await page.getByRole('button', { name: 'See what would change' }).click();
    // The rules apply to MMS too, and this carrier takes none.
    await dialog.getByText('Publish it so', { exact: false }).click();
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
  });

  it('are shown by the tester for any time of the week, and a carrier’s changes list its rules', async () => {
    const { page, go, sandbox } = portal;
    await go('/routes?tab=tester');
    await page.getByLabel('From', { exact: true }).fill(sandbox.from);
    await page.getByLabel('To', { exact: true }).fill('12025550100');
    await page.getByRole('button', { name: 'Day' }).click();
    await page.getByRole('option', { name: 'Sun' }).click();
    await page.getByLabel('Time of day').fill('5:59');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Give a day (mon to sun)', { exact: false }).first().waitFor();
    await page.getByLabel('Time of day').fill('06:00');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Looked at as campaign SBX-DEMO, Sun 06:00 in UTC.').waitFor();
    await page.getByRole('cell', { name: 'other time: only Mon–Sat 22:00–06:00 (next day)' }).waitFor();
    await wideAndNarrow(portal, 'rules-tester-time');
    await go('/carriers/sim-carrier?tab=changes');
    await page.getByRole('cell', { name: 'Published routing rules', exact: true }).waitFor();
    await go('/carriers?tab=changes');
    await page.getByRole('cell', { name: 'Published routing rules', exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await go('/carriers/telco-tls');
    await page.getByText('It has expired', { exact: true }).waitFor();
    await wideAndNarrow(portal, 'links-dark');
    expect(portal.problems).toEqual([]);
  });
});
