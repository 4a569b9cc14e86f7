/** Passkeys in a browser, with chromium's virtual authenticator: the real ceremonies, on http://localhost. */
import type { CDPSession } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  administrator,
  faultsWithin,
  noBrowser,
  openBrowser,
  openPortal,
  type Portal,
  wideAndNarrow,
} from './fixture.ts';

let portal: Portal;
let cdp: CDPSession;
let authenticatorId: string;

/** The test simulates presence itself, so that no page uses a passkey unasked. */
const press = (on: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: on });
const verify = (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
const credentials = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

async function signOut(): Promise<void> {
  // A page of the portal would load the sign-in page by itself, perhaps during `go`.
  await portal.page.goto('about:blank');
  await portal.context.clearCookies();
  await portal.go('/login');
}

describe.skipIf(noBrowser)('passkeys', () => {
  beforeAll(async () => {
    portal = await openPortal();
    const { page, context } = portal;
    cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable', { enableUI: false });
    const options = {
      ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const),
      ...{ isUserVerified: true, automaticPresenceSimulation: false },
    };
    ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options }));
  });

  it('are added in the profile, with recovery codes the first time', async () => {
    const { page } = portal;
    await portal.go('/profile');
    await page.getByRole('heading', { name: 'Passkeys', exact: true }).waitFor();
    await press(true);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your recovery codes').waitFor();
    await wideAndNarrow(portal, 'profile-passkey-added');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page
      .getByRole('button', { name: 'Leave without them' })
      .click({ timeout: 1_500 })
      .catch(() => {});
    const [made] = await credentials();
    expect(made).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });
    // The device refuses a second passkey for the same user.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey of yours already.').waitFor();
    await page.getByRole('button', { name: /^Rename / }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByRole('button', { name: 'Remove Work laptop' }).waitFor();
    await page.getByText('On, by your passkeys.').waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'profile-passkeys');
    await press(false);
    expect(portal.problems).toEqual([]);
  });

  it('sign in without an address, and without a second factor', async () => {
    const { page } = portal;
    await signOut();
    const button = page.getByRole('button', { name: 'Use a passkey' });
    await button.waitFor();
    await wideAndNarrow(portal, 'sign-in-passkey');
    await press(true);
    await button.click();
    await page.waitForURL((url) => url.pathname === '/');
    await portal.go('/profile');
    await page.getByText('Work laptop').first().waitFor();
    expect((await credentials())[0]!.signCount).toBeGreaterThan(1);
    await press(false);
    expect(portal.problems).toEqual([]);
  });

  it('are asked for after the password; without the person’s finger nothing happens', async () => {
    const { page } = portal;
    await signOut();
    await page.getByLabel('E-mail').fill(administrator.email);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await page.getByLabel('Recovery code').waitFor();
    await wideAndNarrow(portal, 'second-step-passkey');
    await press(true);
    await verify(false);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('No passkey was chosen.').waitFor();
    await verify(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await press(false);
    expect(portal.problems).toEqual([]);
  });

  it('are offered in the list under the field, where the browser does that', async () => {
    const { page } = portal;
    await signOut();
    // The virtual authenticator selects the user's only passkey.
    await press(true);
    await portal.go('/login');
    await page.waitForURL((url) => url.pathname === '/');
    await press(false);
    expect(portal.problems).toEqual([]);
  });

  it('that were copied are refused: their counter says so', async () => {
    const { page } = portal;
    await signOut();
    const [credential] = await credentials();
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential!.credentialId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 1 } });
    await press(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('This passkey is not known here').first().waitFor();
    await press(false);
    expect(portal.problems).toEqual([]);
  });

  it('are removed in the profile; the password is enough again then', async () => {
    const { page, context, url } = portal;
    const [credential] = await credentials();
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential!.credentialId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 1_000 } });
    await signOut();
    await press(true);
    // The passkey that is offered under the field: a click on the button would be a second request beside that one.
    await portal.go('/login');
    await page.waitForURL((at) => at.pathname === '/');
    await press(false);
    await portal.go('/profile');
    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Off. Your password alone signs you in.').waitFor();
    await context.clearCookies();
    const answer = await context.request.post(`${url}/api/portal/v1/sign-in`, {
      headers: { origin: url, 'sec-fetch-site': 'same-origin' },
      data: { email: administrator.email, password: administrator.password },
    });
    expect((await answer.json()).data.next).toBe('done');
    expect(portal.problems).toEqual([]);
  });

  it('are shown with the reason where the browser has none', async () => {
    const other = await openBrowser(portal.sandbox, { dark: true });
    const { page, context } = other;
    await context.addInitScript('delete window.PublicKeyCredential');
    await other.go('/profile');
    await page.getByText('This browser has no passkeys here.').waitFor();
    await wideAndNarrow(other, 'profile-no-passkeys-dark');
    await context.clearCookies();
    await other.go('/login');
    expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
    await wideAndNarrow(other, 'sign-in-dark');
    expect(other.problems).toEqual([]);
  });
});
