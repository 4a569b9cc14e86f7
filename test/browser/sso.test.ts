/** Sign-in by an identity provider in a browser: a real one, its cookies, its redirects, and what it refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { type IdentityProvider, oidcClient, openIdentityProvider } from '../props/identity-provider.ts';
import { privateFile } from '../props/private-file.ts';
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
let provider: IdentityProvider;

/** The browser may contact the provider's host here, and no other. */
const besidesProvider = ({ problems }: Portal) => problems.filter((one) => !one.includes(`: ${provider.issuer}/`));

describe.skipIf(noBrowser)('an identity provider', () => {
  beforeAll(async () => {
    // The provider must know the redirect URI before the gateway listens.
    const port = await freePort();
    const publicUrl = `http://localhost:${port}`;
    provider = await openIdentityProvider(`${publicUrl}/login/sso`);
    const env = {
      HELIO_PUBLIC_URL: publicUrl,
      HELIO_OIDC_ISSUER: provider.issuer,
      HELIO_OIDC_CLIENT_ID: oidcClient.id,
      HELIO_OIDC_CLIENT_SECRET_FILE: privateFile(oidcClient.secret),
      HELIO_OIDC_NAME: 'Acme ID',
      HELIO_OIDC_ROLES: 'helpers=Support',
      HELIO_OIDC_ACCOUNT: 'sandbox',
      HELIO_OIDC_CREATE: '1',
      HELIO_OIDC_PRIVATE: '1',
    };
    portal = await openPortal({ signedIn: false, env, port });
  });
  afterAll(() => provider.close());

  it('signs somebody new in, on the page that they wanted, and says what is wrong otherwise', async () => {
    const { page } = portal;
    provider.person = {
      sub: 'n-1',
      email: 'nora@example.com',
      email_verified: false,
      groups: ['helpers'],
      name: 'Nora',
    };
    await portal.go('/opt-outs');
    await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor();
    await wideAndNarrow(portal, 'sign-in-sso');
    await page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
    await page.getByText('has not verified your e-mail address').waitFor();
    expect(page.url()).not.toContain('code=');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'sso-refused');

    provider.person = { ...provider.person, email_verified: true };
    await page.getByRole('link', { name: 'To the sign-in' }).click();
    await portal.go('/opt-outs');
    await page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
    await page.waitForURL((url) => url.pathname === '/opt-outs');
    await page.getByText('Nora').first().waitFor();
    await portal.go('/profile');
    await page.getByText('You have none: you sign in with the identity provider').waitFor();
    await wideAndNarrow(portal, 'profile-sso');
    expect(besidesProvider(portal)).toEqual([]);
  });

  it('whose sign-in the person ends says so; an old address does nothing', async () => {
    const other = await openBrowser(portal.sandbox, { signedIn: false, dark: true });
    const { page } = other;
    provider.person = null;
    await other.go('/login');
    await page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
    await page.getByText('The sign-in was ended at the identity provider.').waitFor();
    await wideAndNarrow(other, 'sso-denied-dark');
    await other.go('/login/sso?code=x&state=y&next=//evil.example');
    await page.getByText('begun in another browser').waitFor();
    expect(new URL(page.url()).host).toBe(new URL(other.url).host);
    expect(besidesProvider(other)).toEqual([]);
  });

  it('does not keep the administrator out, whose password goes on working', async () => {
    const other = await openBrowser(portal.sandbox, { who: administrator });
    await other.go('/profile');
    await other.page.getByRole('button', { name: 'Change password' }).waitFor();
    expect(besidesProvider(other)).toEqual([]);
  });
});
