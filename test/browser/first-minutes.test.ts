/**
 * The first minutes of a newcomer in a browser: set up, send, see the text arrive, inspect it, using the mouse only.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../props/sandbox.ts';
import { noBrowser, openBrowser, type Portal } from './fixture.ts';

const minute = 60_000;

/** The gateway's output at its start. */
function startCard({ sandbox }: Portal): string {
  return readFileSync(join(sandbox.dataDir, '..', 'gateway.stdout'), 'utf8');
}

const grace = { email: 'grace@example.com', name: 'Grace', password: 'violins under the pear tree' };

/** Creates the first administrator with the key of the start card, which also signs the browser in. */
async function setUp(portal: Portal): Promise<void> {
  await expect.poll(() => startCard(portal)).toContain('Lost this?');
  const key = /setup#k=(\S+)/.exec(startCard(portal))?.[1];
  const made = await portal.context.request.post(`${portal.url}/api/portal/v1/setup`, {
    headers: { origin: portal.url, 'sec-fetch-site': 'same-origin' },
    data: { key, ...grace },
  });
  expect(made.status()).toBe(200);
}

describe.skipIf(noBrowser)('the first minutes', { timeout: 3 * minute }, () => {
  const open: { stop(): Promise<void> }[] = [];
  afterAll(() => Promise.all(open.map((one) => one.stop())));

  async function newcomer(): Promise<Portal> {
    const sandbox = await startSandbox();
    open.push(sandbox);
    return openBrowser(sandbox, { signedIn: false });
  }

  it('leads from the one-time link to a delivered text and its timeline', async () => {
    const portal = await newcomer();
    const { page } = portal;
    await expect.poll(() => startCard(portal)).toContain('(2 sessions up)');
    const link = /setup#k=\S+/.exec(startCard(portal))?.[0];
    expect(link, 'the link of the start card').toBeDefined();
    await page.goto(`/${link}`);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByLabel('Password', { exact: true }).fill('violins under the pear tree');
    await page.getByRole('button', { name: 'Create administrator' }).click();

    await page.getByRole('heading', { name: 'Get to your first conversation' }).waitFor();
    await page.getByText('3 of 6 done').waitFor();
    expect(await page.locator('pre').first().innerText()).toContain('at_sbx_••••');
    // An idle MMS session is no problem.
    await page.getByText('Nothing. Problems will be listed here with a fix.').waitFor();
    await portal.screenshot('home-first');
    await portal.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy Send a text' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain(`apikey=${portal.sandbox.credentials.authToken}`);
    expect(await copied()).toContain(`Bearer ${portal.sandbox.credentials.bearerToken}`);
    expect(await page.locator('pre').first().innerText()).toContain('at_sbx_••••');
    await page.getByRole('button', { name: 'Reveal credentials' }).click();
    await page.getByText(portal.sandbox.credentials.authToken).waitFor();
    await page.getByRole('radio', { name: 'Python' }).click();
    expect(await page.locator('pre').first().innerText()).toContain('urllib.request');

    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('"reason":"SUCCESS"').waitFor();
    await page.getByText('X-Request-Id: req_').waitFor();
    const accepted = page.locator('[data-step=accepted]');
    await accepted.getByText(/delivered in/).waitFor();
    await page.locator('[data-figure=sent]').getByText('1', { exact: true }).waitFor();
    await portal.screenshot('home-sent');

    await accepted.getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    const events = page.getByRole('list').filter({ hasText: 'The request was answered' }).getByRole('listitem');
    await events.filter({ hasText: 'the handset has it' }).waitFor();
    expect(await events.filter({ hasText: /^\d\d:\d\d:\d\d\.\d{3}/ }).count()).toBeGreaterThanOrEqual(5);
    await events.filter({ hasText: 'message.delivered → ' }).waitFor();
    await portal.screenshot('message');
    expect(portal.problems).toEqual([]);
  });

  it('ticks the other steps when the handset answers, by the portal or by the API', async () => {
    const portal = await newcomer();
    const { page, sandbox } = portal;
    await setUp(portal);
    await portal.go('/');
    await page.getByText('3 of 6 done').waitFor();
    await sandbox.text('12025550100', 'Hello from a program');
    await page.getByText('4 of 6 done').waitFor();
    await page
      .locator('[data-step=accepted]')
      .getByText(/delivered in/)
      .waitFor();
    const reply = await sandbox.post('/api/v1/sandbox/handsets/12025550100/reply', { text: 'YES' });
    expect(reply.status).toBe(200);
    await page.getByText('6 of 6 done').waitFor();
    await page.locator('[data-step=webhook]').getByRole('link', { name: 'Delivery' }).waitFor();
    // The list is gone and stays gone on the next visit.
    const steps = page.getByRole('heading', { name: 'Get to your first conversation' });
    expect(await steps.count()).toBe(0);
    expect(await page.locator('pre').filter({ hasText: 'SendSMS' }).count()).toBe(0);
    await page.locator('[data-figure=replies]').getByText('1', { exact: true }).waitFor();
    await portal.screenshot('home-done');
    await portal.go('/');
    await page.locator('[data-figure=replies]').waitFor();
    expect(await page.getByText('6 of 6 done').count()).toBe(0);
    expect(await steps.count()).toBe(0);

    await page.getByRole('link', { name: /^break it on purpose/ }).click();
    // Causes one failure after another and follows its link; each step first undoes the one before.
    const item = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await page.getByRole('button', { name: 'Switch it off and send' }).click();
    await item('The handset is off').getByRole('button', { name: 'Switch it on' }).waitFor();
    await page.getByRole('button', { name: 'Fill it and send' }).click();
    await page.getByText('It is on again and receives the waiting messages.').waitFor();
    await item('Its inbox is full').getByRole('link', { name: 'its timeline' }).click();
    await page.getByText('Undelivered').first().waitFor();
    await portal.go('/handsets');
    await page.getByRole('button', { name: 'Text STOP' }).click();
    await item('The person texts STOP').getByRole('button', { name: 'Text START' }).waitFor();
    await page.getByRole('button', { name: 'Drop it and send' }).click();
    await item('The link to the carrier drops').getByRole('link', { name: 'its timeline' }).waitFor();
    await page.getByRole('button', { name: 'Switch it off and send' }).click();
    await item('The handset is off').getByRole('link', { name: 'its timeline' }).waitFor();
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await page.getByText('It is on again and receives the waiting messages.').waitFor();
    await page.getByRole('button', { name: 'Text STOP' }).click();
    await portal.screenshot('handsets-broken');
    await page.getByRole('link', { name: 'Opt-outs' }).last().click();
    await page.getByRole('row', { name: /555-0100/ }).waitFor();
    expect(portal.problems).toEqual([]);

    const narrow = await openBrowser(sandbox, { width: 360, height: 740, dark: true, who: grace });
    for (const [path, last] of [
      ['/handsets', narrow.page.getByRole('heading', { name: 'Connect a real carrier' })],
      ['/', narrow.page.locator('[data-reason]').first()],
    ] as const) {
      await narrow.go(path);
      await last.waitFor();
      expect(await narrow.page.evaluate<number>('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360);
      await narrow.screenshot(path === '/' ? 'home-done-narrow' : 'handsets-narrow');
    }
    expect(narrow.problems).toEqual([]);
  });

  it('follows the tour by clicks: the handset, the answer from it, the delivery and its signature', async () => {
    const portal = await newcomer();
    const { page, sandbox } = portal;
    await setUp(portal);
    await sandbox.text('12025550100', 'Hello from my gateway');
    await portal.go('/');
    await page.getByText('4 of 6 done').waitFor();
    await page.locator('[data-step=answered]').getByRole('link', { name: 'Handset' }).click();
    await page.getByText('Hello from my gateway').first().waitFor();
    await page.getByRole('form', { name: 'Reply from this phone' }).getByRole('textbox').fill('YES');
    await page.keyboard.press('Enter');
    await portal.screenshot('handset-answered');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: 'Webhook inbox' }).first().click();
    await page.getByRole('row').filter({ hasText: 'message.received' }).getByRole('link').first().click();
    await page.getByText('Signature valid').waitFor();
    await page.getByText(/with current secret · clock skew \d s/).waitFor();
    await page
      .getByText(/^\d+ ms$/)
      .first()
      .waitFor();
    expect(portal.problems).toEqual([]);
  });
});
