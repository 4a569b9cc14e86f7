/**
 * Routing rules in a real browser: drafted, moved, tried on what was sent, published; an earlier version compared and taken
 * back; somebody else publishing meanwhile; and the tester.
 */
import axe from 'axe-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

let portal: Portal;

/** A picture of it at both widths, and nothing wider than the narrow one. */
async function picture(name: string): Promise<void> {
  const { page } = portal;
  await portal.screenshot(`${name}-wide`);
  await page.setViewportSize({ width: 360, height: 740 });
  const html = 'document.documentElement';
  const tooWide = await page.evaluate<number>(`${html}.scrollWidth - ${html}.clientWidth`);
  await portal.screenshot(`${name}-narrow`);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect([name, tooWide]).toEqual([name, 0]);
}

async function faultsOf(where: string): Promise<string[]> {
  await portal.page.evaluate(axe.source);
  const found = await portal.page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run('${where}', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })`,
  );
  return found.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
}

/** Puts a rule for the sandbox into the draft of whoever's page it is. */
async function draftRule({ page }: Portal, id: string, prefix: string, priority: string): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a rule' });
  await dialog.getByLabel('Id', { exact: true }).fill(id);
  await dialog.getByRole('button', { name: 'Environment' }).click();
  await page.getByRole('option', { name: 'sandbox' }).click();
  await dialog.getByLabel('Recipients beginning with').fill(prefix);
  await dialog.getByLabel('Priority', { exact: true }).fill(priority);
  await dialog.getByRole('button', { name: 'Carrier 1' }).click();
  await page.getByRole('option', { name: /sim-mm7/ }).click();
  await dialog.getByRole('button', { name: 'Put into the draft' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const publish = async ({ page }: Portal) => {
  await page.getByRole('button', { name: 'See what would change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
};

describe.skipIf(noBrowser)('routing rules', () => {
  beforeAll(async () => {
    portal = await openPortal();
  }, 120_000);

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
    await picture('rules-draft');
    expect(await faultsOf('main')).toEqual([]);
    await page.getByRole('button', { name: 'See what would change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Of the last message 1 would go another way.').waitFor();
    await dialog.getByText('1 of them would go nowhere', { exact: false }).waitFor();
    await dialog.getByText('nowhere (NO_ROUTE)').waitFor();
    await picture('rules-impact');
    expect(await faultsOf('[role=dialog]')).toEqual([]);
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
    await publish(portal);
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions of us-2' }).waitFor();
    // Refused before it stands in the draft.
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('dialog').getByLabel('Id', { exact: true }).fill('us-2');
    await page.getByRole('dialog').getByLabel('Priority', { exact: true }).fill('soon');
    await page.getByRole('dialog').getByRole('button', { name: 'Put into the draft' }).click();
    await page.getByRole('dialog').getByText('allowed: a whole number', { exact: false }).first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }, 60_000);

  it('say where a message would go, and why not by the others', async () => {
    const { page, go, sandbox } = portal;
    await go('/routes?tab=tester');
    await page.getByLabel('From', { exact: true }).fill(sandbox.from);
    await page.getByLabel('To', { exact: true }).fill('+1 202 555 0100');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/^Rule .* sends it to /).waitFor();
    await page.getByRole('cell', { name: 'other prefix: only recipients beginning with 44' }).waitFor();
    await picture('rules-tester');
  }, 60_000);

  it('go back to an earlier version; meeting somebody else is told', async () => {
    const { page, go } = portal;
    await go('/routes?tab=versions');
    await page.getByRole('cell', { name: 'us-2 added' }).waitFor();
    await picture('rules-versions');
    await page
      .getByRole('button', { name: /^Compare version/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('cell', { name: 'removed' }).waitFor();
    expect(await faultsOf('[role=dialog]')).toEqual([]);
    await picture('rules-compare');
    await dialog.getByRole('button', { name: 'Take it into a draft' }).click();
    await page.getByText('Draft: 1 rule differs from what is published').waitFor();

    const other = await openBrowser(portal.sandbox);
    await other.go('/routes');
    await draftRule(other, 'theirs', '33', '5');
    await publish(other);
    await other.page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    await page.getByText('Somebody published other rules meanwhile').waitFor();
    await picture('rules-behind');
    await page.getByRole('button', { name: 'Bring my changes over theirs' }).click();
    await page.getByText('Draft: 1 rule differs from what is published').waitFor();
    await publish(portal);
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions of theirs' }).waitFor();
    expect(await page.getByRole('button', { name: 'Actions of us-2' }).count()).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await draftRule(portal, 'dark', '1', '5');
    await picture('rules-dark');
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByText('Draft:', { exact: false }).waitFor({ state: 'detached' });
    expect([...portal.problems, ...other.problems]).toEqual([]);
  }, 60_000);
});
