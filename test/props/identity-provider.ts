/**
 * A real identity provider (`oidc-provider`) on loopback. It signs every visitor in as `provider.person`, without a
 * prompt.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface ProvidersPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: readonly string[];
  company?: string;
  /** The provider's authentication methods for this sign-in. */
  amr?: readonly string[];
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Null = the person denies access. */
  person: ProvidersPerson | null;
  close(): Promise<void>;
}

export const oidcClient = { id: 'heliograph', secret: 'a secret of this client alone' };

export async function openIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: IdentityProvider = {
    issuer,
    person: null,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const people = new Map<string, ProvidersPerson>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri] }],
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'company'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ ...(made.person?.sub === sub ? made.person : people.get(sub)), sub }) as never,
    }),
    // Consent for this client is granted without a prompt.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  // The client is on loopback, where plain HTTP is enough.
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) {
      void provider.callback()(request, response);
      return;
    }
    const { person } = made;
    const result =
      person === null
        ? { error: 'access_denied', error_description: 'The person said no.' }
        : {
            login: {
              accountId: person.sub,
              ...(person.amr !== undefined && { amr: [...person.amr] }),
              remember: false,
            },
          };
    if (person !== null) people.set(person.sub, person);
    provider.interactionFinished(request, response, result).catch(() => response.destroy());
  });
  return made;
}

/**
 * Follows redirects as a browser would, with its cookies, until the provider redirects back; resolves with the query of
 * that redirect.
 */
export async function signInAtProvider(url: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = url;
  for (let hops = 0; hops < 10; hops++) {
    if (at.startsWith(redirectUri)) return new URL(at).search;
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    at = new URL(location, at).href;
  }
  throw new Error('the provider sends people round and round');
}
