/**
 * Pages that stay open under traffic: 50 texts a second to handsets that the pages show, for a minute (ten with
 * HELIO_LONG=full). The memory of the pages and of the gateway after a garbage collection must not keep growing. Prints
 * its figures.
 */
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';

const minutes = process.env.HELIO_LONG === 'full' ? 10 : 1;
const looks = 10;
const perSecond = 50;
const handsets = Array.from({ length: 10 }, (_, index) => `1202555010${index}`);
const opened = ['/', '/messages', '/handsets/12025550100', '/conversations', '/carriers'];
/** How far the last third may be above the second: caches level off, leaks do not. */
const growth = 1.25;
const slackBytes = 2_000_000;

interface Watched {
  path: string;
  page: Page;
  cdp: CDPSession;
  heap: number[];
}

async function watched(portal: Portal, path: string): Promise<Watched> {
  const page = await portal.context.newPage();
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  return { path, page, cdp: await portal.context.newCDPSession(page), heap: [] };
}

/** Bytes of JavaScript in use after a garbage collection. */
async function held({ cdp }: Watched): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe.skipIf(noBrowser)('pages under live traffic', () => {
  it('hold no more at the end than in the middle', async () => {
    const portal = await openPortal();
    const pages = await Promise.all(opened.map((path) => watched(portal, path)));
    const { sandbox } = portal;
    let sent = 0;
    let refused = 0;
    const to = handsets.slice(0, perSecond / 10);
    // Ten requests a second of five recipients each.
    const sending = setInterval(async () => {
      const { json } = await sandbox.send({ from: sandbox.from, to, text: `Soak ${sent}` });
      if (json?.success) sent += to.length;
      else refused += 1;
    }, 100);
    try {
      for (let look = 0; look < looks; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, (minutes * 60_000) / looks));
        for (const one of pages) one.heap.push(await held(one));
        const shown = pages.map(({ path, heap }) => `${path} ${(heap.at(-1)! / 1e6).toFixed(1)}`).join(' · ');
        console.log(`${sent} sent, ${refused} refused; MB held: ${shown}`);
      }
    } finally {
      clearInterval(sending);
    }
    expect(refused).toBe(0);
    // Enough to tell a leak from a cache, on a slow machine too.
    expect(sent).toBeGreaterThan(minutes * 60 * perSecond * 0.2);
    for (const { path, heap } of pages) {
      const third = Math.floor(looks / 3);
      const [middle, end] = [heap.slice(third, 2 * third), heap.slice(-third)];
      expect([path, mean(end) < mean(middle) * growth + slackBytes], heap.join(' ')).toEqual([path, true]);
    }
    expect(portal.problems).toEqual([]);
  });
});
