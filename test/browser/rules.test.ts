/**
 * Routing rules in a real browser: drafted, moved, tried on what was sent, published; an earlier version compared and taken
 * back; somebody else publishing meanwhile; and the tester.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

let portal: Portal;

/** Puts a rule for the sandbox into the draft of the page's user. */
async function draftRule({ page, screenshot }: Portal, id: string, prefix: string, priority: string): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a rule' });
  await dialog.getByLabel('Id', { exact: true }).fill(id);
  await dialog.getByRole('button', { name: 'Environment' }).click();
  await page.getByRole('option', { name: 'sandbox' }).click();
  await dialog.getByLabel('Recipients beginning with').fill(prefix);
  await dialog.getByLabel('Priority', { exact: true }).fill(priority);
  await dialog.getByRole('button', { name: 'Carrier 1' }).click();
  await page.getByRole('option', { name: /sim-mm7/ }).click();
  await dialog.getByText('None of its carriers takes SMS').waitFor();
  await screenshot('rules-form-untaken');
  await dialog.getByRole('button', { name: 'Put into the draft' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const publish = async ({ page }: Portal) => {
  await page.getByRole('button', { name: 'See what would change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
};

/** Rules that also send texts over the MMS carrier need this confirmation to be published. */
const publishAnyway = async ({ page }: Portal) => {
  await page.getByRole('button', { name: 'See what would change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/none of its carriers takes SMS/).waitFor();
  expect(await dialog.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  await dialog.getByText('Publish it so').click();
  await dialog.getByRole('button', { name: 'Publish' }).click();
};

describe.skipIf(noBrowser)('routing rules', () => {
  beforeAll(async () => {
    portal = await openPortal();
  });

  it('are drafted, moved and tried before they count', async () => {
    const { page, go, sandbox } = portal;
    await sandbox.until(await sandbox.text('12025550100', 'Goes by the rules of now'), ['delivered']);
    await go('/routes');
    await draftRule(portal, 'us-1', '12', '1');
    await page.getByText('Draft: 1 rule differs from what is published').waitFor();
    await draftRule(portal, 'us-2', '12', '2');
    await page.getByRole('button', { name: 'Move us-2 up' }).click();
    await page.getByRole('button', { name: 'Move us-2 down' }).waitFor();
    await page.reload();
    await page.getByText('Draft: 2 rules differ from what is published').waitFor();
    await wideAndNarrow(portal, 'rules-draft');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await page.getByRole('button', { name: 'See what would change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Of the last message 1 would go another way.').waitFor();
    await dialog.getByText('1 of them would go nowhere', { exact: false }).waitFor();
    await dialog.getByText('nowhere (NO_ROUTE)').waitFor();
    await wideAndNarrow(portal, 'rules-impact');
    expect(await faultsWithin(portal, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Back to the draft' }).click();
    await page.getByRole('button', { name: 'Actions of us-1' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove rule' }).click();
    await page.getByText('Draft: 1 rule differs from what is published').waitFor();
    await page.getByRole('button', { name: 'Actions of us-2' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Recipients beginning with').fill('44');
    await page.getByRole('dialog').getByRole('button', { name: 'Put into the draft' }).click();
    await page.getByRole('cell', { name: 'beginning with 44' }).waitFor();
    await publishAnyway(portal);
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions of us-2' }).waitFor();
    // The rule is refused before it is in the draft.
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('dialog').getByLabel('Id', { exact: true }).fill('us-2');
    await page.getByRole('dialog').getByLabel('Priority', { exact: true }).fill('soon');
    await page.getByRole('dialog').getByRole('button', { name: 'Put into the draft' }).click();
    await page.getByRole('dialog').getByText('Write a whole number', { exact: false }).first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('say where a message would go, and why the other rules do not apply', async () => {
    const { page, go, sandbox } = portal;
    await go('/routes?tab=tester');
    await page.getByLabel('From', { exact: true }).fill(sandbox.from);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('link', { name: /^To: Write a telephone number/ }).waitFor();
    await page.getByLabel('To', { exact: true }).fill('+1 202 555 0100');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/^Rule .* sends it to /).waitFor();
    await page.getByRole('cell', { name: 'other prefix: only recipients beginning with 44' }).waitFor();
    await wideAndNarrow(portal, 'rules-tester');
  });

  it('go back to an earlier version; a conflict with somebody else is reported', async () => {
    const { page, go } = portal;
    await go('/routes?tab=versions');
    await page.getByRole('cell', { name: 'us-2 added' }).waitFor();
    await wideAndNarrow(portal, 'rules-versions');
    await page
      .getByRole('button', { name: /^Compare version/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('cell', { name: 'removed' }).waitFor();
    expect(await faultsWithin(portal, '[role=dialog]')).toEqual([]);
    await wideAndNarrow(portal, 'rules-compare');
    await dialog.getByRole('button', { name: 'Take it into a draft' }).click();
    await page.getByText('Draft: 1 rule differs from what is published').waitFor();

    const other = await openBrowser(portal.sandbox);
    await other.go('/routes');
    await draftRule(other, 'theirs', '33', '5');
    await publishAnyway(other);
    await other.page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    await page.getByText('Somebody published other rules meanwhile').waitFor();
    await wideAndNarrow(portal, 'rules-behind');
    await page.getByRole('button', { name: 'Bring my changes over theirs' }).click();
    await page.getByText('Draft: 1 rule differs from what is published').waitFor();
    await publish(portal);
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions of theirs' }).waitFor();
    expect(await page.getByRole('button', { name: 'Actions of us-2' }).count()).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await draftRule(portal, 'dark', '1', '5');
    await wideAndNarrow(portal, 'rules-dark');
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    const confirmation = page.getByRole('alertdialog', { name: 'Discard the draft?' });
    await confirmation.getByText('1 changed rule is lost', { exact: false }).waitFor();
    await confirmation.getByRole('button', { name: 'Keep the draft' }).click();
    await page.getByText('Draft:', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await confirmation.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    expect([...portal.problems, ...other.problems]).toEqual([]);
  });
});
