/** The request log in a real browser: calls appear by themselves, are filtered and found again, and replayed without sending. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('the request log', () => {
  let portal: Portal;
  const ids = { sent: '', refused: '' };
  beforeAll(async () => {
    portal = await openPortal();
  });

  async function post(body: unknown): Promise<string> {
    return String((await portal.sandbox.send(body)).headers.get('x-request-id'));
  }

  it('begins with a call to copy, and shows calls as they are made', async () => {
    const { page, go } = portal;
    await go('/requests');
    await page.getByText('No API call yet').waitFor();
    expect(await page.getByText('curl').first().innerText()).toContain('$BEARER');
    await portal.screenshot('requests-none');
    ids.sent = await post({ from: portal.sandbox.from, to: ['12025550100'], text: 'My code is 4711' });
    ids.refused = await post({ from: portal.sandbox.from, to: [], text: 'Nobody gets this' });
    const row = page.getByRole('row', { name: /EMPTY_RECIPIENTS/ });
    await row.waitFor();
    expect(await row.innerText()).toContain('400');
    await page.getByRole('row', { name: /SUCCESS/ }).waitFor();
    expect(await page.content()).not.toContain('4711');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'requests');
  });

  it('filters by the address, shows the filters as chips, and exports the result', async () => {
    const { page, go } = portal;
    await go('/requests?status=refused&reason=EMPTY_RECIPIENTS');
    await page.getByRole('row', { name: /EMPTY_RECIPIENTS/ }).waitFor();
    expect(await page.getByRole('row', { name: /SUCCESS/ }).count()).toBe(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'As CSV' }).click();
    const csv = readFileSync((await (await saved).path())!, 'utf8');
    expect(csv).toContain(ids.refused);
    expect(csv).not.toContain(ids.sent);
    await page.getByRole('button', { name: 'Remove reason EMPTY_RECIPIENTS' }).click();
    await page.waitForURL((url) => url.search === '?status=refused');
    await page.getByLabel('Path, method or request id').fill(ids.sent);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No kept call fits').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).first().click();
    await page.getByRole('row', { name: /SUCCESS/ }).waitFor();
  });

  it('shows a refused call and runs it again without sending', async () => {
    const { page, go } = portal;
    await go('/requests');
    await page
      .getByRole('row', { name: /EMPTY_RECIPIENTS/ })
      .getByRole('link', { name: 'POST /SendSMS' })
      .click();
    await page.waitForURL(`**/requests/${ids.refused}`);
    await page.getByText('"textLength": 16').waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
    await wideAndNarrow(portal, 'request-refused');
    await page.getByRole('button', { name: 'Replay as dry run' }).click();
    await page.getByText('The text was not kept: fill it in again.').waitFor();
    const area = page.getByLabel('Request body (JSON)');
    expect(await area.inputValue()).toBe(JSON.stringify({ from: portal.sandbox.from, to: [], text: '' }, null, 2));
    await page.getByRole('button', { name: 'Run dry run' }).click();
    await page.getByText('"reason": "EMPTY_RECIPIENTS"').waitFor();
    await area.fill('{');
    await page.getByRole('button', { name: 'Run dry run' }).click();
    await page.getByText('This is not valid JSON', { exact: false }).first().waitFor();
    await area.fill(JSON.stringify({ from: portal.sandbox.from, to: ['12025550100'], text: 'Again' }));
    await page.getByRole('button', { name: 'Run dry run' }).click();
    await page.getByText('"dryRun": true').waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'request-replayed');
    const q = encodeURIComponent('text:"Again"');
    const sent = await portal.context.request.get(`${portal.url}/api/portal/v1/messages?q=${q}`);
    expect(((await sent.json()) as { data: { messages: unknown[] } }).data.messages).toEqual([]);
  });

  it('rebuilds the request of a stored message, and finds it by its id and by its name', async () => {
    const { page, go } = portal;
    await go('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('request log');
    await page.getByRole('menuitem', { name: 'Request log', exact: true }).click();
    await page.waitForURL('**/requests');
    await go(`/requests/${ids.sent}`);
    await page.getByText('Put together from the stored message.', { exact: false }).waitFor();
    await page.getByText('My code is 4711').waitFor();
    await page.getByRole('table', { name: 'Messages of this request' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await wideAndNarrow(portal, 'request-sent-dark');
    await page.getByRole('button', { name: 'Replay as dry run' }).click();
    await page.getByRole('button', { name: 'Run dry run' }).click();
    await page.getByText('"dryRun": true').waitFor();
    expect(portal.problems).toEqual([]);
  });
});
