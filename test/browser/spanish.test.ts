/**
 * The portal in Spanish, chosen in the profile or on the sign-in page: every route without English labels, and only the
 * Spanish packs are loaded.
 */
import type { BrowserContext, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, faultsWithin, noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';
import { filledRoutes, openRoutes, portalRoutes } from './routes.ts';

const behind = portalRoutes().filter((route) => !openRoutes.includes(route));

/** Words that occur in English sentences and never in Spanish ones. */
const english = /\b(the|and|of|with|your|this|that|not|are|is|from|you|when|which)\b/i;

/** Runs in the page: every text that a person reads, except code. */
function readTexts(): string[] {
  const read: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const within = node.parentElement;
    if (within === null || within.closest('pre, code, script, style, noscript, [lang]:not(html)') !== null) continue;
    if (within.checkVisibility?.() !== false) read.push((node.textContent ?? '').trim());
  }
  for (const name of ['aria-label', 'placeholder', 'title']) {
    for (const one of document.querySelectorAll(`[${name}]:not(time)`)) read.push(one.getAttribute(name) ?? '');
  }
  return [...new Set(read)].filter((text) => text !== '');
}

async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** The texts of both packs of a language, except those that functions compose. */
async function textsOf(language: string): Promise<Set<string>> {
  const packs: unknown[] = await Promise.all(
    ['start', 'rest'].map((pack) => import(`../../packages/portal/src/language/${pack}.${language}.ts`)),
  );
  const texts = (label: unknown): string[] =>
    typeof label === 'string'
      ? [label]
      : typeof label === 'object' && label !== null
        ? Object.values(label).flatMap(texts)
        : [];
  return new Set(packs.flatMap(texts));
}

describe.skipIf(noBrowser)('Spanish', () => {
  let portal: Portal;
  let paths: Map<string, string>;
  let onlyEnglish: Set<string>;
  /** The gateway's answers: its own sentences are English. */
  const answered = new Set<string>();
  const reading: Promise<void>[] = [];
  const loaded: string[] = [];

  beforeAll(async () => {
    portal = await openPortal();
    const messageId = await portal.sandbox.text('12025550100', 'Algo que mostrar');
    await portal.sandbox.until(messageId, ['delivered']);
    paths = new Map((await filledRoutes(portal)).map(({ route, path }) => [route, path]));
    const spanish = await textsOf('es');
    onlyEnglish = new Set([...(await textsOf('en'))].filter((text) => !spanish.has(text)));
    listen(portal.context);
  });

  afterAll(() => portal.context.close());

  function listen(context: BrowserContext): void {
    context.on('request', (request) => loaded.push(request.url()));
    context.on('response', (response) => {
      if (response.url().includes('/api/portal/')) reading.push(remember(response));
    });
  }

  async function remember(response: Response): Promise<void> {
    const type = response.headers()['content-type'] ?? '';
    if (!type.includes('json')) return;
    const body: unknown = await response.json().catch(() => null);
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === 'string' && value.length > 1) answered.add(value);
      return value;
    });
  }

  function isEnglish(text: string): boolean {
    if (answered.has(text)) return false;
    let left = text.replaceAll('The Campaign Registry', ' ');
    for (const data of [...answered].sort((one, other) => other.length - one.length)) {
      if (data.length > 3) left = left.replaceAll(data, ' ');
    }
    return onlyEnglish.has(left.trim()) || english.test(left);
  }

  it('is chosen in the profile, which shows it at once', async () => {
    const { page } = portal;
    await portal.go('/profile');
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('option', { name: 'Español' }).click();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('heading', { name: 'Su perfil' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es-419');
    expect(await page.title()).toBe('Su perfil · Heliograph');
    const { data } = await (await portal.context.request.get(`${portal.url}/api/portal/v1/me`)).json();
    expect(data.user.language).toBe('es');
  });

  it.each(behind)('has nothing of English, and fits a telephone, on %s', async (route) => {
    const { page } = portal;
    await page.goto(paths.get(route) ?? route);
    await settled(page);
    const read = await page.evaluate(readTexts);
    await Promise.all(reading.splice(0));
    expect(read.length).toBeGreaterThan(20);
    expect(read.filter(isEnglish)).toEqual([]);
    expect(await page.title()).not.toMatch(english);
    await page.setViewportSize({ width: 390, height: 800 });
    const tooWide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(tooWide).toBe(0);
  });

  it.each(['/', '/messages', '/profile'])('is accessible on %s', async (path) => {
    await portal.page.goto(path);
    await settled(portal.page);
    expect(await faultsWithin(portal, 'body')).toEqual([]);
  });

  it('loads no English labels', async () => {
    loaded.length = 0;
    await portal.go('/messages');
    await settled(portal.page);
    const labels = loaded.flatMap((url) => /\/((?:start|rest)\.\w+)-/.exec(url)?.[1] ?? []);
    expect([...new Set(labels)].sort()).toEqual(['rest.es', 'start.es']);
  });

  it('keeps the words of a search as they are in every language', async () => {
    const { page } = portal;
    await portal.go('/messages?q=status:not-sent');
    await settled(page);
    expect(await page.getByText('Ningún mensaje coincide con esta búsqueda').count()).toBe(1);
    expect(await page.getByText('No se entendió toda la búsqueda').count()).toBe(0);
  });

  it('says why a recipient was refused, in the search and with its request', async () => {
    const { page, sandbox } = portal;
    const { json } = await sandbox.send({ from: sandbox.from, text: 'Oferta', to: ['12025550100', '2'] });
    const { detail } = json.schema.resultResponses[1];
    const title = 'No es un número de teléfono';
    await portal.go('/messages?q=status:refused');
    const row = page.getByRole('row').filter({ hasText: 'INVALID_NUMBER' }).first();
    await row.getByText(title).waitFor();
    await row.getByRole('link', { name: /^req_/ }).click();
    await page.waitForURL(/\/requests\/req_/);
    await page.getByRole('row').filter({ hasText: 'INVALID_NUMBER' }).getByText(title).waitFor();
    expect(await page.getByText(detail).count()).toBe(0);
  });

  it('says what is wrong with credentials', async () => {
    const { page } = portal;
    await portal.go('/settings/company/api-keys');
    await page.getByRole('button', { name: 'Probar', exact: true }).click();
    await page.getByText('En cada llamada se necesitan ambos tokens, y falta uno o faltan los dos.').waitFor();
  });

  it('is there for the same person in another browser, and stays on the sign-in page', async () => {
    const other = await openBrowser(portal.sandbox, { signedIn: false });
    const { page } = other;
    await other.go('/login');
    await page.getByLabel('E-mail').fill(administrator.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong, and long enough');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The e-mail address or the password is wrong.').first().waitFor();
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Inicio' }).waitFor();

    await page.getByRole('button', { name: 'Cerrar sesión' }).click();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await page.getByLabel('Correo electrónico').fill(administrator.email);
    await page.getByLabel('Contraseña', { exact: true }).fill('equivocada y bastante larga');
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await page.getByText('El correo electrónico o la contraseña no son correctos.').first().waitFor();

    expect(await page.locator('[aria-current="true"]').textContent()).toBe('Español');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US');
    await other.context.close();
  });

  it('is the language of a browser that prefers it', async () => {
    const other = await openBrowser(portal.sandbox, { signedIn: false });
    await other.context.addInitScript(() =>
      Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'es-MX', 'en'] }),
    );
    await other.go('/login');
    expect(await other.page.locator('h1').textContent()).toBe('Iniciar sesión');
    expect(await other.page.locator('html').getAttribute('lang')).toBe('es-MX');
    await other.context.close();
    expect(portal.problems).toEqual([]);
  });
});
