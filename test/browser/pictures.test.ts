/**
 * The visual language: `/dev/ui` compared with its stored pictures, light and dark, wide and narrow.
 * `HELIO_PICTURES=write` renews the pictures; review the differences before you commit them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

const folder = fileURLToPath(new URL('pictures', import.meta.url));
const writes = process.env.HELIO_PICTURES === 'write';
/**
 * A channel that differs by more than this is another colour: a changed row tint exceeds it, edge smoothing of letters
 * does not.
 */
const channelMax = 16;
/** The smallest element on the page whose colour is a token has more pixels than this. */
const pixelsMax = 150;

/** Fonts that Debian has, without subpixel smoothing, so that letters look the same on every machine. */
const steady = `(() => {
  const { style } = document.documentElement;
  style.setProperty('--sans', '"Liberation Sans"');
  style.setProperty('--mono', '"Liberation Mono"');
  return document.fonts.ready.then(() => true);
})()`;

const hasFonts = (page: Page): Promise<boolean> => page.evaluate(`document.fonts.check('14px "Liberation Sans"')`);

async function open(portal: Portal): Promise<void> {
  await portal.go('/dev/ui');
  await portal.page.getByRole('table').nth(2).waitFor();
  await portal.page.evaluate(steady);
  await portal.page.mouse.move(0, 0);
}

/** A picture of the page without the frame, because parts of the frame change with time. */
async function pictureOf({ page }: Portal): Promise<Buffer> {
  const { width, height } = (await page.locator('main').boundingBox())!;
  const now = page.viewportSize()!;
  await page.setViewportSize({ width: now.width, height: Math.ceil(height) + 60 });
  const picture = await page.locator('main').screenshot({ animations: 'disabled', caret: 'hide' });
  await page.setViewportSize(now);
  expect(width).toBeGreaterThan(300);
  return picture;
}

/** The number of pixels with another colour; all pixels if the sizes differ. */
async function differing(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((picture) => sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  const { info } = a!;
  if (info.width !== b!.info.width || info.height !== b!.info.height) return info.width * info.height;
  let found = 0;
  for (let at = 0; at < a!.data.length; at += 3) {
    const isOther = [0, 1, 2].some((channel) => Math.abs(a!.data[at + channel]! - b!.data[at + channel]!) > channelMax);
    if (isOther) found++;
  }
  return found;
}

async function hold(name: string, taken: Buffer): Promise<void> {
  const path = join(folder, `${name}.png`);
  if (writes) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, await sharp(taken).removeAlpha().png({ compressionLevel: 9 }).toBuffer());
    return;
  }
  const found = existsSync(path) ? await differing(readFileSync(path), taken) : Number.POSITIVE_INFINITY;
  const beside = join(tmpdir(), `heliograph-${name}.png`);
  if (found > pixelsMax) writeFileSync(beside, taken);
  expect(found, `pixels of ${name} that differ; what the page looks like now is ${beside}`).toBeLessThanOrEqual(
    pixelsMax,
  );
}

const looks = [
  ['light-1280', 1280, false],
  ['dark-1280', 1280, true],
  ['light-360', 360, false],
  ['dark-360', 360, true],
] as const;

describe.skipIf(noBrowser)('the building blocks look as their pictures', () => {
  let first: Portal;
  beforeAll(async () => {
    first = await openPortal();
  });

  it.each(looks)('%s', async (name, width, dark) => {
    const portal = await openBrowser(first.sandbox, { width, dark });
    await open(portal);
    expect(await hasFonts(portal.page), 'Liberation fonts are needed (apt install fonts-liberation)').toBe(true);
    await hold(name, await pictureOf(portal));
    expect(portal.problems).toEqual([]);
    await portal.context.close();
  });

  it.each([
    ['light', false],
    ['dark', true],
  ] as const)('%s, pointed at and reached by keys', async (name, dark) => {
    const portal = await openBrowser(first.sandbox, { dark });
    const { page } = portal;
    // High enough that nothing scrolls away from under the pointer.
    await page.setViewportSize({ width: 1280, height: 3_400 });
    await open(portal);
    const panel = (title: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
    await page.getByRole('button', { name: 'Quiet' }).last().hover();
    await hold(`${name}-pointed-buttons`, await panel('Buttons').screenshot());
    await page.getByRole('row').filter({ hasText: '0102' }).first().hover();
    await hold(`${name}-pointed-rows`, await panel('Rows').first().screenshot());
    await page.mouse.move(0, 0);
    await page.getByLabel('Field', { exact: true }).focus();
    await hold(`${name}-focused-fields`, await panel('Fields').screenshot());
    await page.getByRole('tab', { name: 'Second tab' }).click();
    await page.getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
    await page.mouse.move(0, 0);
    await hold(`${name}-tabs`, await panel('Tabs').screenshot());
    await portal.context.close();
  });

  it.skipIf(writes).each([
    ['--chosen', '#d0e4f4'],
    ['--hover', '#dfe4e8'],
    ['--ok', '#2b9e5c'],
    ['--row', '33px'],
    ['--weight-strong', '400'],
    ['--size-small', '0.8125rem'],
    ['--radius', '14px'],
  ])('a changed %s fails', async (token, other) => {
    const portal = await openBrowser(first.sandbox);
    await open(portal);
    const { page } = portal;
    const value = await page.evaluate<string>(
      `getComputedStyle(document.documentElement).getPropertyValue('${token}')`,
    );
    expect(value).not.toBe('');
    const pictured = readFileSync(join(folder, 'light-1280.png'));
    expect(await differing(pictured, await pictureOf(portal))).toBeLessThanOrEqual(pixelsMax);
    await page.evaluate(`document.documentElement.style.setProperty('${token}', '${other}')`);
    const found = await differing(pictured, await pictureOf(portal));
    expect(found).toBeGreaterThan(pixelsMax);
    await portal.context.close();
  });

  it('have a page only in the sandbox, and no place in the navigation', async () => {
    await first.go('/');
    expect(await first.page.locator('a[href="/dev/ui"]').count()).toBe(0);
    await first.page.route('**/api/portal/v1/me', async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = await answer.json();
      await route.fulfill({ response: answer, json: { ...rest, data: { ...data, sandbox: false } } });
    });
    await first.go('/dev/ui');
    await first.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(await first.page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
    await first.page.unroute('**/api/portal/v1/me');
  });
});
