/**
 * The message log during a bulk send of 1,000: rows do not move under the reader, and each row shows what is stored.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

const minute = 60_000;
const count = 1_000;
const words: Readonly<Record<string, string>> = {
  Queued: 'queued',
  Sending: 'sending',
  'Sent to carrier': 'sent',
  Delivered: 'delivered',
  Undelivered: 'undelivered',
  'Not sent': 'failed',
  Received: 'received',
  Uncertain: 'uncertain',
};

/** All handsets deliver except the first, which is never reached. */
const handsets = ['12025550111', ...Array.from({ length: count - 1 }, (_, index) => String(14155550000 + index))];

describe.skipIf(noBrowser)('the message log while 1,000 are sent', { timeout: 3 * minute }, () => {
  let portal: Portal;
  const lists: string[] = [];

  beforeAll(async () => {
    portal = await openPortal({ height: 500 });
    portal.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/api/portal/v1/messages') && !searchParams.has('after')) lists.push(request.url());
    });
  }, 2 * minute);

  async function bulk(text: string): Promise<string> {
    const answer = await portal.sandbox.send({ from: portal.sandbox.from, to: handsets, text });
    expect(answer.json.reason, answer.text).toBe('SUCCESS');
    const taken = answer.json.schema.resultResponses.filter(({ status }: { status: string }) => status === 'SUCCESS');
    expect(taken).toHaveLength(count);
    return taken.at(-1).messageId;
  }

  async function stored(messageId: string): Promise<string> {
    return (await portal.sandbox.get(`/api/v1/messages/${messageId}`)).json.data.state;
  }

  async function shown(page: Page): Promise<[string, string][]> {
    const rows = await page.locator('tbody > tr').all();
    return Promise.all(
      rows.map(async (row): Promise<[string, string]> => {
        const href = (await row.locator('a[href*="/messages/msg_"]').first().getAttribute('href')) ?? '';
        const cell = (await row.locator('td[data-title=Status]').innerText()).split('\n')[0]!.trim();
        return [href.split('/').at(-1)!, words[cell] ?? cell];
      }),
    );
  }

  it('leaves the rows where they are, with one open and without, and reads the list once', async () => {
    const { page, sandbox } = portal;
    await Promise.all(handsets.slice(1, 61).map((to) => sandbox.text(to, 'Before')));
    await portal.go('/messages');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    await page.getByText('Delivered').first().waitFor();
    const row = page.locator('tbody > tr').nth(30);
    await row.scrollIntoViewIfNeeded();
    const top = async () => Math.round((await row.boundingBox())!.y);
    const before = await top();
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
    await row.locator('td[data-title=Text]').click();
    const panel = page.getByRole('complementary', { name: 'Message' });
    await panel.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(await top()).toBe(before);
    expect(await row.getAttribute('aria-current')).toBe('true');
    await portal.screenshot('messages-open-row');

    lists.length = 0;
    const last = await bulk('To everybody');
    await page.getByRole('button', { name: '99+ new messages — show' }).waitFor();
    await sandbox.until(last, ['delivered'], minute);
    expect(await top()).toBe(before);
    await panel.getByRole('button', { name: 'Close the panel' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(await top()).toBe(before);
    expect(await row.locator('a:focus').count()).toBe(1);
    expect(lists).toEqual([]);
  });

  it('shows in each row what the API says, once all are final', async () => {
    const { page, sandbox } = portal;
    const last = await bulk('In motion');
    await page.getByRole('button', { name: 'new messages — show' }).click();
    await page.getByRole('cell', { name: 'In motion' }).first().waitFor();
    lists.length = 0;
    await sandbox.until(last, ['delivered'], minute);
    await expect
      .poll(async () => (await shown(page)).map(([, state]) => state).filter((state) => state === 'delivered').length)
      .toBeGreaterThan(40);
    const rows = await shown(page);
    expect(rows).toHaveLength(50);
    expect(rows).toEqual(
      await Promise.all(rows.map(async ([id]): Promise<[string, string]> => [id, await stored(id)])),
    );
    expect(lists).toEqual([]);
  });

  it('counts the messages of a request as they are stored', async () => {
    const { page, sandbox } = portal;
    await portal.go('/messages?by=request');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    const last = await bulk('As one row');
    await page.getByRole('button', { name: 'new message — show' }).click();
    const row = page.getByRole('row').filter({ hasText: 'As one row' });
    await row.waitFor();
    await sandbox.until(last, ['delivered'], minute);
    await row.getByText('999').waitFor();
    expect((await row.locator('td[data-title=Status]').innerText()).replaceAll(/\s+/g, ' ').trim()).toBe(
      '999 Delivered 1 Undelivered',
    );
  });

  it('had no console errors, failed loads or calls to other hosts', async () => {
    await wideAndNarrow(portal, 'messages-bulk');
    expect(portal.problems).toEqual([]);
  });
});
