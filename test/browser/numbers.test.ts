/**
 * Numbers, brands and campaigns in a real browser: SMS off and on with its consequences, a new number, and a campaign
 * from its brand over five pages, checks and review back to changes and to its approval, after which its number can
 * send.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';

/** Screenshots wide and narrow, light and dark, when HELIO_SCREENSHOTS is set. */
async function look(portal: Portal, name: string): Promise<void> {
  if (process.env.HELIO_SCREENSHOTS === undefined) return;
  const { page } = portal;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await portal.screenshot(`${name}-${width}-${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

describe.skipIf(noBrowser)('numbers and campaigns', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });

  /** Picks an option of a select. */
  async function choose(label: string, entry: string): Promise<void> {
    const { page } = portal;
    await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
    await page.getByRole('option', { name: entry, exact: true }).click();
  }

  it('SMS is turned off with its consequences shown, and on again from the list', async () => {
    const { page, go } = portal;
    await go('/numbers');
    const row = page.getByRole('row', { name: /555-0199/ });
    await row.getByText('Ready').waitFor();
    await look(portal, 'numbers');
    await row.getByRole('switch', { name: 'SMS of 1 (202) 555-0199' }).click({ force: true });
    const dialog = page.getByRole('alertdialog', { name: /Turn SMS off/ });
    await dialog.getByText('No message of this number is queued.').waitFor();
    await look(portal, 'numbers-off');
    await dialog.getByRole('button', { name: 'Turn SMS off' }).click();
    await row.getByText('SMS is off').waitFor();
    expect(await sendingReason('12025550199')).toBe('SENDER_NOT_ENABLED');
    await page.getByLabel('Search numbers').fill('(202) 555-0199');
    await row.getByRole('link', { name: 'Turn SMS on' }).click();
    await page.getByRole('heading', { level: 1, name: /555-0199/ }).waitFor();
    await page.getByRole('switch', { name: 'SMS' }).click({ force: true });
    await page.getByText('Ready').waitFor();
    expect(await sendingReason('12025550199')).toBe('SUCCESS');
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /Shop/ }).waitFor();
    await look(portal, 'number');
    expect(portal.problems).toEqual([]);
  });

  it('a number of the sandbox is added, and the page says what it lacks', async () => {
    const { page, go } = portal;
    await go('/numbers');
    await page.getByRole('button', { name: 'Add number' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a number' });
    await dialog.getByLabel('Number', { exact: true }).fill('15125550100');
    await dialog.getByRole('button', { name: 'Add number' }).click();
    await dialog.getByText('The sandbox has numbers that nobody owns', { exact: false }).first().waitFor();
    await look(portal, 'numbers-add');
    await dialog.getByLabel('Number', { exact: true }).fill('1 (202) 555-0142');
    await dialog.getByRole('button', { name: 'Add number' }).click();
    await page
      .getByRole('row', { name: /555-0142/ })
      .getByText('No campaign')
      .waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('a conflicting save shows both versions and never overwrites unasked', async () => {
    const { page, go } = portal;
    const other = await page.context().newPage();
    await other.goto('/numbers/12025550142');
    await other.getByLabel('Name', { exact: true }).fill('Second');
    await go('/numbers/12025550142');
    await page.getByLabel('Name', { exact: true }).fill('First');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /First/ }).waitFor();
    // The other tab has refetched by now; its form still has the old values.
    await other.getByRole('heading', { level: 1, name: /First/ }).waitFor();
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    const both = other.getByRole('row', { name: /Name/ });
    await both.getByRole('cell', { name: 'First', exact: true }).waitFor();
    await both.getByRole('cell', { name: 'Second', exact: true }).waitFor();
    await other.getByRole('button', { name: 'Save mine' }).click();
    await other.getByRole('heading', { level: 1, name: /Second/ }).waitFor();
    await other.close();
    expect(portal.problems).toEqual([]);
  });

  it('a table of numbers is imported, and one of them gets a webhook of its own', async () => {
    const { page, go } = portal;
    await go('/numbers');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import numbers' });
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Choose a file first.').waitFor();
    await look(portal, 'numbers-import');
    const text = 'number,name,campaign\n12025550143,Till,SBX-DEMO\n15125550100,Real,\n';
    await dialog
      .getByLabel('Table (CSV)')
      .setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByRole('cell', { name: /nobody owns/ }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await go('/numbers?campaign=SBX-DEMO&can-send=yes');
    await page.getByRole('row', { name: /Till/ }).waitFor();
    expect(await sendingReason('12025550143')).toBe('SUCCESS');

    await go('/numbers/12025550143');
    await page.getByRole('link', { name: 'Simulated carrier', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Give it a webhook of its own' }).click();
    await page.getByLabel('URL', { exact: true }).fill(`${portal.url}/hook`);
    await look(portal, 'number-webhook');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close without saving' }).click();
    await look(portal, 'number-imported');
    expect(portal.problems).toEqual([]);
  });

  it('the seeded campaign shows its history', async () => {
    const { page, go } = portal;
    await go('/campaigns/SBX-DEMO');
    await page.getByText('Account notifications').waitFor();
    await page.locator('summary', { hasText: 'Compare v1 with v2' }).click();
    await page.getByRole('cell', { name: /Text me about my order/ }).waitFor();
    await look(portal, 'campaign-demo');
    expect(portal.problems).toEqual([]);
  });

  it('a campaign goes from its brand to its approval', async () => {
    const { page, go } = portal;
    await go('/campaigns/brands/new');
    for (const [label, value] of [
      ...[
        ['Legal name', 'Pear Tree Violins LLC'],
        ['Name that people know', 'Pear Tree'],
        ['EIN', '12-3456789'],
      ],
      ...[
        ['Street', '1 Main St'],
        ['City', 'Austin'],
        ['State', 'TX'],
        ['ZIP code', '787'],
      ],
      ...[
        ['Telephone', '15125550100'],
        ['E-mail', 'ann@peartree.example'],
        ['Website', 'https://peartree.example'],
      ],
    ] as [string, string][]) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    await choose('Branch', 'Retail');
    await page.getByRole('button', { name: 'Save brand' }).click();
    await page.getByText('A ZIP code is five digits', { exact: false }).first().waitFor();
    const zip = page.getByLabel('ZIP code', { exact: true });
    expect(await zip.getAttribute('aria-invalid')).toBe('true');
    await look(portal, 'brand-faults');
    await zip.fill('');
    await page.getByRole('button', { name: 'Save brand' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pear Tree' }).waitFor();
    await page.getByRole('button', { name: /^Go to: A ZIP code is five digits/ }).click();
    expect(await zip.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('78701');
    await page.getByRole('button', { name: 'Save brand' }).click();
    await page.getByText('The brand is complete.').waitFor();
    await page.getByRole('button', { name: 'Look now' }).click();
    await page.getByText('Look at it').waitFor();
    await attach('CP 575.pdf', '%PDF-1.7\nletter');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CP 575.pdf' }).click();
    expect((await saved).suggestedFilename()).toBe('CP 575.pdf');
    await look(portal, 'brand');
    await attach('wrong.txt', 'Not this one.');
    await page.getByRole('button', { name: 'Remove wrong.txt' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the file' }).click();
    await page.getByRole('button', { name: 'Download wrong.txt' }).waitFor({ state: 'detached' });
    await page.getByLabel('City', { exact: true }).fill('Not saved yet');
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('Removed a file from a brand’s evidence').waitFor();
    await page
      .getByRole('row', { name: /Removed a file/ })
      .getByRole('button', { name: /^Show what changed/ })
      .click();
    await page.getByText('CP 575.pdf, wrong.txt').waitFor();
    await look(portal, 'brand-activity');
    await page.getByRole('tab', { name: 'Overview' }).click();
    expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Not saved yet');

    await go('/campaigns');
    await look(portal, 'campaigns');
    await page.getByLabel('Search campaigns').fill('demo');
    await page.getByText('1 of 2 campaigns').waitFor();
    await page.getByRole('button', { name: 'New campaign' }).click();
    const dialog = page.getByRole('dialog', { name: 'New campaign' });
    await dialog.getByLabel('Name', { exact: true }).fill('Order updates');
    await choose('Brand', 'Pear Tree');
    await dialog.getByRole('button', { name: 'Make the draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Order updates' }).waitFor();

    await page.getByRole('button', { name: 'See checks' }).click();
    await look(portal, 'campaign-checks');
    await page.getByRole('button', { name: 'Go to: Choose the use case of the campaign.' }).click();
    await choose('Use case', 'Account notifications');
    await look(portal, 'campaign-use-case');
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => page.evaluate("document.activeElement?.closest('[data-field]') != null")).toBe(true);
    await page
      .getByRole('textbox', { name: 'Description' })
      .fill('Tells customers of the shop how their orders are coming along, day by day.');
    await page
      .getByLabel('How people agree')
      .fill('Customers tick an optional box beside the telephone field of the order form.');
    await page.getByRole('button', { name: 'Next' }).click();
    for (const name of ['START', 'STOP', 'HELP']) {
      await page.getByRole('button', { name: `Use a template: Answer to ${name}` }).click();
    }
    await look(portal, 'campaign-texts');
    await page.getByRole('button', { name: 'Next' }).click();
    await page
      .getByRole('textbox', { name: 'Sample message 1' })
      .fill('Your order 12 is on its way. Reply STOP to end.');
    await page.getByText('GSM-7 · 1 segment', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Privacy policy').fill('https://peartree.example/privacy');
    await page.getByLabel('Terms').fill('https://peartree.example/terms');
    await page.getByText('Saved', { exact: true }).waitFor();
    await look(portal, 'campaign-links');
    // The fields keep their text after a reload, and the one remaining fault links to its field.
    await page.reload();
    await page.getByRole('button', { name: 'See checks' }).click();
    await page.getByRole('button', { name: 'Go to: Sample message 1 must name your brand: Pear Tree.' }).click();
    const sample = page.getByRole('textbox', { name: 'Sample message 1' });
    await page.locator('[data-field="samples.0"] textarea:focus').waitFor();
    await sample.fill('Pear Tree: your order 12 is on its way. Reply STOP to end.');
    await page.getByText('It is not sent in', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('It waits for its outcome.', { exact: false }).waitFor();
    await look(portal, 'campaign-submitted');

    await outcome('Changes needed', async () => {
      await attach('mail.txt', 'From: registry\n\nSample 1 is not enough.\n');
      await page.getByText('1 file will be named with this outcome.').waitFor();
      await choose('Field of reason 1', 'Sample message 1');
      await page.getByLabel('Reason 1', { exact: true }).fill('Say what the customer ordered.');
    });
    await page.getByText('What has to change').first().waitFor();
    await page.getByText('How others fixed it:', { exact: false }).first().waitFor();
    await page.getByRole('table', { name: 'History' }).getByRole('button', { name: 'Download mail.txt' }).waitFor();
    await look(portal, 'campaign-changes');
    await page.getByRole('button', { name: 'Go to Sample message 1' }).click();
    await sample.fill('Pear Tree: your violin (order 12) is on its way. Reply STOP to end.');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Compare v1 with what it is now' }).click();
    await page.getByRole('cell', { name: /your violin/ }).waitFor();
    await look(portal, 'campaign-compare');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('It waits for its outcome.', { exact: false }).waitFor();
    await outcome('Approved', () => choose('Limits', 'By the networks’ tables'));
    await page.getByText('0 of 2,000', { exact: false }).waitFor();
    await look(portal, 'campaign-approved');

    await go('/numbers/12025550142');
    await choose('Campaign', 'Order updates');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Ready').waitFor();
    expect(await sendingReason('12025550142')).toBe('SUCCESS');
    await go('/campaigns');
    await page
      .getByRole('row', { name: /Order updates/ })
      .getByText('Approved')
      .click();
    await page.getByText('1 of 2,000', { exact: false }).waitFor();

    // At a lower rate, messages over it are queued with the reason and use up no attempt.
    await outcome('Approved', async () => {
      await choose('Limits', 'Own figures');
      await page.getByLabel('SMS segments per minute').fill('1');
    });
    const { json } = await send('12025550142');
    const { messageId } = json.schema.resultResponses[0];
    await expect
      .poll(async () => (await portal.sandbox.get(`/api/v1/messages/${messageId}`)).json.data)
      .toMatchObject({ state: 'queued', code: 'CAMPAIGN_LIMIT' });
    await page.reload();
    await page.getByText('Most of it is used').waitFor();
    await look(portal, 'campaign-limit');

    // Removing a limit releases the messages it held at once.
    await outcome('Approved', () => choose('Limits', 'None'));
    await expect
      .poll(async () => (await portal.sandbox.get(`/api/v1/messages/${messageId}`)).json.data.state)
      .toBe('delivered');
    expect(portal.problems).toEqual([]);
  });

  /** Attaches a file in the page, as a person would. */
  async function attach(name: string, text: string): Promise<void> {
    const { page } = portal;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add a file' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
    await page
      .getByRole('button', { name: `Download ${name}` })
      .first()
      .waitFor();
  }

  async function outcome(status: string, more: () => Promise<void>): Promise<void> {
    const { page } = portal;
    await choose('What was decided', status);
    await page.getByLabel('Where it is from').fill('E-mail of The Campaign Registry, ticket 4471');
    await more();
    await page.getByRole('button', { name: 'Write it down' }).click();
    await page.getByText('Written down.').waitFor();
  }

  /** The API's reason for a text from this number. */
  const sendingReason = async (from: string): Promise<string> => (await send(from)).json.reason;
  const send = (from: string) => portal.sandbox.send({ from, to: ['12025550100'], text: 'Hello' });
});
