/**
 * A forgotten password in a browser, with a real SMTP server: the link is requested, mailed, used once, and then
 * invalid.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Mailbox, openMailbox } from '../props/mailbox.ts';
import { administrator, faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

let portal: Portal;
let mailbox: Mailbox;

/** The portal's public URL, with a port other than its real one here. */
const publicUrl = 'http://localhost:4433';
/** Quoted-printable, as mails are sent. */
const plainOf = (text: string) => text.replace(/=\r\n/g, '').replace(/=3D/g, '=');

async function newestLink(): Promise<string> {
  const text = await vi.waitFor(
    () => {
      const found = mailbox.taken.map((mail) => plainOf(mail.text)).findLast((one) => one.includes('/reset#k='));
      expect(found).toBeDefined();
      return found!;
    },
    { timeout: 60_000 },
  );
  expect(text).toContain(`${publicUrl}/reset#k=`);
  return /\/reset#k=[\w-]+/.exec(text)![0];
}

describe.skipIf(noBrowser)('a forgotten password', () => {
  beforeAll(async () => {
    mailbox = await openMailbox();
    const env = {
      HELIO_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
      HELIO_SMTP_FROM: 'gateway@example.com',
      HELIO_PUBLIC_URL: publicUrl,
    };
    portal = await openPortal({ signedIn: false, env });
  });
  afterAll(() => mailbox.close());

  it('is set anew by a mailed link, which works once', async () => {
    const { page } = portal;
    await portal.go('/login');
    await wideAndNarrow(portal, 'sign-in-with-mail');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await page.getByLabel('E-mail').fill('ada');
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByText('This is no e-mail address.').first().waitFor();
    await page.getByLabel('E-mail').fill(administrator.email);
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByText('If somebody signs in with this address').waitFor();
    await wideAndNarrow(portal, 'password-asked');

    const link = await newestLink();
    await portal.go(link);
    await page.getByText(`You sign in as ${administrator.email}`).waitFor();
    expect(page.url()).not.toContain('k=');
    await wideAndNarrow(portal, 'password-new');
    await page.getByLabel('Password', { exact: true }).fill('cellos above the plum tree');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await expect.poll(() => mailbox.taken.at(-1)!.text).toContain('was changed');

    await portal.go(link);
    await page.getByText('This link was used already').waitFor();
    expect(portal.problems).toEqual([]);
  });
});
