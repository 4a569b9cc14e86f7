/**
 * What the message pages say about waiting messages, about a search that is not understood, and about a text that is
 * too long.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('message pages say', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });

  const pause = (paused: boolean) =>
    portal.page.evaluate(`(async () => {
      const at = '/api/portal/v1';
      const { csrf } = (await (await fetch(at + '/me')).json()).data;
      const headers = { 'content-type': 'application/json', 'x-helio-csrf': csrf };
      const { carrierId } = (await (await fetch(at + '/carriers')).json()).data.find(({ name }) => name === 'Simulated carrier');
      const body = JSON.stringify({ paused: ${paused} });
      return (await fetch(at + '/carriers/' + carrierId + '/pause', { method: 'POST', headers, body })).status;
    })()`);

  it('why a message waits, with a link to its carrier, until it is sent', async () => {
    const { page, sandbox, go } = portal;
    await go('/messages');
    expect(await pause(true)).toBe(200);
    const messageId = await sandbox.text('12025550100', 'Waits for its carrier');
    await go(`/messages/${messageId}`);
    const waitText = page.getByText(/^Waits: Simulated carrier is paused since \d\d:\d\d [AP]M\.$/);
    await waitText.waitFor();
    await page.getByText(/^waiting for .*: Simulated carrier is paused since /).waitFor();
    await page.getByText(/^Rule “[^”]+” → Simulated carrier\. ?(Why this\?)?$/).waitFor();
    expect(await page.getByRole('link', { name: 'Open carrier' }).getAttribute('href')).toMatch(/^\/carriers\/./);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'waits-paused');
    expect(await pause(false)).toBe(200);
    await page.getByText('Delivered').first().waitFor();
    await waitText.waitFor({ state: 'detached' });
    expect(portal.problems).toEqual([]);
  });

  it('which words of a search were not understood, on the words themselves', async () => {
    const { page, go } = portal;
    await go('/messages?q=reason:OPTED_OUTT to:12025550100');
    await page.getByText('There is no reason OPTED_OUTT. Did you mean OPTED_OUT?', { exact: false }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Not understood: reason:OPTED_OUTT' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'To: 12025550100' }).waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'search-faulty');
  });

  it('the reason of a failure beside an open message, with no badge cut off', async () => {
    const { page, go, sandbox } = portal;
    await sandbox.until(await sandbox.text('12025550111', 'Does not come to anybody'), ['undelivered']);
    await go('/messages');
    await page.getByRole('cell', { name: 'Does not come to anybody' }).click();
    await page.getByRole('link', { name: 'Open page' }).waitFor();
    await page.getByRole('table').getByRole('link', { name: 'UNREACHABLE' }).first().waitFor();
    const cut = await page.evaluate<number>(
      `(() => { const box = document.querySelector('table').parentElement; return box.scrollWidth - box.clientWidth; })()`,
    );
    await portal.screenshot('side-panel');
    expect(cut).toBe(0);
    await page.setViewportSize({ width: 768, height: 800 });
    await go('/messages');
    await page.getByRole('button', { name: 'Copy API request' }).waitFor();
    await portal.screenshot('messages-768');
    const tops = await page.evaluate<number[]>(
      `['Export', 'Views', 'Columns', 'Copy API request'].map((name) => Math.round(document.querySelector('main button[aria-label="' + name + '"]').getBoundingClientRect().top))`,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(new Set(tops).size).toBe(1);
  });

  it('before it is sent that a text is too long, and which characters take more than one place', async () => {
    const { page, go } = portal;
    await go('/messages/new?to=12025550100');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill(`${'a'.repeat(159)}€`);
    await page.getByText('GSM-7 · 160 characters · 2 segments', { exact: false }).waitFor();
    await page.getByText(/^Uses 161 of \d+: characters such as €/).waitFor();
    await portal.screenshot('compose-uses');
    await text.fill('far too long '.repeat(200));
    await page.getByText(/^Too long: it needs \d+ segments, and a text may have \d+\./).waitFor();
    await wideAndNarrow(portal, 'compose-too-long');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect(new URL(page.url()).pathname).toBe('/messages/new');
    const dark = await openBrowser(portal.sandbox, { dark: true });
    await dark.go('/messages?q=reason:OPTED_OUTT');
    await dark.page.getByText('Not understood:', { exact: false }).first().waitFor();
    expect(await faultsWithin(dark, 'main')).toEqual([]);
    await dark.screenshot('search-faulty-dark');
    await dark.go('/usage');
    await dark.page.getByRole('slider').first().waitFor();
    await dark.page.getByText('Nov ', { exact: false }).first().waitFor();
    await dark.screenshot('usage-dark');
    await dark.context.close();
  });
});
