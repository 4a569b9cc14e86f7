/** Webhooks and opt-outs in a real browser: an endpoint, its deliveries and their proof; who opted out, and why. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('webhooks', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });

  it('are sent to the sandbox inbox, shown with their request, and proven with their signature', async () => {
    const { page, go } = portal;
    await go('/webhooks');
    await page.getByRole('link', { name: 'Webhook inbox' }).click();
    await page.getByRole('heading', { name: 'Webhook inbox' }).waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    const row = page.getByRole('row', { name: /webhook\.test/ });
    await row.getByText('Delivered').waitFor();
    await portal.screenshot('webhook');
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'webhook.test' }).waitFor();
    const headers = await page.locator('pre', { hasText: 'webhook-signature' }).innerText();
    await portal.screenshot('delivery');
    const headerOf = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(headers)?.[1] ?? '';
    expect(headerOf('webhook-id')).toMatch(/^evt_/);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('menuitem', { name: 'Replay with the same webhook-id' }).click();
    await page.getByText('It is sent again', { exact: false }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await expect.poll(() => page.getByText(/with current secret · clock skew \d s/).count()).toBe(2);
    await portal.screenshot('delivery-signatures');
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('menuitem', { name: 'Send as new event, with a new id' }).click();
    await page.getByText('It is sent as a new event, with a new webhook-id').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Webhook inbox' }).click();
    const rows = page.getByRole('row', { name: /webhook\.test/ });
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().getByText('Delivered').waitFor();
    await rows.first().getByRole('link').click();
    await page.getByRole('link', { name: 'the earlier delivery' }).waitFor();
    const anew = await page.locator('pre', { hasText: 'webhook-signature' }).innerText();
    expect(/^webhook-id: (.*)$/m.exec(anew)?.[1]).toMatch(/^evt_/);
    expect(/^webhook-id: (.*)$/m.exec(anew)?.[1]).not.toBe(headerOf('webhook-id'));

    await go('/webhooks?tab=inbox');
    await page
      .getByText(/with current secret · clock skew \d s/)
      .first()
      .waitFor();
    await page.locator('summary').first().click();
    await portal.screenshot('webhooks-inbox');
    const body = await portal.context.request.get(`${portal.url}/api/portal/v1/sandbox/webhooks`);
    const [received] = ((await body.json()) as { data: { body: string; headers: Record<string, string> }[] }).data;

    await page.getByRole('tab', { name: 'Check a signature' }).click();
    await page.getByLabel('Raw body').fill(received!.body);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await page.getByLabel(name).fill(received!.headers[name]!);
    }
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Paste a secret, or choose an endpoint.').first().waitFor();
    await page.getByRole('button', { name: /The secret above/ }).click();
    await page.getByRole('option', { name: 'Webhook inbox' }).click();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    await portal.screenshot('webhooks-signature');
    await page.getByLabel('Raw body').fill(`${received!.body} `);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The body was changed', { exact: true }).waitFor();

    await page.getByRole('tab', { name: 'Event catalogue' }).click();
    await page.locator('summary', { hasText: 'contact.opted_out' }).click();
    await page.getByText('campaign:CQ7TEST', { exact: false }).first().waitFor();
    await portal.screenshot('webhooks-catalogue');
    expect(portal.problems).toEqual([]);
  });

  it('are found by id, exported, and show their audit entries', async () => {
    const { page, go } = portal;
    await go('/webhooks');
    await page.getByLabel('Search endpoints', { exact: false }).fill('nowhere');
    await page.getByText('No endpoint fits').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    const [endpoints] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(readFileSync(await endpoints.path(), 'utf8')).toMatch(
      /^\uFEFFname,endpoint_id,url.*\r\n.*ep_sandbox_inbox,http/,
    );

    await go('/webhooks/ep_sandbox_inbox');
    const rows = page.getByRole('row', { name: /webhook\.test/ });
    const id = await rows.first().locator('code', { hasText: 'evt_' }).innerText();
    const search = page.getByLabel('Id of the event or delivery');
    await search.fill(id.toLowerCase());
    await page.getByRole('button', { name: 'Find' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('1 delivery', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [deliveries] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(deliveries.suggestedFilename()).toBe('deliveries.csv');
    const lines = readFileSync(await deliveries.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(id);
    await wideAndNarrow(portal, 'webhook-search');
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByRole('row', { name: /Sent a test event/ }).waitFor();
    await wideAndNarrow(portal, 'webhook-activity');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    expect(portal.problems).toEqual([]);
  });

  it('ask before a form is lost in which only a choice, a tick or a text was made', async () => {
    const { page, go } = portal;
    await go('/webhooks');
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    const confirmation = page.getByRole('alertdialog', { name: 'Close without saving?' });
    const changes = [
      async () => {
        await dialog.getByRole('button', { name: /Format/ }).click();
        await page.getByRole('option', { name: 'Flat, for older clients' }).click();
        await page.getByRole('listbox').waitFor({ state: 'detached' });
      },
      () => dialog.getByText('All events, new types too').click(),
      () => dialog.getByLabel('Name', { exact: true }).fill('Orders'),
    ];
    for (const change of changes) {
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      await change();
      await page.keyboard.press('Escape');
      await confirmation.getByRole('button', { name: 'Close without saving' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByRole('button', { name: /Only this number/ }).click();
    await page.getByRole('option', { name: '1 (202) 555-0199' }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await portal.screenshot('webhooks-form');
    expect(await faultsWithin(portal)).toEqual([]);
    await page.keyboard.press('Escape');
    await confirmation.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // An untouched form closes without a confirmation.
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(portal.problems).toEqual([]);
  });

  it('go to a custom endpoint, which can be changed, rotated, disabled and deleted', async () => {
    const { page, go } = portal;
    await go('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    await dialog.getByLabel('URL').fill('ftp://nowhere.example');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Write an http or https URL', { exact: false }).first().waitFor();
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/hooks');
    await dialog.getByLabel('Name', { exact: true }).fill('Orders');
    await dialog.getByLabel('Time-out in seconds').fill('99');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Write a whole number from 1 to 30', { exact: false }).first().waitFor();
    await dialog.getByLabel('Time-out in seconds').fill('2');
    await dialog.getByText('All events, new types too').click();
    await dialog.getByText('carrier.down', { exact: true }).click();
    await portal.screenshot('webhooks-add');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const sheet = page.getByRole('alertdialog', { name: 'The signing secret' });
    expect(await sheet.locator('pre').first().innerText()).toMatch(/^whsec_/);
    const confirmation = page.getByRole('alertdialog', { name: 'Close without the secret?' });
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => sheet.getByRole('button', { name: 'Close' }).click(),
      () => sheet.getByRole('button', { name: 'Done' }).click(),
    ]) {
      await leave();
      await confirmation.getByRole('button', { name: 'Keep it open' }).click();
      await confirmation.waitFor({ state: 'detached' });
    }
    await sheet.getByRole('button', { name: 'Copy signing secret' }).click();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Orders' }).waitFor();
    await portal.screenshot('webhooks');
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page
      .getByRole('row', { name: /webhook\.test/ })
      .getByText('Waiting')
      .waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Recover failed since…' }).click();
    const recover = page.getByRole('dialog', { name: 'Recover what failed since' });
    await recover.getByText('None of them has failed.').waitFor();
    await recover.getByText('1 delivery waits for the next try').waitFor();
    await recover.getByText(/^(The next try is|They go out once)/).waitFor();
    await portal.screenshot('webhooks-recover-waiting');
    await recover.getByRole('button', { name: /Which/ }).click();
    await page.getByRole('option', { name: 'Everything, delivered or not' }).click();
    await recover.getByText('1 delivery will go out again.').waitFor();
    await portal.screenshot('webhooks-recover');
    await recover.getByRole('button', { name: 'Send 1 delivery again' }).click();
    await recover.getByText('1 delivery goes out again.').waitFor();
    await recover.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: /Since/ }).click();
    await page.getByRole('option', { name: '1 h' }).click();
    expect(page.url()).toContain('since=hour');
    await page.getByRole('button', { name: /^Type|Type$/ }).click();
    await page.getByRole('option', { name: 'message.received' }).click();
    await page.getByText('No deliveries').waitFor();
    expect(page.url()).toContain('type=message.received');
    await portal.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy API request' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/deliveries\?endpoint=ep_\w+&type=message\.received&since=\d{4}-/);

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Done' }).click();
    await confirmation.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByText('More settings').click();
    await page.getByText('The old secret signs too until').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('This endpoint is disabled').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('This endpoint is disabled').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const sure = page.getByRole('alertdialog');
    await sure.getByText('This is 1 endpoint.', { exact: false }).waitFor();
    await sure.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Orders' }).waitFor({ state: 'detached' });
    expect(portal.problems).toEqual([]);
  });

  it('opt-outs are added, imported, proven, and removed only with a reason', async () => {
    const { page, go } = portal;
    await go('/opt-outs');
    await page.getByText('Nobody has opted out').waitFor();
    await page.getByRole('button', { name: 'Add opt-out' }).click();
    const add = page.getByRole('dialog', { name: 'Add an opt-out' });
    await add.getByLabel('Number that wants no messages').fill('+1 (202) 555-0101');
    await add.getByRole('button', { name: /Messages from/ }).click();
    await page.getByRole('option', { name: '1 (202) 555-0199' }).click();
    await add.getByLabel('Reason').fill('told us on the phone');
    await add.getByRole('button', { name: 'Add opt-out' }).click();
    const row = page.getByRole('row', { name: /555-0101/ });
    await row.getByText('By a person').waitFor();

    await page.getByRole('button', { name: 'Import' }).click();
    const importer = page.getByRole('dialog', { name: 'Import opt-outs' });
    const csv = 'contact,number,reason\n12025550102,12025550199,asked by mail\nnobody,12025550199,asked by mail\n';
    await importer.getByLabel('File').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await importer.getByRole('button', { name: 'Import' }).click();
    await importer.getByRole('row', { name: /nobody/ }).waitFor();
    await portal.screenshot('opt-outs-imported');
    await importer.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row', { name: /555-0102/ }).waitFor();
    await portal.screenshot('opt-outs');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('opt-outs.csv');

    await page.getByLabel('Telephone number').fill('1 202 555 0102');
    await page.getByRole('button', { name: 'Find' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Re-subscribe 1 (202) 555-0102' }).click();
    const lift = page.getByRole('alertdialog');
    await lift.getByRole('button', { name: 'Re-subscribe' }).click();
    await lift.getByText('reason', { exact: false }).first().waitFor();
    await lift.getByLabel('How do you know?').fill('wrote to us on 4 May');
    await portal.screenshot('opt-outs-lift');
    await lift.getByRole('button', { name: 'Re-subscribe' }).click();
    await page.getByText('Nobody fits').waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('fit a narrow screen, in the dark', async () => {
    const narrow = await openBrowser(portal.sandbox, { width: 360, height: 740, dark: true });
    const paths = ['/webhooks', '/webhooks/ep_sandbox_inbox', '/webhooks?tab=signature', '/webhooks?tab=catalogue'];
    for (const path of [...paths, '/opt-outs', '/settings/company/api-keys']) {
      await narrow.go(path);
      await narrow.page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
      const width = await narrow.page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, path).toBeLessThanOrEqual(360);
      await narrow.screenshot(`narrow${path.replaceAll(/[/?=]/g, '-')}`);
    }
    expect(narrow.problems).toEqual([]);
  });
});
