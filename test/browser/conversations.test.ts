/** Conversations as a team handles them, the check before a message is sent, and the portal by keyboard alone. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';

const phone = '12025550100';
const other = '12025550101';
let portal: Portal;

/** A reply from a handset of the sandbox; resolves once it is in the inbox. */
async function writes(from: string, text: string): Promise<void> {
  const answer = await portal.sandbox.post(`/api/v1/sandbox/handsets/${from}/reply`, { to: portal.sandbox.from, text });
  if (answer.status !== 200) throw new Error(answer.text);
}

describe.skipIf(noBrowser)('conversations', () => {
  beforeAll(async () => {
    portal = await openPortal();
    await portal.sandbox.text(phone, 'Hello');
    await writes(phone, 'When do you open?');
    await writes(other, 'STOP');
    await portal.go('/conversations');
    await portal.page.getByText('When do you open?').waitFor();
  });
  afterEach(() => expect(portal.problems).toEqual([]));

  it('are assigned to somebody, and found by that', async () => {
    const { page } = portal;
    await page.getByRole('link', { name: /When do you open/ }).click();
    const thread = page.getByRole('region', { name: 'Conversation', exact: true });
    await thread.getByRole('button', { name: 'Unassigned' }).click();
    await page
      .getByRole('menuitemradio', { name: 'Me' })
      .or(page.getByRole('menuitem', { name: 'Me' }))
      .click();
    await page.getByRole('link', { name: /When do you open.*Assigned to/ }).waitFor();
    await thread.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: 'Changed a conversation' }).first().waitFor();
    await portal.screenshot('conversation-activity');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Mine' }).click();
    await page.getByRole('link', { name: /When do you open/ }).waitFor();
    expect(page.url()).toContain('assigned=me');
    await portal.go('/conversations?assigned=nobody');
    await page.getByRole('link', { name: /555-0101.*You: / }).waitFor();
    expect(await page.getByRole('link', { name: /When do you open/ }).count()).toBe(0);
    await portal.screenshot('conversations-nobody');
  });

  it('are snoozed; the next message brings them back and is announced', async () => {
    const { page } = portal;
    await portal.go(`/conversations/${portal.sandbox.from}/${phone}`);
    await page.getByRole('button', { name: 'Snooze', exact: true }).click();
    await page.getByRole('menuitem', { name: 'For an hour' }).click();
    await page.getByText(/^Snoozed until .*It comes back/).waitFor();
    await portal.screenshot('conversation-snoozed');
    await portal.go('/conversations');
    await page.getByRole('link', { name: /555-0101.*You: / }).waitFor();
    expect(await page.getByRole('link', { name: /When do you open/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Snoozed' }).click();
    await page.getByRole('link', { name: /When do you open.*Snoozed until/ }).waitFor();
    expect(page.url()).toContain('state=snoozed');
    await portal.go('/conversations');
    await page.locator('[data-state="live"]').waitFor();
    await writes(phone, 'Hello?');
    await page.getByRole('link', { name: /Hello\?/ }).waitFor();
    await page.getByRole('status').getByText('New message from 1 (202) 555-0100').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Unread' }).click();
    await page.getByRole('link', { name: /Hello\?.*1 unread message/ }).click();
    // It stays in the list while it is open and disappears afterwards.
    await page.getByRole('link', { name: /Hello\?/ }).waitFor();
    await page.locator('[data-row] a:not(:has-text("unread"))').waitFor();
    await page.getByRole('link', { name: /555-0101/ }).click();
    await page.getByRole('link', { name: /Hello\?/ }).waitFor({ state: 'detached' });
  });

  it('say why somebody who opted out cannot be answered', async () => {
    await portal.go(`/conversations/${portal.sandbox.from}/${other}`);
    await portal.page.getByText('This conversation is closed').waitFor();
    await portal.page.getByText(/opted out by a keyword/).waitFor();
    expect(await portal.page.locator('[data-reply]').count()).toBe(0);
  });

  it('keep a reply that is being written, and only what is written of it after it was sent', async () => {
    const { page } = portal;
    const box = page.getByRole('textbox', { name: 'Reply' });
    const conversation = `/conversations/${portal.sandbox.from}/${phone}`;
    const awayAndBack = async () => {
      await page.getByRole('link', { name: 'Numbers', exact: true }).click();
      await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
      await page.goBack();
      await box.waitFor();
    };
    await portal.go(conversation);
    await box.fill('We open at');
    await awayAndBack();
    expect(await box.inputValue()).toBe('We open at');
    await page.reload();
    await box.waitFor();
    expect(await box.inputValue()).toBe('We open at');
    await portal.go(`/conversations/${portal.sandbox.from}/12025550102`);
    expect(await box.inputValue()).toBe('');
    await portal.go(conversation);

    let letGo = (): void => {};
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route('**/portal/v1/send', async (route) => {
      await held;
      await route.continue();
    });
    await box.fill('We open at 9');
    await box.press('Enter');
    await box.pressSequentially(' and close');
    const answered = page.waitForResponse('**/portal/v1/send');
    letGo();
    await answered;
    await expect.poll(() => box.inputValue()).toBe('and close');
    await page.unroute('**/portal/v1/send');
    await page.getByRole('link', { name: 'We open at 9' }).waitFor();

    const store = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
    expect(await store()).toContain('and close');
    await page.route('**/portal/v1/send', (route) => route.fulfill({ status: 400, json: { success: false } }));
    await box.press('Enter');
    await page.getByRole('alert').first().waitFor();
    await awayAndBack();
    expect(await box.inputValue()).toBe('and close');
    await page.unroute('**/portal/v1/send');
    await box.fill('');
    expect(await store()).not.toContain('helio-replies');
  });

  it('go by keys from row to row, and Esc empties the search', async () => {
    const { page } = portal;
    await portal.go('/conversations');
    await page.getByRole('link', { name: /555-0101.*You: / }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/conversations\/\d+\/\d+/);
    await page.locator('body').press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search numbers' });
    await search.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('0199');
    expect(await search.inputValue()).toBe('0199');
    await page.keyboard.press('Escape');
    expect(await search.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/numbers\/\d+/);
  });

  it('close the palette with one Esc, whatever was typed', async () => {
    const { page } = portal;
    await portal.go('/settings/users');
    await page.locator('body').press('/');
    const palette = page.getByRole('dialog', { name: 'Search or jump' });
    await palette.waitFor();
    await page.keyboard.type('camp');
    await palette.getByRole('menuitem', { name: 'Campaigns' }).waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  it('leave single keys alone when they are turned off', async () => {
    const { page } = portal;
    await portal.go('/profile');
    const toggle = page.getByRole('switch', { name: /Single/ });
    await toggle.evaluate((one) => (one as unknown as { click(): void }).click());
    await wait(300);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await wait(300);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toContain('/profile');
    await toggle.evaluate((one) => (one as unknown as { click(): void }).click());
    await wait(300);
  });

  it('say before a message is sent who is skipped and why, and send nothing', async () => {
    const { page, sandbox } = portal;
    const count = async () => (await sandbox.get('/api/v1/messages?limit=50')).json.data.length;
    const before = await count();
    await portal.go('/messages/new');
    await page.getByRole('textbox', { name: 'To' }).fill(`${phone} ${other} ${phone}`);
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('It’s open');
    await page.getByText('1 of 2 recipients').waitFor();
    await page.getByText('1 recipient is skipped').waitFor();
    await page.getByRole('link', { name: 'OPTED_OUT' }).waitFor();
    await page.getByText('1 number stands here twice and is sent to once.').first().waitFor();
    await portal.screenshot('compose-preview');
    await page.getByRole('button', { name: /^Replace ’ with '/ }).click();
    await page.getByText('GSM-7 · 1 segment', { exact: true }).waitFor();
    await page.getByRole('button', { name: /From$/ }).click();
    expect(await page.getByRole('option', { name: '1 (202) 555-0197' }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    expect(await count()).toBe(before);
  });
});
