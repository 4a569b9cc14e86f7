/**
 * Quiet hours in a real browser: set, shown where a text is written and where it waits, removed; and the shape of new
 * keys.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

const hourMs = 3_600_000;
/** A time field's value, in UTC. */
const clock = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString().slice(11, 16);

describe.skipIf(noBrowser)('quiet hours', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });

  const path = '/settings/company';
  const save = async (): Promise<void> => {
    await portal.page.getByRole('button', { name: 'Save quiet hours' }).click();
  };
  const toggle = (name: string) => portal.page.locator('label', { has: portal.page.getByRole('switch', { name }) });

  it('are set in the settings, and say what they mean now', async () => {
    const { page, go } = portal;
    await go(path);
    await page.getByText('There are none: messages go at any hour.').waitFor();
    await toggle('Keep quiet hours').click();
    await page.getByLabel('From', { exact: true }).fill('08:00');
    await page.getByLabel('Until', { exact: true }).fill('08:00');
    await save();
    await page.getByText('They begin and end at 08:00', { exact: false }).first().waitFor();
    await page.getByLabel('From', { exact: true }).fill(clock(2));
    await page.getByLabel('Until', { exact: true }).fill(clock(4));
    await save();
    await page.getByText(/^Now open\. Next quiet: (today|tomorrow) /).waitFor();
    await page.getByLabel('From', { exact: true }).fill(clock(-1));
    await page.getByLabel('Until', { exact: true }).fill(clock(1));
    await save();
    await page.getByText(/^Quiet now, until (today|tomorrow) .*\(UTC\)\.$/).waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'quiet-hours');
  });

  it('do not block the form beside them', async () => {
    const { page } = portal;
    await toggle('New API keys begin with the exact shape').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. The changes apply from the next message on.').waitFor();
    await portal.go('/settings/company/api-keys');
    await page.getByRole('button', { name: 'Create key pair' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key pair' });
    await dialog.getByText('Your company begins new pairs with it on', { exact: false }).waitFor();
    expect(await dialog.getByRole('checkbox', { name: /^Exact shape/ }).isChecked()).toBe(true);
    await portal.screenshot('quiet-keys');
  });

  it('hold a text, say so where it is written and where it waits, and release it when they end', async () => {
    const { page, go } = portal;
    await go('/');
    await page.getByText(/^Quiet hours: messages sent now wait until /).waitFor();
    await portal.screenshot('quiet-home');
    await go('/messages/new?to=12025550100');
    await page.getByText(/^This message will wait until /).waitFor();
    await page.getByLabel('Text', { exact: true }).fill('Sleep well');
    await wideAndNarrow(portal, 'quiet-compose');
    const sent = page.waitForResponse((answer) => answer.url().endsWith('/send') && answer.status() === 200);
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const { schema } = (await (await sent).json()) as { schema: { resultResponses: { messageId: string }[] } };
    const { messageId } = schema.resultResponses[0]!;
    await go(`/messages/${messageId}`);
    await page
      .getByText(/Held by the company's quiet hours until .* \(UTC\)\./)
      .first()
      .waitFor();
    expect(await page.locator('ol').getByText('Sending').count()).toBe(0);
    await wideAndNarrow(portal, 'quiet-message');

    await go(path);
    await toggle('Keep quiet hours').click();
    await save();
    await page.getByText('There are none: messages go at any hour.').waitFor();
    await go(`/messages/${messageId}`);
    await page.getByText('Delivered').first().waitFor();
    expect(portal.problems).toEqual([]);
  });
});
