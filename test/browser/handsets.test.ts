/**
 * Handsets and conversations in a real browser: a text appears without a reload, is answered, and the conversation
 * shows it; pictures in both directions; and after a dropped link is repaired, the waiting texts are sent.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tinyPng } from '../../packages/gateway/src/carriers/carrier-fixture.ts';
import { noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

const phone = '12025550100';

describe.skipIf(noBrowser)('handsets and conversations', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });

  it('a text appears without a reload, is answered, and the conversation shows both', async () => {
    const { page, sandbox } = portal;
    await portal.go('/handsets');
    await portal.screenshot('handsets-empty');
    await portal.go(`/handsets/${phone}`);
    await page.getByText('Nothing has come yet').waitFor();
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    const messageId = await sandbox.text(phone, 'Hello from my gateway');
    const chat = page.getByRole('list', { name: 'Messages' });
    await chat.getByText('Hello from my gateway').waitFor({ timeout: 2_000 });
    expect(await page.title()).toBe('(1) 12025550100');
    await chat.getByText('from 1 (202) 555-0199').waitFor();
    await page.getByRole('status').getByText('New message from 1 (202) 555-0199').waitFor({ state: 'attached' });
    const wire = page.getByRole('list', { name: 'Wire' });
    for (const command of ['submit_sm', 'submit_sm_resp', 'deliver_sm', 'deliver_sm_resp']) {
      await wire.getByText(command, { exact: true }).first().waitFor();
    }
    await wire.getByText('receipt DELIVRD err:000').first().waitFor();
    // In order, like the messages beside them, and with the newest visible.
    expect(await wire.getByRole('listitem').first().textContent()).toContain('bind_transceiver');
    await expect.poll(() => wire.getByRole('listitem').last().textContent()).toContain('deliver_sm_resp');
    expect(await wire.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)).toBeLessThan(2);
    await page.getByRole('textbox', { name: 'Reply from this phone' }).fill('Yes please');
    await page.keyboard.press('Enter');
    await chat.getByText('Yes please').waitFor();
    expect(await page.title()).toBe('12025550100');
    await portal.screenshot('handset');
    // The four permanent handsets are wholly visible in their list, and the panel in the window.
    const list = page.getByRole('list').filter({ has: page.getByRole('link', { name: '1 (202) 555-0103' }) });
    const { y, height } = (await list.last().boundingBox())!;
    for (const end of ['0100', '0101', '0102', '0103']) {
      const row = (await list
        .last()
        .getByRole('link', { name: `1 (202) 555-${end}` })
        .boundingBox())!;
      expect([end, row.y >= y, row.y + row.height <= y + height]).toEqual([end, true, true]);
    }
    const last = (await page.getByRole('button', { name: 'Trouble maker…' }).boundingBox())!;
    expect(last.y + last.height).toBeLessThan(800);
    await sandbox.until(messageId, ['delivered']);

    await portal.go('/conversations');
    await page.getByText('Yes please').waitFor();
    await portal.screenshot('conversations');
    await page.getByRole('link', { name: /Yes please/ }).click();
    const thread = page.getByRole('list', { name: 'Conversation' });
    await thread.getByText('Hello from my gateway').waitFor();
    await thread.getByText('Delivered').waitFor();
    await page.locator('body').press('r');
    await page.keyboard.type('On its way');
    await page.keyboard.press('Enter');
    await thread.getByText('On its way').waitFor();
    await portal.screenshot('conversation');
    await page.getByRole('heading', { name: 'Conversations' }).click();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Replies to your numbers land here.').waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('pictures arrive in both directions', async () => {
    const { page } = portal;
    const folder = mkdtempSync(join(tmpdir(), 'helio-picture-'));
    const picture = join(folder, 'cat.png');
    writeFileSync(picture, tinyPng);
    await portal.go(`/conversations/12025550199/${phone}`);
    await page.setInputFiles('input[type=file]', picture);
    await page.getByText('goes as MMS').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('li[data-own=true] img').first().waitFor();
    await portal.go(`/handsets/${phone}`);
    const pictures = page.locator('li[data-own=false] img');
    await pictures.first().waitFor();
    expect(await isDecoded(pictures.first())).toBe(true);
    await page.setInputFiles('input[type=file]', picture);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('li[data-own=true] img').first().waitFor();
    await portal.screenshot('handset-pictures');
    await portal.go(`/conversations/12025550199/${phone}`);
    const received = page.locator('li[data-own=false] img');
    await received.first().waitFor();
    expect(await isDecoded(received.first())).toBe(true);
    await portal.screenshot('conversation-pictures');
    rmSync(folder, { recursive: true });
    expect(portal.problems).toEqual([]);
  });

  it('a phone that is off gets its texts when it is on again; STOP closes the conversation', async () => {
    const { page, sandbox } = portal;
    await portal.go(`/handsets/${phone}`);
    await choose(page, 'Power', /^off/);
    await page.getByRole('link', { name: /off/ }).waitFor();
    const power = await page.getByRole('button', { name: /Power$/ }).boundingBox();
    const panel = await page.getByRole('region', { name: 'Behaviour' }).boundingBox();
    expect(power!.x + power!.width).toBeLessThanOrEqual(panel!.x + panel!.width + 1);
    await portal.screenshot('handset-off');
    const messageId = await sandbox.text(phone, 'While you were off');
    await sandbox.until(messageId, ['sent']);
    await choose(page, 'Power', /^on$/);
    await page.getByText('While you were off').first().waitFor();
    await sandbox.until(messageId, ['delivered']);
    await page.getByRole('button', { name: 'STOP' }).click();
    await portal.go(`/conversations/12025550199/${phone}`);
    await page.getByText('This conversation is closed').waitFor();
    await portal.screenshot('conversation-closed');
    expect(portal.problems).toEqual([]);
  });

  it('a number that cannot be a telephone has no handset, and the page sends no request for it', async () => {
    const { page } = portal;
    const requested: string[] = [];
    page.on('request', (request) => void requested.push(request.url()));
    await portal.go('/handsets/123');
    await page.getByText('There is no such handset').waitFor();
    await page.getByRole('link', { name: 'All handsets' }).waitFor();
    expect(requested.filter((url) => /handsets\/123\/|number=123/.test(url))).toEqual([]);
  });

  it('the reply box is visible at 1280 by 800, and the list shows the reply', async () => {
    const { page, sandbox } = portal;
    for (let i = 0; i < 12; i++) {
      await sandbox.until(await sandbox.text('12025550102', `Line ${i}`), ['delivered']);
    }
    for (const path of ['/handsets/12025550102', '/conversations/12025550199/12025550102']) {
      await portal.go(path);
      await page.getByText('Line 11').first().waitFor();
      const send = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
      expect([path, send!.y + send!.height < 800]).toEqual([path, true]);
      if (!path.startsWith('/handsets')) continue;
      await page.getByRole('textbox', { name: 'Reply from this phone' }).fill('Which line?');
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Messages' }).getByText('Which line?').waitFor();
    }
    await page.getByRole('textbox', { name: 'Reply' }).last().fill('The last one');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /You: The last one/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search names, numbers, words' }).fill('555-0102');
    await page.getByRole('link', { name: /You: The last one/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search names, numbers, words' }).fill('999');
    await page.getByText('No conversation fits this filter.').waitFor();
    await portal.screenshot('conversation-search');
    expect(portal.problems).toEqual([]);
  });

  it.each([
    [1280, 800],
    [1920, 1080],
    [360, 740],
  ])(
    'with many phones the page is no higher than a window of %i by %i, and the marked row is in sight',
    async (width, height) => {
      const { sandbox } = portal;
      const last = 12025550124;
      const tight = await openBrowser(sandbox, { width, height });
      const { page } = tight;
      for (let number = 12025550103; width === 1280 && number <= last; number++) {
        await sandbox.text(String(number), `To ${number}`);
      }
      await tight.go(`/handsets/${phone}`);
      const send = page.getByRole('button', { name: 'Send', exact: true });
      await send.waitFor();
      await page.getByRole('list', { name: 'Messages' }).waitFor();
      const box = await send.boundingBox();
      expect(box!.y + box!.height).toBeLessThanOrEqual(height);
      if (width > 600) {
        const row = page.getByRole('link', { name: '1 (202) 555-0100' });
        await page.getByRole('link', { name: String(last).slice(-4) }).waitFor();
        await page.getByText('Power', { exact: true }).waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
        expect(
          await row.evaluate((link) => {
            const list = link.closest('ul')!.getBoundingClientRect();
            const { top, bottom } = link.getBoundingClientRect();
            return [top >= list.top - 1, bottom <= list.bottom + 1];
          }),
        ).toEqual([true, true]);
      }
      const folder = process.env.HELIO_SCREENSHOTS;
      if (folder !== undefined) await page.screenshot({ path: join(folder, `handset-many-${width}.png`) });
      expect(tight.problems).toEqual([]);
      await tight.context.close();
    },
  );

  it('a banner reports a link that is dropped and refused; waiting texts are sent once it is repaired', async () => {
    const { page, sandbox } = portal;
    const other = '12025550101';
    await portal.go(`/handsets/${other}`);
    await page.getByRole('button', { name: 'Trouble maker…' }).click();
    await page.getByText('Refuse binds').click();
    expect(await page.getByRole('checkbox', { name: /^Refuse binds/ }).isChecked()).toBe(true);
    await page.getByText('Drop the links that are up now too').click();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('On now: new binds are refused (the').waitFor();
    await page.getByText('Faults are on: new binds are refused (the').waitFor();
    await page.getByRole('button', { name: 'Change something else' }).click();
    expect(await page.getByRole('checkbox', { name: 'Drop the links that are up now too' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('The link was dropped. It stays down').waitFor();
    await portal.screenshot('trouble-done');
    await page.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Faults are on: binds are refused and the link is down').waitFor();
    const messageId = await sandbox.text(other, 'Through the repaired link');
    await page.getByText('ESME_RBINDFAIL').first().waitFor();
    await sandbox.until(messageId, ['queued']);
    await portal.screenshot('faults');
    await portal.go('/');
    await page.getByText('Faults are on: binds are refused and the link is down').waitFor();
    await portal.screenshot('faults-home');
    await portal.go(`/handsets/${other}`);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Faults are on').waitFor({ state: 'detached' });
    await page.getByText('Through the repaired link').first().waitFor();
    await sandbox.until(messageId, ['delivered']);
    expect(portal.problems).toEqual([]);
  });

  it.each([
    ['narrow', 360, false],
    ['dark', 1280, true],
  ] as const)('%s: nothing is wider than the page', async (name, width, dark) => {
    const small = await openBrowser(portal.sandbox, { width, height: 740, dark });
    for (const [path, shot] of [
      ['/handsets', 'handsets'],
      [`/handsets/${phone}`, 'handset'],
      ['/conversations', 'conversations'],
      [`/conversations/12025550199/${phone}`, 'conversation'],
    ] as const) {
      await small.go(path);
      await small.page.getByText('Hello from my gateway').or(small.page.getByText('0100')).first().waitFor();
      const wide = await small.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, path).toBeLessThanOrEqual(0);
      await small.screenshot(`${name}-${shot}`);
    }
    if (width < 600) {
      await small.go(`/handsets/${phone}`);
      await small.page.getByRole('heading', { name: '1 (202) 555-0100' }).waitFor();
      for (const tab of ['Phones', 'Wire']) {
        await small.page.getByRole('tab', { name: tab }).click();
        await small.screenshot(`${name}-handset-${tab.toLowerCase()}`);
      }
    }
    expect(small.problems).toEqual([]);
    await small.context.close();
  });
});

type Page = Portal['page'];
type Locator = ReturnType<Page['locator']>;

async function isDecoded(image: Locator): Promise<boolean> {
  return image.evaluate(async (element) => {
    const picture = element as HTMLImageElement;
    await picture.decode();
    return picture.naturalWidth > 0;
  });
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option }).click();
}
