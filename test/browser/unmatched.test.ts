/**
 * A receipt that names no message, assigned to one by hand in a real browser; and one that cannot be assigned, with the
 * reason.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

/** The sandbox reports the outcome for this handset only after a minute. */
const slowHandset = '12025550112';

/** Stores a receipt for an unknown message id, as the gateway would; the simulated carrier never sends one. */
function keepReceipt({ sandbox }: Portal, carrier: string, carrierMessageId: string): void {
  const db = new DatabaseSync(join(sandbox.dataDir, 'store.db'), { timeout: 5_000 });
  const raw = `id:${carrierMessageId} sub:001 dlvrd:001 stat:DELIVRD err:000 text:Given by hand`;
  db.prepare(
    `insert into receipts (carrier, recipient, carrier_message_id, state, id_keys, code, carrier_code, raw, received_at)
     values (?, ?, ?, 'delivered', ?, 'DELIVERED', '000', ?, ?)`,
  ).run(carrier, slowHandset, carrierMessageId, JSON.stringify([carrierMessageId]), raw, Date.now());
  db.close();
}

describe.skipIf(noBrowser)('receipts that match nothing', () => {
  it('are assigned to the message that a person picks', async () => {
    const portal = await openPortal();
    const { page, go, sandbox } = portal;
    const messageId = await sandbox.text(slowHandset, 'Given by hand');
    const settled = await sandbox.text('12025550100', 'Has its word');
    await sandbox.until(messageId, ['sent']);
    const { carrier } = (await sandbox.until(settled, ['delivered'])) as { carrier: string };
    keepReceipt(portal, carrier, '0A3F-x');
    keepReceipt(portal, carrier, 'second');
    await go('/carriers?tab=unmatched');
    await page.getByRole('tab', { name: 'Unmatched receipts (2)' }).waitFor();
    await page.getByRole('button', { name: 'Match by hand receipt 0A3F-x' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its text begins as the receipt quotes it.').waitFor();
    await wideAndNarrow(portal, 'unmatched-candidates');
    expect(await faultsWithin(portal)).toEqual([]);
    await dialog.getByLabel('Another message, by its id').fill(settled);
    await dialog.getByRole('button', { name: 'Look' }).click();
    await dialog.getByText('It went to another handset', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Show all that may be meant' }).click();
    await dialog.getByRole('button', { name: `Choose message ${messageId}` }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation.getByText('never taken back', { exact: false }).waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await wideAndNarrow(portal, 'unmatched-confirm');
    await confirmation.getByRole('button', { name: 'Give it to this message' }).click();
    await page.getByText('The message is delivered now.').waitFor();
    await page.getByRole('tab', { name: 'Unmatched receipts (1)' }).waitFor();
    await sandbox.until(messageId, ['delivered']);

    await page.getByRole('button', { name: 'Match by hand receipt second' }).click();
    await dialog.getByLabel('Another message, by its id').fill(messageId);
    await dialog.getByRole('button', { name: 'Look' }).click();
    await dialog.getByText('It has its last word already', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('cell', { name: 'Matched a receipt by hand', exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('tab', { name: 'Unmatched receipts (1)' }).click();
    await wideAndNarrow(portal, 'unmatched-dark');
    expect(portal.problems).toEqual([]);
  });
});
