/**
 * Pages that stay open under traffic, over a store of 20,000 messages (a million with HELIO_LONG=full): 50 texts a
 * second to handsets that the pages show, for a minute (ten). The memory of the pages after a garbage collection must
 * not keep growing, and nothing on them may jump. The page of a handset may style only what the traffic adds to it: a count, because the
 * share of long tasks, which is printed, depends on the machine. Prints its figures, among them the time to each page's first content.
 */
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { restyledBy } from './restyled.ts';

const isFull = process.env.HELIO_LONG === 'full';
const minutes = isFull ? 10 : 1;
const stored = isFull ? 1_000_000 : 20_000;
const looks = 10;
const perSecond = 50;
const handsets = Array.from({ length: 10 }, (_, index) => `1202555010${index}`);
const opened = ['/', '/messages', '/handsets/12025550100', '/conversations', '/carriers'];
/** Allowed growth of the last third over the second third: caches level off, leaks do not. */
const growth = 1.25;
const slackBytes = 2_000_000;
/** "Good" by the Web Vitals is up to 0.1; a jump of a whole table is more. */
const shiftMax = 0.1;
/** Styles for each added element: one when it is added, and one for a change of it. Beside them a page may be restyled once. */
const restylesMax = 4;
const restyleLookMs = 5_000;

interface Watched {
  path: string;
  page: Page;
  cdp: CDPSession;
  heap: number[];
}

interface FirstLook {
  /** Ms from the start of the navigation to the first text or picture. */
  contentMs: number;
  /** Layout Instability API: the sum of all shifts that no input caused, without those inside a list that follows its newest entry. */
  shift: number;
  /** What moved, and how much of the shift it took part in. */
  moved: Record<string, number>;
  /** Ms of tasks longer than 50 ms. */
  longMs: number;
  /** Elements added since. */
  added: number;
}

type Noting = typeof globalThis & { noted?: FirstLook };

/** From the start of the page on: the browser itself keeps only its first 150 shifts. */
function note(): void {
  const noted: FirstLook = { contentMs: -1, shift: 0, moved: {}, longMs: 0, added: 0 };
  (globalThis as Noting).noted = noted;
  type Entry = PerformanceEntry & {
    value?: number;
    hadRecentInput?: boolean;
    sources?: { node: Element | null }[];
  };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Entry[]) {
      const { entryType, name, startTime, duration, value = 0, hadRecentInput, sources = [] } = entry;
      // An entry that such a list has dropped since has no node any more.
      const follows = sources.every(({ node }) => node === null || node.parentElement?.closest('ol') != null);
      if (entryType === 'longtask') noted.longMs += duration;
      else if (name === 'first-contentful-paint') noted.contentMs = startTime;
      else if (entryType === 'layout-shift' && !hadRecentInput && !follows) {
        noted.shift += value;
        for (const { node } of sources) {
          const what = `${node?.nodeName} ${(node?.textContent ?? '').slice(0, 40)}`;
          noted.moved[what] = (noted.moved[what] ?? 0) + value;
        }
      }
    }
  });
  for (const type of ['layout-shift', 'longtask', 'paint']) observer.observe({ type, buffered: true });
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof Element) noted.added += 1 + node.querySelectorAll('*').length;
    }
  }).observe(document, { childList: true, subtree: true });
}

/** What the page noted since it was opened. */
function noted({ page }: Watched): Promise<FirstLook> {
  return page.evaluate(() => (globalThis as Noting).noted!);
}

/** Sends until the store has all messages: 100 recipients a request, eight requests at a time. */
async function fill({ sandbox }: Portal): Promise<void> {
  const to = Array.from({ length: 100 }, (_, index) => `12025552${String(index).padStart(3, '0')}`);
  let left = stored / to.length;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { json } = await sandbox.send({ from: sandbox.from, to, text: `Stored ${left}` });
      if (!json?.success) left += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
}

async function watched(portal: Portal, path: string): Promise<Watched> {
  const page = await portal.context.newPage();
  await page.addInitScript(note);
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  return { path, page, cdp: await portal.context.newCDPSession(page), heap: [] };
}

/** Elements that the page styles while traffic adds to it, and how many those may be. */
async function restyles(one: Watched): Promise<{ restyled: number; max: number }> {
  const before = (await noted(one)).added;
  const restyled = await restyledBy(one.page, () => new Promise((resolve) => setTimeout(resolve, restyleLookMs)));
  const added = (await noted(one)).added - before;
  console.log(`${one.path}: ${restyled} elements styled, ${added} added`);
  return { restyled, max: added * restylesMax + (await one.page.locator('*').count()) };
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
    await fill(portal);
    const { sandbox } = portal;
    // The handset that is looked at has texts already: its list no longer grows.
    for (let text = 0; text < 60; text += 1) {
      await sandbox.send({ from: sandbox.from, to: handsets.slice(0, 1), text: `Before ${text}` });
    }
    const pages: Watched[] = [];
    // Opens the pages one after another, as a person would.
    for (const path of opened) pages.push(await watched(portal, path));
    const report = async (when: string): Promise<void> => {
      const jumping: string[] = [];
      for (const one of pages) {
        const { contentMs, shift, moved, longMs } = await noted(one);
        console.log(
          `${when} ${one.path}: first content ${contentMs.toFixed(0)} ms, shift ${shift.toFixed(3)}, long tasks ${longMs.toFixed(0)} ms`,
        );
        const most = Object.entries(moved).sort(([, left], [, right]) => right - left);
        if (shift >= shiftMax) jumping.push(`${one.path}: ${JSON.stringify(most.slice(0, 5))}`);
      }
      expect(jumping).toEqual([]);
    };
    await report('opened');
    let sent = 0;
    let refused = 0;
    const to = handsets.slice(0, perSecond / 10);
    // Ten requests a second with five recipients each.
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
      const { restyled, max } = await restyles(pages.find(({ path }) => path.startsWith('/handsets'))!);
      expect(restyled).toBeLessThan(max);
    } finally {
      clearInterval(sending);
    }
    await report('after the traffic');
    expect(refused).toBe(0);
    // Enough messages to distinguish a leak from a cache, even on a slow machine.
    expect(sent).toBeGreaterThan(minutes * 60 * perSecond * 0.2);
    for (const { path, heap } of pages) {
      const third = Math.floor(looks / 3);
      const [middle, end] = [heap.slice(third, 2 * third), heap.slice(-third)];
      expect([path, mean(end) < mean(middle) * growth + slackBytes], heap.join(' ')).toEqual([path, true]);
    }
    expect(portal.problems).toEqual([]);
  });
});
