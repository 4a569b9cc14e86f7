/**
 * The portal in a real browser: Debian's chromium on a gateway of its own with the sandbox, with a signed-in user.
 * Everything a page must not do (errors on the console, requests to another host, failed loads) is collected and ends
 * the test.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? browsers.find((path) => existsSync(path));

/** Tests with a page are skipped, and say so, where there is no browser. */
export const noBrowser = executablePath === undefined;

export const administrator = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'correct horse battery' };

/** How long a page may take on a machine with much else to do. */
const patienceMs = 60_000;

let browser: Browser | null = null;
const openGateways = new Set<SandboxGateway>();

afterAll(async () => {
  await browser?.close();
  browser = null;
  await Promise.all([...openGateways].map((sandbox) => sandbox.stop()));
  openGateways.clear();
});

export interface Portal {
  readonly sandbox: SandboxGateway;
  readonly url: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Faults that the pages caused; a test ends with `expect(portal.problems).toEqual([])`. */
  readonly problems: string[];
  /** Opens a page of the portal and waits for its heading. */
  go(path: string): Promise<void>;
  /** Saves a picture into the folder that HELIO_SCREENSHOTS names; does nothing without it. */
  screenshot(name: string): Promise<void>;
}

export interface PortalOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** Default: the administrator is signed in. */
  signedIn?: boolean;
  /** Signs this user in instead of the administrator of the fixture. */
  who?: { email: string; password: string };
  env?: Record<string, string>;
  records?: object;
  /** Fills the data folder of the gateway before its first start. */
  fill?(dataDir: string): Promise<void>;
  /** Default: a free one. */
  port?: number;
}

/** Starts a gateway with an administrator, and a browser on it. */
export async function openPortal(options: PortalOptions = {}): Promise<Portal> {
  const sandbox = await startPortalGateway(options);
  return openBrowser(sandbox, options);
}

export async function startPortalGateway(options: PortalOptions = {}): Promise<SandboxGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-portal-'));
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, administrator.password, { mode: 0o600 });
  const sandbox = await startSandbox({
    records: options.records,
    fill: options.fill,
    port: options.port,
    env: { HELIO_ADMIN_EMAIL: administrator.email, HELIO_ADMIN_PASSWORD_FILE: passwordFile, ...options.env },
  });
  rmSync(folder, { recursive: true });
  openGateways.add(sandbox);
  return sandbox;
}

export async function openBrowser(sandbox: SandboxGateway, options: PortalOptions = {}): Promise<Portal> {
  browser ??= await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  // Cookies belong to one host name, so the browser uses the name that the gateway gives itself.
  const url = sandbox.url.replace('127.0.0.1', 'localhost');
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark === true ? 'dark' : 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const problems = watch(context, url);
  if (options.signedIn !== false) await signIn(context, url, options.who ?? administrator);
  return {
    sandbox,
    url,
    context,
    page,
    problems,
    go: async (path) => {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
    },
    screenshot: async (name) => {
      const folder = process.env.HELIO_SCREENSHOTS;
      if (folder === undefined) return;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    },
  };
}

export async function signIn(
  context: BrowserContext,
  url: string,
  who: { email: string; password: string },
): Promise<void> {
  const answer = await context.request.post(`${url}/api/portal/v1/sign-in`, {
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    data: { email: who.email, password: who.password },
  });
  if (!answer.ok()) throw new Error(`nobody could sign in: ${await answer.text()}`);
}

/** Screenshots at 1280 and 360 px; at the narrow width nothing is wider than the screen. */
export async function wideAndNarrow({ page, screenshot }: Portal, name: string): Promise<void> {
  await screenshot(`${name}-wide`);
  await page.setViewportSize({ width: 360, height: 740 });
  const html = 'document.documentElement';
  const tooWide = await page.evaluate<number>(`${html}.scrollWidth - ${html}.clientWidth`);
  await screenshot(`${name}-narrow`);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect([name, tooWide]).toEqual([name, 0]);
}

/** Accessibility faults in the open dialog, or in what `where` selects. */
export async function faultsWithin({ page }: Portal, where = '[role=dialog], [role=alertdialog]'): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run('${where}', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })`,
  );
  return found.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
}

function watch(context: BrowserContext, url: string): string[] {
  const problems: string[] = [];
  const { origin } = new URL(url);
  context.on('console', (message) => {
    // The page itself reports a refused request; the browser's line about it is no fault.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(`error: ${error.error().message}`));
  context.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      problems.push(`request to another host: ${request.url()}`);
    }
  });
  return problems;
}
