/**
 * Every label of every page comes from the labels of its feature: with English in disguise (`⟦Ḿëşşåğëş···⟧`) no
 * heading, button, column, field, navigation link or placeholder is left in plain English.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { filledRoutes, openRoutes, portalRoutes } from './routes.ts';

const routes = portalRoutes();

/** Names that are the same in every language. */
const sameEverywhere =
  /\b(Ctrl K|SBX|curl|Node|Python|PHP|UDH|sar|window|enquire link|bind|message payload|data coding|registered delivery|(English|Español)+)\b/g;
const smppNames =
  /\b(system id|system type|interface version|(source|dest) addr (ton|npi)|(short code|alphanumeric) (ton|npi))\b/g;

/** Runs in the page: the labels that a person reads. */
function readLabels(): string[] {
  const shown = (one: Element) => one.checkVisibility?.() ?? true;
  const texts = 'h1, h2, h3, th, label, legend, button, nav a, [role="tab"], [role="option"], dt, caption';
  return [
    ...[...document.querySelectorAll(texts)].filter(shown).map((one) => one.textContent ?? ''),
    ...['aria-label', 'placeholder', 'title'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]:not(time)`)].filter(shown).map((one) => one.getAttribute(name) ?? ''),
    ),
  ].map((text) => text.trim());
}

describe.skipIf(noBrowser)('labels', () => {
  let portal: Portal;
  let paths: Map<string, string>;
  /** All answers of the gateway: their words are data, not labels. */
  const answered = new Set<string>();

  beforeAll(async () => {
    portal = await openPortal();
    const messageId = await portal.sandbox.text('12025550100', 'Something to show');
    await portal.sandbox.until(messageId, ['delivered']);
    paths = new Map((await filledRoutes(portal)).map(({ route, path }) => [route, path]));
    await portal.context.addInitScript(() => localStorage.setItem('helio-language', 'pseudo'));
    portal.page.on('response', async (response) => {
      if (!response.url().includes('/api/portal/')) return;
      const body: unknown = await response.json().catch(() => null);
      JSON.stringify(body, (_, value: unknown) => {
        if (typeof value === 'string') answered.add(value);
        return value;
      });
    });
  });

  afterAll(() => portal.context.close());

  /** The rest of a text after removing disguised labels, names, data and figures. */
  function plainIn(text: string): string {
    const words = (raw: string) => raw.replace(/[^\p{L}]+/gu, ' ').trim();
    // A function's argument may itself be a label.
    let left = text
      .replace(/⟦[^⟦⟧]*⟧/g, ' ')
      .replace(/⟦[^⟦⟧]*⟧/g, ' ')
      .replace(/_/g, ' ');
    left = left.replace(smppNames, ' ').replace(sameEverywhere, ' ');
    for (const data of [...answered].sort((one, other) => other.length - one.length)) {
      if (words(left) !== '' && data.length > 1) left = left.replaceAll(data.replace(/_/g, ' '), ' ');
    }
    return words(left);
  }

  it.each(routes)('%s', async (route) => {
    await portal.page.goto(paths.get(route) ?? route);
    await portal.page.locator('h1').first().waitFor();
    await portal.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const read = await portal.page.evaluate(readLabels);
    expect(read.some((text) => text.includes('⟦'))).toBe(true);
    const plain = read.filter((text) => plainIn(text) !== '');
    expect([...new Set(plain)]).toEqual([]);
  });

  it('sees every route without a sign-in too', () => expect(routes).toEqual(expect.arrayContaining([...openRoutes])));
});
