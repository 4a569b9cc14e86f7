/**
 * API keys in a real browser: make a pair, see it once, send with it, rotate and revoke it; and the diagnosis of wrong
 * tokens.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('API keys', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });

  const path = '/settings/company/api-keys';

  /** The text of the block whose button copies this. */
  const block = (what: string): Promise<string> =>
    portal.page
      .getByRole('dialog')
      .or(portal.page.getByRole('alertdialog'))
      .locator('div', { has: portal.page.getByRole('button', { name: `Copy ${what}`, exact: true }) })
      .last()
      .locator('pre')
      .innerText();

  async function call(tokens: { bearer: string; auth: string }): Promise<string> {
    const answer = await fetch(`${portal.url}/SendSMS?apikey=${tokens.auth}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '12025550199', to: ['12025550100'], text: 'With the new pair' }),
    });
    return ((await answer.json()) as { reason: string }).reason;
  }

  it('makes a pair, shows both tokens once, and asks before they are lost', async () => {
    const { page, go } = portal;
    await go(path);
    await page.getByRole('button', { name: 'Create key pair' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key pair' });
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByText('Write a name of 1 to 100 characters.').first().waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Billing service');
    await dialog.getByLabel('Daily cap').fill('2');
    await portal.screenshot('keys-create');
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    const sheet = page.getByRole('alertdialog', { name: 'Your new key pair' });
    await sheet.waitFor();
    const tokens = { bearer: await block('Bearer Token'), auth: await block('Auth Token') };
    expect(tokens.bearer).toMatch(/^bt_sbx_/);
    expect(tokens.auth).toMatch(/^at_sbx_/);
    expect(await sheet.innerText()).toContain(`HELIO_BEARER_TOKEN=${tokens.bearer}`);
    await portal.screenshot('keys-made');
    const confirmation = page.getByRole('alertdialog', { name: 'Close without both tokens?' });
    const stay = confirmation.getByRole('button', { name: 'Keep it open' });
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => sheet.getByRole('button', { name: 'Close' }).click(),
      () => sheet.getByRole('button', { name: 'Done' }).click(),
    ]) {
      await leave();
      await confirmation.getByText('You have not copied both tokens.', { exact: false }).waitFor();
      expect(await stay.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
      const box = await stay.boundingBox();
      expect([box!.y > 0, box!.y + box!.height < 800]).toEqual([true, true]);
      await portal.screenshot('keys-leaving');
      await stay.click();
      await confirmation.waitFor({ state: 'detached' });
    }
    await sheet.getByRole('button', { name: 'Done' }).click();
    await confirmation.getByRole('button', { name: 'Close without copying' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(tokens.bearer);

    expect(await call(tokens)).toBe('SUCCESS');
    await go(path);
    const row = page.getByRole('row', { name: /Billing service/ });
    await row.getByText('POST /SendSMS').waitFor();
    expect(await row.innerText()).toContain(tokens.bearer.slice(-4));
    await portal.screenshot('keys-list');

    await row.getByRole('button', { name: 'Actions for Billing service' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
    await sheet.waitFor();
    const newer = { bearer: await block('Bearer Token'), auth: await block('Auth Token') };
    expect(newer.bearer).not.toBe(tokens.bearer);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await confirmation.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByText('rotated', { exact: true }).waitFor();
    expect(await call(newer)).toBe('SUCCESS');
    for (const one of [newer, tokens]) expect(await call(one)).toBe('SPEND_LIMIT_REACHED');
    await portal.screenshot('keys-rotated');

    await page.getByLabel('Bearer Token', { exact: true }).fill(tokens.auth);
    await page.getByLabel('Auth Token', { exact: true }).fill(tokens.bearer);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('They are swapped', { exact: false }).waitFor();
    await page.getByLabel('Bearer Token', { exact: true }).fill(newer.bearer);
    await page.getByLabel('Auth Token', { exact: true }).fill(newer.auth);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('They work', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Actions for Billing service' }).first().click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key pair' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expect.poll(() => call(newer)).toBe('NOT_AUTHORIZED');
    await page.getByText('Show revoked and expired').click();
    await page.getByRole('row', { name: /Revoked/ }).waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('that an IP list keeps out say so on their page, in the list and where they are tried', async () => {
    const { page, go } = portal;
    await go(path);
    await page.getByRole('button', { name: 'Create key pair' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create a key pair' });
    await dialog.getByLabel('Name', { exact: true }).fill('Fenced');
    await dialog.getByLabel('Allowed IP addresses').fill('10.9.8.0/24');
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    const tokens = { bearer: await block('Bearer Token'), auth: await block('Auth Token') };
    const sheet = page.getByRole('alertdialog', { name: 'Your new key pair' });
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    expect(await call(tokens)).toBe('NOT_AUTHORIZED');
    // The request log is written about once a second.
    await expect
      .poll(
        async () => {
          await go(path);
          return page.getByRole('row', { name: /Fenced/ }).innerText();
        },
        { interval: 500 },
      )
      .toMatch(/never used\s+Last refused .* from 127\.0\.0\.1, not on the IP list/);
    await page.getByLabel('Bearer Token', { exact: true }).fill(tokens.bearer);
    await page.getByLabel('Auth Token', { exact: true }).fill(tokens.auth);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('They work from the addresses on the IP list').waitFor();
    await page.getByText('only 10.9.8.0/24', { exact: false }).waitFor();
    await wideAndNarrow(portal, 'keys-fenced');
    await page.getByRole('link', { name: 'Fenced' }).click();
    await page.getByText('Last refused', { exact: true }).waitFor();
    await wideAndNarrow(portal, 'key-fenced');
    await page.getByRole('link', { name: 'Refused calls in the request log' }).click();
    await page.getByRole('table').getByText('NOT_AUTHORIZED').first().waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('are searched, exported, and each has a page with its audit entries', async () => {
    const { page, go } = portal;
    await go(path);
    await page.getByLabel('Search key pairs', { exact: false }).fill('no such pair');
    await page.getByText('No key pair fits').waitFor();
    await page.getByRole('button', { name: 'Show all, revoked and expired too' }).click();
    await page.getByLabel('Search key pairs', { exact: false }).fill('BILLING');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    expect(csv).toMatch(/^\uFEFFname,key_id,environment,status,bearer_token/);
    expect(csv.trim().split('\r\n')).toHaveLength(3);
    expect(csv).not.toMatch(/bt_sbx_[A-Za-z0-9_-]{30}/);
    await wideAndNarrow(portal, 'keys-search');

    await page
      .getByRole('row', { name: /rotated/ })
      .getByRole('link', { name: 'Billing service' })
      .click();
    await page.getByRole('heading', { name: 'Billing service', level: 1 }).waitFor();
    await page.getByText('Replaced by', { exact: true }).waitFor();
    await wideAndNarrow(portal, 'key');
    await page.getByRole('tab', { name: 'Activity' }).click();
    const rotated = page.getByRole('row', { name: /Rotated an API key/ });
    await rotated.getByRole('button').first().click();
    await page.getByRole('tabpanel').getByText('Replaced by', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Created an API key/ }).waitFor();
    await wideAndNarrow(portal, 'key-activity');
    expect(page.url()).toContain('tab=activity');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Billing service' }).click();
    await page.getByText('Made to replace').waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await go(`${path}/key_of_nobody`);
    await page.getByText('There is no such key pair here').waitFor();
    expect(portal.problems).toEqual([]);
  });
});
