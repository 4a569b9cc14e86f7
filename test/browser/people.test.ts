/**
 * Usage, audit, settings and profile as people use them: each with its refusals, and with secrets that are shown only
 * once.
 */

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { administrator, noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

let portal: Portal;

/** RFC 6238 with the usual six digits, SHA-1 and 30 s. */
function totpNow(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const sum = createHmac('sha1', key).update(step).digest();
  return String((sum.readUInt32BE(sum[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A page whose session ended loads the sign-in page by itself, perhaps while `goto` is loading another. */
async function isLedToSignIn(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' }).catch(() => {});
  await page.waitForURL(/\/login/, { waitUntil: 'commit' });
}

describe.skipIf(noBrowser)('usage, audit, settings and profile', () => {
  beforeAll(async () => {
    portal = await openPortal();
    const messageId = await portal.sandbox.text('12025550100', 'Counted');
    await portal.sandbox.until(messageId, ['delivered']);
    // Usage is counted from the event log, up to a second late.
    await wait(1_500);
  });
  afterEach(() => expect(portal.problems).toEqual([]));

  it('shows what was used, by day and by number, as a chart and as a table', async () => {
    const { page } = portal;
    await portal.go('/usage');
    const chart = page.getByRole('slider', { name: /Messages by day/ });
    await chart.waitFor();
    await chart.focus();
    await page.keyboard.press('End');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 1 delivered, |: 0 delivered, 1 without/);
    await page.keyboard.press('Home');
    await portal.screenshot('usage');
    await page.getByRole('button', { name: 'View as table' }).click();
    await page.getByRole('table', { name: 'Usage by day' }).waitFor();
    await page.getByRole('table', { name: 'Usage by number' }).getByRole('link').first().waitFor();
    await page.getByRole('button', { name: /Table by/ }).click();
    await page.getByRole('option', { name: 'Country' }).click();
    await page.getByRole('table', { name: 'Usage by country' }).getByText('United States (US)').waitFor();
    expect(page.url()).toContain('by=country');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(/^\uFEFFfrom,to,number,/);
  });

  it('says so when there was no traffic, and where the last was', async () => {
    const { page } = portal;
    await portal.go('/usage?from=2024-01-01&to=2024-01-31');
    await page.getByText('No traffic in this period.').waitFor();
    await page.getByRole('button', { name: 'Show that month' }).click();
    await page.getByRole('slider', { name: /Messages by day/ }).waitFor();
    await page.goBack();
    await page.getByText('No traffic in this period.').waitFor();
  });

  it('saves the company at once, shows faults, and overwrites nobody’s change', async () => {
    const { page } = portal;
    await portal.go('/settings/company');
    await page.getByLabel('Countries that may be texted').fill('US, XX');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/No such country: XX/)
      .first()
      .waitFor();
    await page.getByLabel('Countries that may be texted').fill('us, ca, de');
    const other = await openBrowser(portal.sandbox);
    await other.go('/settings/company');
    await other.page.getByLabel('Support contact').fill('help@example.com');
    await other.page.getByRole('button', { name: 'Save', exact: true }).click();
    await other.page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody changed this meanwhile').waitFor();
    await portal.screenshot('company-conflict');
    await page.getByRole('button', { name: 'Load the current version' }).click();
    expect(await page.getByLabel('Support contact').inputValue()).toBe('help@example.com');
    await page.getByLabel('Countries that may be texted').fill('us, ca, de');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Countries that may be texted').inputValue()).toBe('US, CA, DE');
    await portal.screenshot('company');
    expect(other.problems).toEqual([]);
    await other.context.close();
  });

  it('invites somebody by a link that is shown once, changes their role, disables them', async () => {
    const { page } = portal;
    await portal.go('/settings/users');
    await page.getByText('Only you so far.').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await page.getByRole('dialog').locator('pre').innerText();
    await portal.screenshot('invitation-link');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Open invitations' }).getByText('grace@example.com').waitFor();
    expect(await page.content()).not.toContain('#k=');
    const grace = await openBrowser(portal.sandbox, { signedIn: false });
    await grace.page.goto(link.trim());
    await grace.page.getByLabel('Your name').fill('Grace Hopper');
    await grace.page.getByLabel('Password', { exact: true }).fill('nanoseconds of copper wire');
    await grace.page.getByRole('button', { name: 'Join' }).click();
    await grace.page.getByRole('link', { name: /Grace Hopper/ }).waitFor();
    await grace.go('/settings/users');
    await grace.page.getByText('Your role may look at this').waitFor();
    await portal.go('/settings/users');
    await portal.screenshot('users');
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Role/ }).click();
    await page.getByRole('option', { name: /Support/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page
      .getByRole('row', { name: /Grace Hopper/ })
      .getByText('Support')
      .waitFor();
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    await page
      .getByRole('row', { name: /Grace Hopper/ })
      .getByText('Disabled')
      .waitFor();
    await isLedToSignIn(grace.page, '/');
    expect(grace.problems).toEqual([]);
    await grace.context.close();
  });

  it('shows the portal as a role with less sees it, and back', async () => {
    const { page } = portal;
    await portal.go('/settings/users');
    await page.getByRole('button', { name: 'View as role' }).click();
    await page.getByRole('menuitem', { name: 'Viewer' }).click();
    await page.getByText('Seen as Viewer').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(await navigation.getByRole('link', { name: 'Carriers' }).count()).toBe(0);
    await portal.screenshot('view-as');
    const strip = page.getByRole('status').filter({ hasText: 'Seen as Viewer' });
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 });
      expect((await strip.boundingBox())!.height, `at ${width}`).toBeLessThan(60);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    // Every role may read the settings.
    await navigation.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Your role may look at this').first().waitFor();
    await portal.go('/audit');
    await page.getByText('Your role does not read the audit log').waitFor();
    await page.getByRole('button', { name: 'Be yourself again' }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await navigation.getByRole('link', { name: 'Audit log' }).waitFor();
    await portal.go('/audit');
    await page.getByText('Began to view as another role').waitFor();
  });

  it('shows in the audit log what changed, and that it is complete', async () => {
    const { page } = portal;
    await portal.go('/audit');
    await page.getByText(/^Unbroken since/).waitFor();
    await page.getByRole('button', { name: /What$/ }).click();
    await page.getByRole('option', { name: 'Company' }).click();
    await page
      .getByRole('button', { name: /Show what changed: Changed the company/ })
      .first()
      .click();
    await page.locator('ins').getByText('US, CA, DE').waitFor();
    await portal.screenshot('audit');
    await page.getByLabel('Search', { exact: true }).fill('nothing such');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('Nothing fits this filter.').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('HELP@example');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: /Show what changed: Changed the company/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Show what changed/ }).count()).toBe(1);
    expect(page.url()).toContain('what=company');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('company.changed');
  });

  it('asks before it deletes, and erases a number', async () => {
    const { page } = portal;
    await portal.go('/settings/retention');
    await page.getByLabel('Texts and pictures, days').fill('7');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alertdialog')
      .getByText(/texts older than 7 days/)
      .waitFor();
    await page.getByRole('button', { name: 'Delete what is older' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Telephone number').fill('12');
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click();
    await page
      .getByText(/Give a telephone number/)
      .first()
      .waitFor();
    await page.getByLabel('Telephone number').fill('+1 (202) 555-0177');
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('alertdialog').getByText('both directions').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click();
    const row = page.getByRole('table', { name: 'Erased numbers' }).getByRole('row', { name: /1202•••0177/ });
    await row.getByText('Done').waitFor();
    await portal.screenshot('retention');
  });

  it('sets up two-factor sign-in, and the next sign-in needs the code', async () => {
    const { page } = portal;
    await portal.go('/profile');
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = await page
      .locator('code')
      .filter({ hasText: /^[A-Z2-7]{16,}$/ })
      .innerText();
    await portal.screenshot('totp');
    await page.getByLabel('Six digits').fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Six digits').fill(totpNow(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Your recovery codes').waitFor();
    const codes = await page.locator('ul code').allInnerTexts();
    expect(codes).toHaveLength(10);
    await portal.screenshot('recovery-codes');
    const leaving = page.getByRole('alertdialog', { name: 'Leave without the recovery codes?' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
    await portal.screenshot('recovery-codes-leaving');
    await leaving.getByRole('button', { name: 'Stay here' }).click();
    await leaving.waitFor({ state: 'detached' });
    expect(page.url()).toContain('/profile');
    expect(await page.locator('ul code').allInnerTexts()).toEqual(codes);
    const prompt = page.waitForEvent('dialog');
    await Promise.all([prompt.then((dialog) => dialog.dismiss()), page.evaluate('location.reload()')]);
    expect((await prompt).type()).toBe('beforeunload');
    expect(await page.locator('ul code').allInnerTexts()).toEqual(codes);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(codes[9]);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    expect(await page.content()).not.toContain(codes[0]);
    const again = await openBrowser(portal.sandbox, { signedIn: false });
    await again.go('/login');
    await again.page.getByLabel('E-mail').fill(administrator.email);
    await again.page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await again.page.getByLabel('Code').fill(codes[0]!);
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await again.page.getByRole('link', { name: /^ada/ }).waitFor();
    await page.reload();
    await page.getByText('9 recovery codes left.').waitFor();
    const ends = page.getByRole('button', { name: /^End the session of/ });
    await ends.first().waitFor();
    const others = await ends.count();
    await ends.first().click();
    await expect.poll(() => ends.count()).toBe(others - 1);
    await isLedToSignIn(again.page, '/profile');
    await portal.screenshot('profile');
    await page.getByRole('button', { name: 'Turn off' }).click();
    const off = page.getByRole('alertdialog', { name: 'Turn the authenticator app off?' });
    await off.getByLabel('Code').fill('000000');
    await off.getByRole('button', { name: 'Turn off' }).click();
    await off.getByText('This code is wrong').first().waitFor();
    await portal.screenshot('two-factor-off');
    await off.getByLabel('Code').fill(codes[1]!);
    await off.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Off. Your password alone signs you in.').waitFor();
    await again.context.close();
  });

  it('turns single keys off, and shows times in another zone', async () => {
    const { page } = portal;
    await portal.go('/profile');
    const saved = page.waitForResponse((one) => one.url().endsWith('/me') && one.request().method() === 'POST');
    await page.getByText('Single keys').click();
    await saved;
    await page.reload();
    expect(await page.getByRole('switch', { name: /Single keys/ }).isChecked()).toBe(false);
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('Single keys').click();
    await page.getByRole('button', { name: /Time zone/ }).click();
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const shown = page.getByRole('table', { name: 'Your sessions' }).locator('time').first();
    const at = new Date((await shown.getAttribute('datetime'))!);
    const tokyo = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' });
    expect((await shown.innerText()).replace(/:\d\d /, ' ')).toContain(tokyo.format(at));
  });

  it('explains every code', async () => {
    const { page } = portal;
    await portal.go('/reasons');
    await page.getByLabel('Search codes and meanings').fill('opted out');
    await page.getByRole('link', { name: 'OPTED_OUT' }).first().click();
    await page.getByText('What to do').first().waitFor();
    await portal.screenshot('reason');
    await portal.go('/reasons/NO_SUCH');
    await page.getByText('There is no such code').waitFor();
  });
});
