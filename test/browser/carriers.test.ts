/**
 * The operator's pages in a real browser: carriers live, paused, logged, added and tried;
 * companies made and suspended.
 */
import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

let portal: Portal;

/** Enrols a second factor for the signed-in user, by the same calls as the profile page makes. */
async function enrol(): Promise<void> {
  const call = async (path: string, init: object = {}) => {
    // biome-ignore lint/suspicious/noExplicitAny: any answer of the gateway
    type Answer = { success: boolean; data: any };
    const script = `fetch('/api/portal/v1${path}', ${JSON.stringify(init)}).then((answer) => answer.json())`;
    return portal.page.evaluate<Answer>(script);
  };
  const { csrf } = (await call('/me')).data;
  const post = (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-helio-csrf': csrf };
    return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const { secret } = (await post('/me/totp/begin', {})).data;
  const done = await post('/me/totp/finish', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  expect(done.success).toBe(true);
}

describe.skipIf(noBrowser)('the operator pages', () => {
  beforeAll(async () => {
    portal = await openPortal();
  });

  it('show the simulated carrier live; pause it, and texts wait', async () => {
    const { page, go, sandbox } = portal;
    await go('/carriers?tab=links');
    const card = page.getByRole('article', { name: 'Simulated carrier', exact: true });
    await card.getByText('Up', { exact: true }).waitFor();
    await wideAndNarrow(portal, 'carriers');
    await card.getByRole('button', { name: 'Pause sending' }).click();
    const confirmation = page.getByRole('alertdialog');
    await portal.screenshot('carriers-pause');
    await confirmation.getByRole('button', { name: 'Pause sending' }).click();
    await card.getByText('Paused', { exact: true }).waitFor();
    const messageId = await sandbox.text('12025550100', 'Waits for a person');
    await card.getByText('1 message waits', { exact: false }).waitFor();
    await card.getByRole('button', { name: 'Send via backup' }).click();
    await confirmation.getByText('No other carrier may take what waits').waitFor();
    await wideAndNarrow(portal, 'carriers-backup');
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Resume sending' }).click();
    await sandbox.until(messageId, ['delivered']);
    await card.getByText('Up', { exact: true }).waitFor();
  });

  it('count what carriers refused', async () => {
    const { page, go, sandbox } = portal;
    await sandbox.until(await sandbox.text('12025550111', 'Cannot be reached'), ['undelivered']);
    await go('/carriers?tab=errors');
    await page.getByRole('cell', { name: 'UNREACHABLE' }).waitFor();
    await wideAndNarrow(portal, 'carriers-errors');
  });

  it('log PDUs for some minutes, without texts', async () => {
    const { page, go, sandbox } = portal;
    await go('/carriers?tab=log');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The log is on until').waitFor();
    await sandbox.until(await sandbox.text('12025550100', 'Nobody reads this'), ['delivered']);
    await page.getByRole('cell', { name: /submit_sm #/ }).waitFor();
    await page
      .getByRole('cell', { name: /deliver_sm #/ })
      .first()
      .waitFor();
    expect(await page.locator('main').innerText()).not.toContain('Nobody reads');
    await wideAndNarrow(portal, 'carriers-log');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('The log is off', { exact: false }).waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('cell', { name: 'Logged a carrier’s PDUs', exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Unmatched receipts' }).click();
    await page.getByText('Every receipt of the last 24 hours found its message.').waitFor();
  });

  it('add a real carrier only with a second factor, and try it first', async () => {
    const { page, go } = portal;
    await go('/carriers?tab=links');
    await page.getByText('Two-factor sign-in is needed').first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'Add a carrier' });
    const fill = async () => {
      await page.getByRole('button', { name: 'Add carrier' }).click();
      await dialog.getByLabel('Id', { exact: true }).fill('telco-a');
      await dialog.getByLabel('Host', { exact: true }).fill('127.0.0.1');
      await dialog.getByLabel('Login name · system_id').fill('us');
      await dialog.getByLabel('Password', { exact: true }).fill('secret');
    };
    await fill();
    // The form is as wide as its dialog, and no choice is cut off.
    const form = await dialog.locator('form').evaluate((one) => [one.clientWidth, one.parentElement!.clientWidth - 32]);
    expect(form[0]).toBe(form[1]);
    const binding = dialog.getByText('One connection for both ways · transceiver', { exact: true }).last();
    expect(await binding.evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('needs two-factor sign-in', { exact: false }).waitFor();
    await enrol();
    await go('/carriers?tab=links');
    await fill();
    await dialog.getByLabel('Port', { exact: true }).fill('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Write a whole number from 1 to 65535', { exact: false }).first().waitFor();
    await dialog.getByLabel('Port', { exact: true }).fill('1');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByText('It does not work yet. No message was sent.').waitFor();
    await dialog.getByText('ECONNREFUSED', { exact: false }).waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await wideAndNarrow(portal, 'carriers-add');
    await dialog.getByText('Switched on', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article', { name: 'telco-a' }).getByText('Disabled').waitFor();
    await page.getByRole('article', { name: 'telco-a' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Identity' }).waitFor();
    await page.getByText('set', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('secret"');
    await wideAndNarrow(portal, 'carrier');
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit telco-a' });
    await edit.getByLabel('Requests without an answer · window').fill('25');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('25', { exact: true }).waitFor();
    // Somebody else saves meanwhile: the form scrolls to both versions.
    await page.getByRole('button', { name: 'Edit' }).click();
    await edit.getByLabel('Requests without an answer · window').fill('27');
    const second = await portal.context.newPage();
    await second.goto('/carriers/telco-a');
    await second.getByRole('button', { name: 'Edit' }).click();
    await second.getByLabel('Requests without an answer · window').fill('26');
    await second.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await second.getByText('26', { exact: true }).waitFor();
    await second.close();
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByRole('button', { name: 'Save over it' }).waitFor();
    const seen = `(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      return document.activeElement.querySelector('table') !== null && top >= 0 && bottom <= innerHeight;
    })()`;
    await expect.poll(() => page.evaluate<boolean>(seen)).toBe(true);
    await edit.getByRole('button', { name: 'Cancel' }).click();
    // The page shows the record that the other page saved.
    await page.getByText('26', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('It is down. Nothing listens at its address and port.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Try now' }).click();
    await wideAndNarrow(portal, 'carrier-down');
    await go('/carriers?tab=changes');
    await page.getByRole('cell', { name: 'Tried a carrier’s link at once', exact: true }).waitFor();
  });

  it('make a company, invite its Owner, suspend it', async () => {
    const { page, go } = portal;
    await go('/accounts');
    await wideAndNarrow(portal, 'accounts');
    await page.getByRole('button', { name: 'Add company' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a company' });
    await dialog.getByLabel('Name', { exact: true }).fill('Second Company');
    await dialog.getByRole('button', { name: 'Add a price' }).click();
    await dialog.getByLabel('From day (UTC)').fill('2026-01-01');
    await dialog.getByLabel('SMS per segment').fill('0.0075');
    await dialog.getByLabel('MMS per message').fill('0.02');
    expect(await faultsWithin(portal)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Second Company' }).waitFor();
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByRole('button', { name: 'Make invitation' }).click();
    await page.getByText('/invitation#k=', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend company' }).click();
    await page.getByText('Suspended', { exact: true }).waitFor();
    await wideAndNarrow(portal, 'account');
    await go('/accounts');
    await page.getByLabel('Search by name or id').fill('second');
    await page.getByText('1 of 2 companies').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toMatch(/\r\nSecond Company,acc_\w+,suspended,0,/);
    await page.getByLabel('Search by name or id').fill('nobody');
    await page.getByText('No company fits this search.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('2 companies', { exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await go('/carriers?tab=links');
    await page.getByRole('article').first().waitFor();
    await portal.screenshot('carriers-dark');
    expect(portal.problems).toEqual([]);
  });
});
