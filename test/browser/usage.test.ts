/** Usage in a real browser: figures at their prices, filters, the exported table, the printed statement. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

/** The administrator of the fixture, by the first part of the address. */
const person = 'ada';
const figure = ({ page }: Portal, name: string) => page.locator(`[data-figure=${name}] span`).nth(1).innerText();

describe.skipIf(noBrowser)('usage', () => {
  let portal: Portal;
  beforeAll(async () => {
    const rates = [{ from: '2026-01-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' }];
    portal = await openPortal({ records: { accounts: [{ id: 'sandbox', name: 'Sandbox Company', rates }] } });
  });

  it('shows what each kind costs, and exports its table', async () => {
    const { page, go, sandbox } = portal;
    const from = '12025550199';
    for (const text of ['One', 'Two parts '.repeat(20)]) await sandbox.send({ from, to: ['12025550100'], text });
    await expect
      .poll(async () => (await sandbox.get('/api/v1/usage')).json.data.total)
      .toMatchObject({ smsMessages: 2, smsSegments: 3, cost: '0.0225' });
    await go('/usage');
    await expect.poll(() => figure(portal, 'cost')).toBe('USD 0.0225');
    expect(await figure(portal, 'messages')).toBe('2');
    expect(await figure(portal, 'smsSegments')).toBe('3');
    await page.getByRole('button', { name: 'View as table' }).click();
    await page.getByRole('table', { name: 'Usage by day' }).waitFor();
    await expect.poll(() => figure(portal, 'rate')).toBe('100%');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
    const table = readFileSync(await (await saved).path(), 'utf8');
    expect(table).toBe(
      '\ufeffnumber,messages_before,sms_messages,sms_segments,mms_messages,cost,currency,unpriced_messages,' +
        'delivered,failed,without_outcome\r\n12025550199,0,2,3,0,0.0225,USD,0,2,0,0\r\n',
    );
    expect(portal.problems).toEqual([]);
  });

  it('is narrowed by a row and by a day, kept in the address, and leads to the messages', async () => {
    const { page, go, sandbox } = portal;
    await sandbox.send({ from: '12025550199', to: ['12025550100'], text: 'By a key' });
    await go('/messages/new');
    const me = (await (await page.request.get(`${portal.url}/api/portal/v1/me`)).json()) as { data: { csrf: string } };
    const sent = await page.request.post(`${portal.url}/api/portal/v1/send`, {
      headers: { origin: portal.url, 'sec-fetch-site': 'same-origin', 'x-helio-csrf': me.data.csrf },
      data: { from: '12025550199', to: ['12025550100'], text: 'By a person' },
    });
    expect(sent.status(), await sent.text()).toBeLessThan(300);
    await expect.poll(async () => (await sandbox.get('/api/v1/usage?kind=SMS')).json.data.total.smsMessages).toBe(4);
    await go('/usage?by=person');
    const people = page.getByRole('table', { name: 'Usage by person' });
    await people.getByRole('link', { name: person }).click();
    await page.waitForURL(/key=portal/);
    const chips = page.getByRole('list', { name: 'Shown only' });
    const chip = chips.getByRole('button', { name: `Remove: Person: ${person}` });
    await chip.waitFor();
    await expect.poll(() => figure(portal, 'messages')).toBe('1');
    await page.getByRole('button', { name: /Table by/ }).click();
    await page.getByRole('option', { name: 'Campaign' }).click();
    await page.getByRole('table', { name: 'Usage by campaign' }).waitFor();
    await page.reload();
    await chip.waitFor();

    const days = page.getByRole('slider', { name: /^Messages by day/ });
    await days.focus();
    await page.keyboard.press('End');
    expect(await days.getAttribute('aria-valuetext')).toMatch(/: \d delivered, \d without an outcome yet, 0 failed/);
    await page.keyboard.press('Enter');
    const today = new Date().toISOString().slice(0, 10);
    await page.waitForURL(new RegExp(`day=${today}`));
    await page.locator(`a[data-chosen][href*="usage"]`).waitFor();
    expect(await chips.getByRole('button', { name: /^Remove: / }).count()).toBe(2);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await chips.getByRole('link', { name: 'Show the messages' }).click();
    await page.getByRole('cell', { name: 'By a person' }).waitFor();
    await expect.poll(() => page.getByRole('table').first().locator('tbody tr').count()).toBe(1);
    await page.goBack();
    await chips.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => figure(portal, 'messages')).toBe('4');
    await page.goBack();
    await expect.poll(() => figure(portal, 'messages')).toBe('1');
    expect(portal.problems).toEqual([]);
  });

  it('prints a statement on A4, without the frame', async () => {
    const { page, go } = portal;
    await go('/usage');
    await page.getByRole('link', { name: 'Open and print' }).click();
    await page.getByRole('heading', { name: /^Statement, / }).waitFor();
    const table = page.getByRole('table', { name: 'Lines of the statement' });
    await table.getByRole('cell', { name: '1 (202) 555-0199' }).first().waitFor();
    expect(await table.locator('tfoot').innerText()).toMatch(/^Total\s+4\s+5 SMS segments, 0 MMS messages\s+0\.0375$/);
    await page.getByText('Sandbox Company').first().waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'statement');
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const part of ['nav', 'header button', 'main button']) {
      expect(await page.locator(part).filter({ visible: true }).count(), part).toBe(0);
    }
    expect(await table.isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(27, 33, 39)');
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf).toMatch(/MediaBox \[0 0 59[45][.\d]* 84[12]/);
    await portal.screenshot('statement-print');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await go('/usage/statement?month=2026-13');
    await page.getByText('Choose a month on the page Usage & billing.').waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('names the answers to keywords, and leads to them', async () => {
    const { page, go, sandbox } = portal;
    await sandbox.post('/api/v1/sandbox/handsets/12025550100/reply', { text: 'HELP', to: '12025550199' });
    const usage = '/api/v1/usage?key=consent:help';
    await expect.poll(async () => (await sandbox.get(usage)).json.data.total.smsMessages).toBe(1);
    await go('/usage?by=key');
    const keys = page.getByRole('table', { name: 'Usage by API key' });
    await keys.getByRole('link', { name: 'Answer to HELP' }).click();
    await page.getByRole('link', { name: 'Show the messages' }).click();
    await page.getByRole('cell', { name: /for help contact/ }).waitFor();
    expect(await page.getByText('There is no such key').count()).toBe(0);
    expect(portal.problems).toEqual([]);
  });

  it('sets prices row by row, and shows the fault of each', async () => {
    const { page, go } = portal;
    await go('/usage');
    await page.getByRole('button', { name: 'Set prices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set prices' });
    const first = dialog.getByRole('group', { name: 'Price 1' });
    expect(await first.getByLabel('SMS per segment').inputValue()).toBe('0.0075');
    await dialog.getByRole('button', { name: 'Add a price' }).click();
    const second = dialog.getByRole('group', { name: 'Price 2' });
    await second.getByLabel('From day (UTC)').fill('2026-01-01');
    await second.getByLabel('SMS per segment').fill('0,01');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await second.getByText('There is a price from this day already.').waitFor();
    await second.getByText('A price such as 0.0075.').first().waitFor();
    expect(await first.getByText('A price such as').count()).toBe(0);
    expect(await faultsWithin(portal)).toEqual([]);
    await wideAndNarrow(portal, 'prices');
    await second.getByLabel('From day (UTC)').fill('2027-01-01');
    await second.getByLabel('SMS per segment').fill('0.01');
    await second.getByLabel('MMS per message').fill('0.03');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await dialog.waitFor({ state: 'detached' });
    const table = page.getByRole('table', { name: 'Prices and since when they count' });
    await table.getByText('2027-01-01').waitFor();
    await page.getByRole('button', { name: 'Set prices' }).click();
    await dialog.getByRole('button', { name: 'Remove price 2' }).click();
    expect(await dialog.getByRole('group').count()).toBe(2);
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await table.getByText('2027-01-01').waitFor({ state: 'detached' });
    expect(portal.problems).toEqual([]);
  });
});
