/** Recipients that were refused at acceptance, found in the message log: by number, by reason, by status. */
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('refused recipients in the message log', () => {
  let portal: Portal;

  beforeAll(async () => {
    portal = await openPortal();
    const { sandbox } = portal;
    const { json } = await sandbox.send({
      from: sandbox.from,
      text: 'Sale today',
      to: ['12025550100', '+1 (415) 555-0100', '2'],
    });
    const [sent, ...others] = json.schema.resultResponses;
    expect(others.map((one: { status: string }) => one.status)).toEqual(['INVALID_NUMBER', 'INVALID_NUMBER']);
    await sandbox.until(sent.messageId, ['delivered']);
  });

  it('are offered where a number finds them, and listed with why, and with their request', async () => {
    const { page, go } = portal;
    await go('/messages');
    await page.getByRole('cell', { name: 'Sale today' }).waitFor();
    expect(await page.getByText('refused recipient').count()).toBe(0);
    const search = page.getByRole('combobox', { name: 'Search messages' });
    await search.fill('415 555 0100');
    await search.press('Enter');
    await page.getByText('1 refused recipient matches this search.').waitFor();
    await wideAndNarrow(portal, 'refused-offered');
    await page.getByRole('button', { name: 'Show refused' }).click();
    const row = page.getByRole('row').filter({ hasText: 'INVALID_NUMBER' });
    await row.getByText('Refused', { exact: true }).waitFor();
    expect(await row.count()).toBe(1);
    expect(await row.innerText()).toContain('+1 (415) 555-0100');
    expect(new URL(page.url()).searchParams.get('q')).toBe('415 555 0100 status:refused');
    expect(await page.getByText('No message fits this search').count()).toBe(0);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'refused-number');
    await row.getByRole('link', { name: /^req_/ }).click();
    await page.waitForURL(/\/requests\/req_/);
    await page.getByText('+1 (415) 555-0100', { exact: true }).waitFor();
  });

  it('are listed by status and by reason, beside the messages that the same search finds', async () => {
    const { page, go } = portal;
    const rows = page.getByRole('row').filter({ hasText: 'INVALID_NUMBER' });
    await go('/messages?q=reason:INVALID_NUMBER');
    await page.getByText('2 refused recipients').waitFor();
    expect(await rows.count()).toBe(2);
    await go('/messages?q=status:refused,delivered');
    await page.getByRole('cell', { name: 'Sale today' }).waitFor();
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    await wideAndNarrow(portal, 'refused-and-delivered');
    await go('/messages?q=status:delivered');
    await page.getByRole('cell', { name: 'Sale today' }).waitFor();
    expect(await rows.count()).toBe(0);
    await go('/messages?q=status:refused reason:OPTED_OUT');
    await page.getByText('No refused recipient fits this search').waitFor();
    expect(portal.problems).toEqual([]);
  });
});
