/** One message in a browser: its tabs, its request, who did what with it, why it waits; requests as rows. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { animatedGif, phoneJpeg } from '../../packages/gateway/src/media/media-fixture.ts';
import { noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

const minute = 60_000;

describe.skipIf(noBrowser)('the page of a message', () => {
  let portal: Portal;

  beforeAll(async () => {
    portal = await openPortal();
  }, 2 * minute);

  const send = async (to: string[], text: string, headers: Record<string, string> = {}) => {
    const { sandbox } = portal;
    const answer = await sandbox.post(
      '/SendSMS',
      { from: '12025550199', to, text, referenceId: 'order-77' },
      { headers },
    );
    expect(answer.status, answer.text).toBe(200);
    const { resultResponses } = JSON.parse(answer.text).schema as { resultResponses: { messageId: string }[] };
    return { answer: answer.text, ids: resultResponses.flatMap(({ messageId }) => messageId ?? []) };
  };

  it('shows the request and the very answer while its Idempotency-Key is kept, and no token', async () => {
    const { page } = portal;
    const { ids } = await send(['12025550100', 'no number'], 'Asked once', { 'Idempotency-Key': 'once' });
    await portal.sandbox.until(ids[0]!, ['delivered']);
    await portal.go(`/messages/${ids[0]}`);
    await page.getByRole('tab', { name: 'Request & response' }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('request');
    await page.getByText('The original answer with all its recipients', { exact: false }).waitFor();
    const shown = (await page.locator('pre').allInnerTexts()).join('\n');
    expect(shown).toContain('POST /SendSMS');
    expect(shown).toContain('"no number"');
    expect(shown).toContain('INVALID_NUMBER');
    expect(shown).not.toMatch(/bt_|at_/);
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
    await portal.screenshot('message-request');
    await page.reload();
    await page.getByText('The original answer', { exact: false }).waitFor();
  });

  it('rebuilds them where the answer is not kept, and says so', async () => {
    const { page } = portal;
    const { ids } = await send(['12025550100', '+1 202 555 0100', '12025550101'], 'Asked without a key');
    await portal.go(`/messages/${ids[0]}?tab=request`);
    await page.getByText('Rebuilt from what is stored: the answer itself', { exact: false }).waitFor();
    const bodies = (await page.locator('pre').allInnerTexts()).join('\n');
    expect(bodies).toMatch(/"12025550100",\s+"\+1 202 555 0100",\s+"12025550101"/);
    await page.getByRole('tab', { name: 'Recipients 3' }).click();
    const rows = page.getByRole('table', { name: 'Recipients of the same request' }).getByRole('row');
    expect(await rows.nth(2).innerText()).toMatch(
      /\+1 202 555 0100\s+INVALID_NUMBER\s+Not sent[\s\S]*Leave out the plus sign/,
    );
    await rows.nth(3).getByText('SUCCESS').waitFor();
    // By the name that the facts and the timeline use.
    await rows.nth(3).getByRole('cell', { name: 'Simulated carrier', exact: true }).waitFor();
    await portal.screenshot('message-recipients');
  });

  it('shows each medium as it was fetched and as it was sent, and which one failed', async () => {
    const { page } = portal;
    const animation = await animatedGif(160, 24, 60);
    const picture = await phoneJpeg(400, 300);
    const served = createServer((request, response) => {
      const body = new Map([
        ['/dance.gif', animation],
        ['/cat.jpg', picture],
      ]).get(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200).end(body);
    }).listen(0, '127.0.0.1');
    await once(served, 'listening');
    const base = `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
    const mms = async (names: string[]) => {
      const mediaUrls = names.map((name) => `${base}/${name}`);
      const answer = await portal.sandbox.post('/SendSMS', {
        from: '12025550199',
        to: ['12025550100'],
        text: 'Look',
        mediaUrls,
      });
      expect(answer.status, answer.text).toBe(200);
      return JSON.parse(answer.text).schema.resultResponses[0].messageId as string;
    };
    const sent = await mms(['dance.gif', 'cat.jpg']);
    const failed = await mms(['cat.jpg', 'gone.png']);
    await portal.sandbox.until(sent, ['delivered']);
    await portal.sandbox.until(failed, ['failed']);

    await portal.go(`/messages/${sent}`);
    const media = page.getByRole('list', { name: 'Media' });
    await media.getByText('1. dance.gif').waitFor();
    expect(await media.innerText()).toMatch(/image\/gif · [\d.]+ [kM]B · 160 × 160 · 24 frames/);
    const pictures = media.getByRole('img');
    await expect
      .poll(() => pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0)))
      .toEqual([...[true, true, true, true]]);
    await portal.screenshot('message-media');

    await portal.go(`/messages/${failed}`);
    await media.getByText('2. gone.png').waitFor();
    await media.getByText('Failed', { exact: true }).waitFor();
    await page
      .getByText('Medium 2 of 2 in mediaUrls (127.0.0.1) could not be fetched', { exact: false })
      .first()
      .waitFor();
    await page.getByText('HTTP status 404', { exact: false }).first().waitFor();
    await portal.screenshot('message-media-failed');
    served.close();
  });

  it('lists its audit entries, on the first message and on the one sent again', async () => {
    const { page } = portal;
    const { ids } = await send(['12025550111'], 'Once more');
    await portal.sandbox.until(ids[0]!, ['undelivered']);
    await portal.go(`/messages/${ids[0]}?tab=activity`);
    await page.getByText('Nothing was done here yet').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('menuitem', { name: 'Re-evaluate and send' }).click();
    await page.getByRole('link', { name: 'Open it' }).waitFor();
    await page.getByRole('cell', { name: 'Sent a message again', exact: true }).waitFor();
    await portal.screenshot('message-activity');
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(ids[0]!));
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: 'Sent a message again', exact: true }).waitFor();
  });

  it('shows a request with several recipients as one row, which follows their states', async () => {
    const { page } = portal;
    await send(['12025550100', '12025550101', '12025550111'], 'To three at once');
    await portal.go('/messages?q=text:three');
    await expect.poll(() => page.getByRole('cell', { name: 'To three at once' }).count()).toBe(3);
    await page.getByRole('button', { name: 'One row per request', pressed: false }).click();
    await page.getByRole('cell', { name: '3 recipients' }).waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toBe('request');
    await page.getByRole('cell', { name: /2 Delivered.*1 Undelivered/ }).waitFor();
    await portal.screenshot('messages-by-request');
    await page.getByRole('cell', { name: '3 recipients' }).click();
    await page.getByRole('table', { name: 'Messages of this request' }).waitFor();
  });

  it('searches further back by itself for rare messages', async () => {
    // An open list is read again when a message changes.
    const underWay = async () => {
      const { json } = await portal.sandbox.get('/api/v1/messages?direction=outbound&limit=100');
      const states = (json.data as { state: string }[]).map(({ state }) => state);
      return states.filter((state) => ['accepted', 'queued', 'sending', 'sent'].includes(state));
    };
    await expect.poll(underWay).toEqual([]);
    const one = await openBrowser(portal.sandbox);
    let requests = 0;
    await one.page.route('**/api/portal/v1/messages?q=text*', async (route) => {
      requests++;
      if (new URL(route.request().url()).searchParams.has('before')) return route.continue();
      const answer = await route.fetch();
      const data = { messages: [], problems: [], searchedTo: new Date().toISOString() };
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), data, next: `msg_7${'Z'.repeat(25)}` },
      });
    });
    await one.go('/messages?q=text:Asked');
    await one.page.getByRole('cell', { name: 'Asked once' }).waitFor();
    expect(requests).toBe(2);
    expect(one.problems).toEqual([]);
    // Requests that the page still has open must not fail the run.
    await one.page.unrouteAll({ behavior: 'ignoreErrors' });
    await one.context.close();
  });

  it('says that no receipt came yet, what is usual, and when the carrier was heard last', async () => {
    const { page } = portal;
    const { ids } = await send(['12025550115'], 'Nobody says whether it came');
    await portal.sandbox.until(ids[0]!, ['sent']);
    await page.clock.setFixedTime(Date.now() + 252_000);
    await portal.go(`/messages/${ids[0]}`);
    await page
      .getByText(
        /^No receipt yet\. The carrier has had it for 4 m 1\d s\. Simulated carrier usually answers in 0\.\d s; last receipt from it: /,
      )
      .waitFor();
    await portal.screenshot('message-no-receipt');
    await page.clock.resume();
  });

  it('labels long waits with their reason', async () => {
    const late = await openBrowser(portal.sandbox);
    const { page } = late;
    const { ids } = await send(['12025550100'], 'It waits in between');
    await portal.sandbox.until(ids[0]!, ['delivered']);
    await page.route('**/full', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      for (const event of body.data.message.events.slice(2)) {
        event.occurredAt = new Date(Date.parse(event.occurredAt) + 252_000).toISOString();
      }
      body.data.message.events[1].code = 'CAMPAIGN_LIMIT';
      await route.fulfill({ response: answer, json: body });
    });
    await late.go(`/messages/${ids[0]}`);
    await page.getByText(/^waited 4 m 1\d s: paced by the limit of its campaign$/).waitFor();
    await late.screenshot('message-gap');
    expect(late.problems).toEqual([]);
    // Requests that the page still has open must not fail the run.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await late.context.close();
  });

  it('has no receipts that match nothing: the start page links to their tab', async () => {
    const one = await openBrowser(portal.sandbox);
    await one.page.route('**/home', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const href = '/carriers?tab=unmatched';
      body.data.attention.push({ kind: 'unmatched receipts', name: null, state: null, count: 2, since: null, href });
      const since = '2026-01-01T07:39:39.000Z';
      body.data.attention.push({ kind: 'endpoint failing', name: 'Shop', state: null, count: null, since, href });
      await route.fulfill({ response: answer, json: body });
    });
    await one.go('/');
    await one.page.getByText(/^Every attempt at webhook endpoint “Shop” has failed since [\w:, /]+\.$/).waitFor();
    const item = one.page.getByRole('listitem').filter({ hasText: '2 receipts fit no message.' });
    await item.getByRole('link', { name: 'See the receipts' }).click();
    await one.page.waitForURL('**/carriers?tab=unmatched');
    await one.page.locator('[role=tab][aria-selected=true]', { hasText: 'Unmatched receipts' }).waitFor();
    expect(one.problems).toEqual([]);
    // Requests that the page still has open must not fail the run.
    await one.page.unrouteAll({ behavior: 'ignoreErrors' });
    await one.context.close();
  });

  it.each([
    [1280, false],
    [360, true],
  ])('fits %i pixels, dark: %s', async (width, dark) => {
    const one = await openBrowser(portal.sandbox, { width, height: 740, dark });
    await one.go('/messages?by=request');
    await one.screenshot(`by-request-${width}`);
    const { ids } = await send(['12025550100', '12025550101'], `At ${width}`);
    for (const tab of ['recipients', 'webhooks', 'parts', 'request', 'activity']) {
      await one.go(`/messages/${ids[0]}?tab=${tab}`);
      await one.page.getByRole('tabpanel').waitFor();
      const over = await one.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(over, tab).toBeLessThanOrEqual(0);
      await one.screenshot(`message-${tab}-${width}`);
    }
    expect(one.problems).toEqual([]);
    await one.context.close();
  });

  it('had no console errors, failed loads or calls to other hosts', () => {
    expect(portal.problems).toEqual([]);
  });
});
