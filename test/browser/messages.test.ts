/** The message log in a browser: search, live rows that do not move while one is read, one message, a new one. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { tinyPng } from '../../packages/gateway/src/carriers/carrier-fixture.ts';
import { noBrowser, openBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

const minute = 60_000;

describe.skipIf(noBrowser)('messages', () => {
  let portal: Portal;

  beforeAll(async () => {
    portal = await openPortal();
  }, 2 * minute);

  it('say what to do while there are none, then show the first by itself', async () => {
    await portal.go('/messages');
    await portal.page.getByText('No messages yet').waitFor();
    await portal.page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    await portal.sandbox.until(await portal.sandbox.text('12025550100', 'The first'), ['delivered']);
    await portal.page.getByRole('cell', { name: 'The first' }).waitFor();
    await portal.page.getByRole('cell', { name: 'Delivered' }).waitFor();
  });

  it('keep the rows in place, and offer new ones', async () => {
    const { page, sandbox } = portal;
    await portal.go('/messages');
    await page.getByRole('cell', { name: 'The first' }).waitFor();
    const first = page.getByRole('row').filter({ hasText: 'The first' });
    const before = await first.boundingBox();
    await sandbox.until(await sandbox.text('12025550111', 'The second'), ['undelivered']);
    await page.getByRole('button', { name: '1 new message — show' }).waitFor();
    expect(await first.boundingBox()).toEqual(before);
    expect(await page.getByRole('cell', { name: 'The second' }).count()).toBe(0);
    await page.getByRole('button', { name: '1 new message — show' }).click();
    await page.getByRole('cell', { name: 'The second' }).waitFor();
    await portal.screenshot('messages');
  });

  it('show the earlier rows while the gateway is unreachable, and say so', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await page.getByRole('cell', { name: 'The second' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
    await page.route('**/api/portal/v1/**', (route) => route.abort());
    await navigation.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('cell', { name: 'The second' }).waitFor({ timeout: 1_000 });
    await page.getByText('This may be out of date').waitFor();
    await page.getByRole('cell', { name: 'The second' }).waitFor();
    await portal.screenshot('messages-away');
    await page.unroute('**/api/portal/v1/**');
    portal.problems.splice(0, portal.problems.length, ...portal.problems.filter((one) => !one.includes('ERR_FAILED')));
  });

  it('are found by number in any spelling; a word that cannot be read is named; the search is in the address', async () => {
    const { page } = portal;
    await portal.go('/messages');
    const search = page.getByRole('combobox', { name: 'Search messages' });
    await search.fill('+1 (202) 555-0111 staus:x');
    await search.press('Enter');
    await page.getByText('There is no staus: here.', { exact: false }).waitFor();
    await page.getByRole('cell', { name: 'The second' }).waitFor();
    expect(await page.getByRole('cell', { name: 'The first' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('q')).toBe('+1 (202) 555-0111 staus:x');
    await page.getByRole('button', { name: 'Remove staus:x' }).click();
    await page.getByText('There is no staus: here.', { exact: false }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('cell', { name: 'The second' }).waitFor();
    await page.goBack();
    await page.getByText('There is no staus: here.', { exact: false }).waitFor();
  });

  it('have a search that completes the names of tokens from the keyboard', async () => {
    const { page } = portal;
    await portal.go('/messages');
    const search = page.getByRole('combobox', { name: 'Search messages' });
    await search.pressSequentially('sta');
    await page.getByRole('option', { name: /status/ }).waitFor();
    await search.press('ArrowDown');
    await search.press('Enter');
    await expect.poll(() => search.inputValue()).toBe('status:');
    await search.pressSequentially('undelivered');
    await search.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('status:undelivered');
    await page.getByRole('cell', { name: 'The second' }).waitFor();
    await search.fill('status:fai');
    await page.getByRole('option', { name: /not-sent.*failed/ }).click();
    await expect.poll(() => search.inputValue()).toBe('status:not-sent');
  });

  it('are searched by a form, without typing a query', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await page.getByRole('button', { name: 'Filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter messages' });
    await dialog.getByRole('button', { name: /Status/ }).click();
    await page.getByRole('option', { name: 'Undelivered' }).click();
    await dialog.getByLabel('Text has').fill('The second');
    await portal.screenshot('message-filter');
    await dialog.getByRole('button', { name: 'Show them' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('status:undelivered text:"The second"');
    await page.getByText('Status: Undelivered').waitFor();
    await page.getByRole('button', { name: 'Remove text:"The second"' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('status:undelivered');
    await page.getByRole('button', { name: 'Filter' }).click();
    await dialog.getByRole('button', { name: /Status.*Undelivered|Undelivered/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are exported as searched', async () => {
    const { page } = portal;
    await portal.go('/messages?q=status:delivered');
    await page.getByRole('cell', { name: 'The first' }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV for spreadsheets' }).click();
    const table = readFileSync(await (await download).path(), 'utf8');
    expect(table).toContain('The first');
    expect(table).not.toContain('The second');
  });

  it('open beside the list, give the focus back to the row, and open as a page with Enter', async () => {
    const { page } = portal;
    await portal.go('/messages?q=text:The');
    await page.getByRole('cell', { name: 'The second' }).click();
    const panel = page.getByRole('complementary', { name: 'Message' });
    await panel.getByRole('heading', { name: 'What happened' }).waitFor();
    await panel.getByText('Goes to Simulated carrier.').waitFor();
    const address = new URL(page.url()).searchParams;
    const open = address.get('open') ?? '';
    expect([address.get('q'), open]).toEqual(['text:The', expect.stringMatching(/^msg_/)]);
    await page.getByRole('cell', { name: 'The first' }).waitFor();
    await portal.screenshot('messages-panel');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('open')).toBe(false);
    await page.goBack();
    await panel.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/messages/${open}`);
  });

  it('show the timeline of a failed text, and send it again', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await page.getByRole('cell', { name: 'The second' }).click();
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.getByText('In plain words', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'UNREACHABLE' }).first().waitFor();
    await portal.screenshot('message-failed');
    for (const way of ['Resend same payload', 'Re-evaluate and send']) {
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByRole('menuitem', { name: way }).click();
      const before = page.url();
      await page.getByRole('link', { name: 'Open it' }).click();
      await expect.poll(() => page.url()).not.toBe(before);
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await page.getByText('UNDELIV', { exact: false }).first().waitFor();
    }
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('menuitem', { name: 'Edit as new' }).click();
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('The second');
  });

  it('show which rule chose the carrier and why, the PDUs, and the receipt word for word', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await page.getByRole('cell', { name: 'The first' }).first().click();
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.getByText('Rule “', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Why this?' }).click();
    const why = page.getByRole('dialog', { name: 'Why this carrier?' });
    await why.getByText('before this message was accepted: they are those that sent it.', { exact: false }).waitFor();
    await why.getByRole('table', { name: 'Every rule in the order in which it is looked at' }).waitFor();
    await portal.screenshot('message-why');
    await why.getByRole('link', { name: 'Open the route tester' }).click();
    const tester = page.getByRole('form', { name: 'Where would it go?' });
    await expect.poll(() => tester.getByLabel('To', { exact: true }).inputValue()).toBe('12025550100');
    await page.goBack();
    await page.locator('summary', { hasText: 'submit_sm' }).click();
    await page.getByText('registered_delivery').first().waitFor();
    await page.getByText('Raw receipt').click();
    await page
      .getByText(/^id:.* stat:DELIVRD/)
      .first()
      .waitFor();
    await page.locator('summary', { hasText: 'deliver_sm' }).click();
    await portal.screenshot('message-story');
  });

  it('are changed in bulk from a search: counted, confirmed, results by reason', async () => {
    const { page } = portal;
    await portal.go('/messages?q=status:undelivered');
    await page.getByRole('cell', { name: 'The second' }).first().waitFor();
    await page.getByRole('button', { name: 'All found' }).click();
    await page.getByRole('menuitem', { name: 'Send again …' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('3 messages would be sent again.').waitFor();
    await portal.screenshot('messages-bulk');
    await dialog.getByRole('button', { name: 'Send 3 messages again' }).click();
    await dialog.getByText('3 of 3 messages sent again.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await portal.go('/messages?q=staus:x');
    await page.getByRole('button', { name: 'All found' }).click();
    await page.getByRole('menuitem', { name: 'Cancel what waits …' }).click();
    await page.getByRole('alertdialog').getByText('There is no staus: here.', { exact: false }).first().waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Not now' }).click();
  });

  it('have searches saved as views, in this browser', async () => {
    const { page } = portal;
    await portal.go('/messages?q=status:undelivered');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this search …' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Not arrived');
    await page.getByText('Views are kept in this browser, for you alone.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await portal.go('/messages');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Not arrived' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('status:undelivered');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Remove a view …' }).click();
    await page.getByRole('button', { name: 'Remove Not arrived' }).click();
    await page.getByText('No views are saved in this browser.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('are kept as drafts until sent: opened, deleted, restored, gone once sent', async () => {
    const { page } = portal;
    const text = page.getByLabel('Text', { exact: true });
    await portal.go('/messages/new');
    await page.getByLabel('To', { exact: true }).fill('12025550100');
    await text.pressSequentially('Half a thought');
    await page.getByText('Kept as a draft in this browser.').waitFor();
    await page.reload();
    await text.waitFor();
    await expect.poll(() => text.inputValue()).toBe('Half a thought');
    await page.getByRole('link', { name: 'Begin another' }).click();
    await expect.poll(() => text.inputValue()).toBe('');
    await text.fill('Another one');
    const drafts = page.getByRole('list', { name: '1 draft' });
    await drafts.getByText('to 1 (202) 555-0100', { exact: false }).waitFor();
    await wideAndNarrow(portal, 'compose-drafts');
    await page.getByRole('link', { name: 'Half a thought' }).click();
    await expect.poll(() => text.inputValue()).toBe('Half a thought');
    await page.getByRole('button', { name: 'Delete draft: Another one' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await drafts.getByRole('link', { name: 'Another one' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'What became of each' }).waitFor();
    // The Send button is gone, so a second press cannot send again.
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Send another like this' }).click();
    await expect.poll(() => text.inputValue()).toBe('Half a thought');
    await portal.go('/messages/new');
    await drafts.getByRole('link', { name: 'Another one' }).click();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await expect.poll(() => text.inputValue()).toBe('');
    await expect.poll(() => page.evaluate("localStorage.getItem('helio-message-drafts')")).toBeNull();
  });

  it('ask before a dialog with something filled in closes', async () => {
    const { page } = portal;
    await portal.go('/carriers?tab=links');
    await page.getByRole('button', { name: 'Add carrier' }).click();
    const form = page.getByRole('dialog', { name: 'Add' });
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add carrier' }).click();
    const name = form.getByRole('textbox').first();
    await name.fill('telco-a');
    await page.keyboard.press('Escape');
    const confirmation = page.getByRole('alertdialog', { name: 'Close without saving?' });
    await confirmation.waitFor();
    await portal.screenshot('dialog-unsaved');
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('telco-a');
    await page.mouse.click(4, 4);
    await confirmation.getByRole('button', { name: 'Close without saving' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('are checked, counted and sent', async () => {
    const { page } = portal;
    await portal.go('/messages/new');
    await page
      .getByText('may send SMS', { exact: false })
      .or(page.getByText('SMS is off', { exact: false }))
      .first()
      .waitFor();
    await page.getByLabel('To', { exact: true }).fill('+1 (202) 555-0100, 12025550101 Ada');
    await page.getByText('2 recipients').first().waitFor();
    await page.getByText('Ada', { exact: true }).waitFor();
    await page.getByLabel('Text', { exact: true }).fill('It’s here');
    await page.locator('[data-counter]').getByText('UCS-2').waitFor();
    await portal.screenshot('compose');
    await page.getByRole('button', { name: 'Replace ’ with' }).click();
    await page.locator('[data-counter]').getByText('GSM-7').waitFor();
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByText('Dry run: would be accepted for 2 of 2 recipients.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Send to 2' }).click();
    await page.getByText('Sent to 2 recipients').waitFor();
    await page.getByRole('table', { name: 'What became of each' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Recipients of the same request' }).waitFor();
  });

  it('name their media briefly, and say that they are billed as MMS', async () => {
    for (const width of [1280, 360]) {
      const one = await openBrowser(portal.sandbox, { width, height: 740 });
      const { page } = one;
      await one.go('/messages/new');
      const address = `https://pictures.example.com/${'folder/'.repeat(30)}cat.png?signature=${'x'.repeat(200)}`;
      await page.getByLabel('Address of a picture').fill(address);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByTitle(address).getByText('pictures.example.com/…/cat.png').waitFor();
      const name = `a picture with a name ${'that is long '.repeat(8)}.png`;
      await page.setInputFiles('input[type=file]', { name, mimeType: 'image/png', buffer: tinyPng });
      await page.locator('code').getByText(name, { exact: true }).waitFor();
      await page.getByText(`image/png · ${tinyPng.length} B`).waitFor();
      await page.locator('[data-counter]').getByText('Sent as MMS, billed at the MMS rate').waitFor();
      await one.screenshot(`compose-media-${width}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
      expect(one.problems).toEqual([]);
      await one.context.close();
    }
  });

  it('fit 360 pixels, in the dark, without scrolling sideways', async () => {
    const small = await openBrowser(portal.sandbox, { width: 360, height: 740, dark: true });
    for (const [path, name] of [
      ['/', 'home'],
      ['/messages', 'messages'],
      ['/messages/new', 'compose'],
      ['/reasons', 'reasons'],
      ['/reasons/OPTED_OUT', 'reason'],
    ] as const) {
      await small.go(path);
      const over = await small.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(over, path).toBeLessThanOrEqual(0);
      await small.screenshot(`small-dark-${name}`);
    }
    await small.go('/messages?q=status:undelivered');
    await small.page.getByRole('link', { name: /:/ }).first().click();
    await small.page.locator('summary', { hasText: 'submit_sm' }).waitFor();
    for (const summary of await small.page.locator('summary').all()) await summary.click();
    await small.page.getByText('registered_delivery').first().waitFor();
    expect(await small.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(
      0,
    );
    await small.screenshot('small-dark-message');
    expect(small.problems).toEqual([]);
  });

  it('had no console errors, failed loads or calls to other hosts', () => {
    expect(portal.problems).toEqual([]);
  });
});

describe.skipIf(noBrowser)('while no carrier is bound', () => {
  it('a waiting message is canceled after a confirmation', async () => {
    const portal = await openPortal();
    const { page, sandbox } = portal;
    const faults = await sandbox.post('/api/v1/sandbox/faults', { refuseBind: true, dropLink: true });
    expect(faults.status, faults.text).toBe(200);
    const messageId = await sandbox.text('12025550100', 'Nobody takes this');
    await sandbox.until(messageId, ['queued']);
    await portal.go(`/messages/${messageId}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave it' }).click();
    expect((await sandbox.until(messageId, ['queued'])).state).toBe('queued');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the message' }).click();
    await page.getByText('A person canceled it.', { exact: false }).waitFor();
    await sandbox.until(messageId, ['canceled']);
    await portal.go('/');
    await page.getByText('is down.', { exact: false }).first().waitFor();
    await portal.screenshot('home-down');
    expect(portal.problems).toEqual([]);
  });
});
