/** The inbox on the screen: its height, names, keys, search, canned replies, who else is here; without axe faults. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openBrowser, openPortal, type Portal, signIn, wideAndNarrow } from './fixture.ts';

const phones = ['12025550100', '12025550101', '12025550102', '12025550103'];
const [maria, other] = phones as [string, string];
let portal: Portal;

async function writes(from: string, text: string): Promise<void> {
  const answer = await portal.sandbox.post(`/api/v1/sandbox/handsets/${from}/reply`, { to: portal.sandbox.from, text });
  if (answer.status !== 200) throw new Error(answer.text);
}

const threadAt = (peer: string) => `/conversations/${portal.sandbox.from}/${peer}`;
const thread = () => portal.page.getByRole('region', { name: 'Conversation', exact: true });
const chat = () => portal.page.getByRole('list', { name: 'Conversation', exact: true });
/** A figure of the page. */
const figure = (code: string) => portal.page.evaluate<number>(code);
const box = async (what: ReturnType<typeof chat>) => {
  const found = await what.boundingBox();
  if (found === null) throw new Error('It is not on the screen.');
  return found;
};

describe.skipIf(noBrowser)('the inbox', () => {
  beforeAll(async () => {
    portal = await openPortal();
    for (const phone of phones) await writes(phone, `Hello, this is ${phone.slice(-4)}`);
    for (let n = 0; n < 24; n++) await writes(maria, `Question ${n}: where is my parcel?`);
    await portal.go('/conversations');
    await portal.page.getByText(/Question 23/).waitFor();
  });
  afterEach(() => expect(portal.problems).toEqual([]));

  it('uses the height: the newest at the bottom, the reply box below, and only the messages scroll', async () => {
    const { page } = portal;
    await page.getByRole('link', { name: /Question 23/ }).click();
    await chat().getByText('Question 23').waitFor();
    const reply = await box(page.getByRole('textbox', { name: 'Reply' }));
    const newest = await box(chat().getByText('Question 23'));
    const list = await box(chat());
    expect(await figure('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    expect(list.height).toBeGreaterThan(450);
    expect(reply.y).toBeGreaterThan(newest.y);
    expect(reply.y + reply.height).toBeLessThan(800);
    expect(list.y + list.height - (newest.y + newest.height)).toBeLessThan(60);
    await chat().evaluate((one) => (one as unknown as { scrollTo(to: object): void }).scrollTo({ top: 0 }));
    await page.locator('[data-state="live"]').waitFor();
    await writes(maria, 'One more');
    await chat().getByText('One more').waitFor();
    // A reader of older messages keeps their scroll position.
    expect(await chat().evaluate((one) => (one as unknown as { scrollTop: number }).scrollTop)).toBe(0);
    expect(await figure('scrollY')).toBe(0);
    await wideAndNarrow(portal, 'inbox');
  });

  it('leaves the list where it is, and the focus on the row that was opened', async () => {
    const { page } = portal;
    await portal.go('/conversations');
    const row = page.getByRole('link', { name: /this is 0102/ });
    await row.evaluate((one) => ((one as unknown as { mark: boolean }).mark = true));
    await row.click();
    await chat().getByText('this is 0102').waitFor();
    const current = page.locator('[data-row] a[aria-current="page"]');
    expect(await current.evaluate((one) => (one as unknown as { mark?: boolean }).mark)).toBe(true);
    expect(await figure('document.activeElement.getAttribute("aria-current") === "page" ? 1 : 0')).toBe(1);
  });

  it('is gone through by keys: j and k, r, Esc, e', async () => {
    const { page } = portal;
    await portal.go(threadAt(phones[2]!));
    await chat().getByText('this is 0102').waitFor();
    await page.locator('[data-row] a[aria-current="page"]').waitFor();
    await page.keyboard.press('k');
    await chat().getByText('this is 0103').waitFor();
    await page.keyboard.press('j');
    await chat().getByText('this is 0102').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('eel');
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('eel');
    await page.keyboard.press('Escape');
    expect(page.url()).toContain(phones[2]);
    await page.keyboard.press('e');
    await thread().getByRole('button', { name: 'Open again' }).waitFor();
    await page.keyboard.press('e');
    await thread().getByRole('button', { name: 'Done', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Pick a conversation').waitFor();
  });

  it('has names, notes and tags, and finds conversations by them and by words in messages', async () => {
    const { page } = portal;
    await portal.go(threadAt(maria));
    await thread().getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Add contact' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Maria Lopez');
    await page.getByRole('textbox', { name: 'Note' }).fill('Calls back on Fridays');
    await page.getByRole('textbox', { name: 'Tags' }).fill('vip, wholesale');
    expect(await faultsWithin(portal)).toEqual([]);
    await portal.screenshot('inbox-contact');
    await page.getByRole('button', { name: 'Save' }).click();
    await thread().getByRole('heading', { name: 'Maria Lopez' }).waitFor();
    await thread().getByText('Calls back on Fridays').waitFor();
    await page.getByRole('link', { name: /Maria Lopez.*One more/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('whole');
    await page.getByRole('link', { name: /Maria Lopez/ }).waitFor();
    await page.getByText('No message has these words.').waitFor();
    expect(await page.getByRole('link', { name: /this is 0101/ }).count()).toBe(0);
    await page.getByRole('searchbox').fill('this is 0101');
    const found = page.getByRole('region', { name: 'In messages' });
    await found.getByRole('link', { name: /this is 0101/ }).click();
    await page.waitForURL(new RegExp(other));
    await chat().getByText('this is 0101').waitFor();
    await portal.screenshot('inbox-search');
  });

  it('takes contacts from a file, and gives them as one', async () => {
    const { page } = portal;
    await portal.go('/conversations');
    await page.getByRole('button', { name: 'Contacts' }).click();
    await page.getByRole('menuitem', { name: 'Import CSV' }).click();
    const text = `contact,name\n${other},Bo Berg\nnobody,Ann\n`;
    await page.setInputFiles('input[type=file]', { name: 'c.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('cell', { name: /A contact is named by its number/ }).waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await portal.screenshot('inbox-import');
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('link', { name: /Bo Berg/ }).waitFor();
    await page.getByRole('button', { name: 'Contacts' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export CSV' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(`${other},Bo Berg,,\r\n`);
    await wideAndNarrow(portal, 'inbox-list');
  });

  it('looks further back for words by itself, and says where it stopped', async () => {
    const { page } = portal;
    let steps = 0;
    await page.route(/portal\/v1\/messages\?/, async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      steps += 1;
      json.data.messages = [];
      json.next = steps < 15 ? `msg_${String(steps).padStart(26, '0')}` : null;
      await route.fulfill({ json });
    });
    await portal.go('/conversations?q=parcel');
    await page.getByText('Nothing was found so far.').waitFor();
    expect(steps).toBe(10);
    await page.getByRole('button', { name: 'Look further back' }).click();
    await expect.poll(() => steps).toBe(11);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('answers with canned replies, and sends none with a placeholder left in it', async () => {
    const { page } = portal;
    await portal.go(threadAt(maria));
    await thread().getByRole('button', { name: 'Canned replies' }).click();
    await page.getByRole('menuitem', { name: 'Manage canned replies' }).click();
    await page.getByRole('button', { name: 'Add a canned reply' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Fill this in.').first().waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('On its way');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hi {{name}}, it is on its way. {{me}}');
    expect(await faultsWithin(portal)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    const remove = page.getByRole('button', { name: 'Remove On its way' });
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    expect(await faultsWithin(portal)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await remove.waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await portal.screenshot('inbox-canned');
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    // Sending the dialog's form does not send the reply's form.
    expect(await page.getByText('Type something').count()).toBe(0);
    const pick = async () => {
      await thread().getByRole('button', { name: 'Canned replies' }).click();
      await page.getByRole('menuitem', { name: /On its way/ }).click();
    };
    const reply = page.getByRole('textbox', { name: 'Reply' });
    await pick();
    expect(await reply.inputValue()).toBe('Hi Maria Lopez, it is on its way. ada');
    await page.getByRole('button', { name: 'Send' }).click();
    await chat().getByText('Hi Maria Lopez').waitFor();
    await portal.go(threadAt(phones[3]!));
    await pick();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Replace {{name}} first.').waitFor();
    expect(await chat().getByText('{{name}}').count()).toBe(0);
  });

  it('says who else looks at a conversation, until they leave', async () => {
    const bob = { email: 'bob@example.com', password: 'violins under the pear tree' };
    const invite = { email: bob.email, role: 'Support' };
    const api = `${portal.url}/api/portal/v1`;
    const me = await (await portal.context.request.get(`${api}/me`)).json();
    const headers = { origin: portal.url, 'sec-fetch-site': 'same-origin', 'x-helio-csrf': me.data.csrf };
    const invited = await portal.context.request.post(`${api}/users/invitations`, { headers, data: invite });
    const { link } = (await invited.json()).data;
    const key = link.split('#k=')[1];
    const guest = await openBrowser(portal.sandbox, { signedIn: false });
    const data = { key, name: 'Bob', password: bob.password };
    await guest.context.request.post(`${api}/invitation`, {
      headers: { origin: portal.url, 'sec-fetch-site': 'same-origin' },
      data,
    });
    await signIn(guest.context, portal.url, bob);
    await portal.go(threadAt(maria));
    await portal.page.locator('[data-state="live"]').waitFor();
    await guest.go(threadAt(maria));
    await guest.page.getByText('ada is looking at this too').waitFor();
    await portal.page.getByText('Bob is looking at this too').waitFor();
    await portal.screenshot('inbox-here');
    await guest.go('/conversations');
    await portal.page.getByText('Bob is looking at this too').waitFor({ state: 'detached' });
    await guest.context.close();
  });

  it('has no axe fault, in light and dark, wide and narrow; notices are off until somebody turns them on', async () => {
    const { page } = portal;
    await portal.go(threadAt(maria));
    await chat().getByText('Hi Maria Lopez').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => faultsWithin(portal, 'main')).toEqual([]);
      await portal.screenshot(`inbox-${colorScheme}`);
      await page.setViewportSize({ width: 360, height: 740 });
      await wait(200);
      expect(await faultsWithin(portal, 'main')).toEqual([]);
      await portal.screenshot(`inbox-${colorScheme}-360`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Notifications in this browser' }).click();
    const sound = page.getByRole('switch', { name: 'Play a sound for new messages' });
    expect(await sound.isChecked()).toBe(false);
    expect(await faultsWithin(portal)).toEqual([]);
    await portal.screenshot('inbox-notices');
    await page.keyboard.press('Escape');
  });

  it('plays a sound for new messages once somebody turned it on here', async () => {
    const { page } = portal;
    await page.addInitScript(`
      window.tones = 0;
      const node = () => ({ connect() {}, gain: node2(), frequency: node2(), start() { tones++ }, stop() {} });
      const node2 = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
      window.AudioContext = class { currentTime = 0; createGain = node; createOscillator = node; close() {} };
    `);
    const tones = () => page.evaluate<number>('tones');
    await portal.go('/conversations');
    await page.locator('[data-state="live"]').waitFor();
    await writes(other, 'Unheard');
    await page.getByRole('link', { name: /Unheard/ }).waitFor();
    await page.getByRole('button', { name: 'Notifications in this browser' }).click();
    const sound = page.getByRole('switch', { name: 'Play a sound for new messages' });
    expect([await sound.isChecked(), await tones()]).toEqual([false, 0]);
    await sound.click({ force: true });
    // Turning the sound on plays it once as a sample.
    await expect.poll(tones).toBe(1);
    await page.keyboard.press('Escape');
    await writes(other, 'Heard');
    await expect.poll(tones).toBe(2);
    await portal.go('/messages');
    await page.locator('[data-state="live"]').waitFor();
    expect(await tones()).toBe(0);
    await writes(other, 'Heard elsewhere too');
    await expect.poll(tones).toBe(1);
  });
});
