/**
 * The client of the identity provider (OpenID Connect, code flow with PKCE), using a library that is loaded at the
 * first sign-in. Its requests go through the egress policy.
 */
import type { FetchCaps, GuardedFetch, UrlPolicy } from '@heliograph/guarded-fetch';
import type { Configuration, CustomFetch } from 'openid-client';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { readSecretLine } from '../kernel/secret-line.ts';
import { version } from '../kernel/version.ts';
import type { OidcClient, SsoFault } from '../subjects/people/people-parts.ts';

const library = () => import('openid-client');

const caps: FetchCaps = {
  connectMs: 5_000,
  totalMs: 15_000,
  firstByteMs: 10_000,
  bodyBytesMax: 1_000_000,
  keep: 'whole',
};
/** How long the provider's configuration document is trusted. */
const configurationMs = 3_600_000;
const awayMs = 5_000;
/** Maximum age of the person's authentication at the provider, if a fresh one is required. */
const freshSeconds = 300;
/** Tolerated difference between the provider's clock and ours. */
const toleranceSeconds = 60;

export interface OidcClientParts {
  clock: Pick<Clock, 'monotonicMs'>;
  logger: Logger;
  guarded: Pick<GuardedFetch, 'fetch'>;
  policy: () => UrlPolicy;
  issuer: string;
  clientId: string;
  /** Null = a public client. */
  clientSecretFile: string | null;
  scopes: string;
  redirectUri: string;
}

/** The file of the client secret cannot be used. */
export class SsoRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SsoRefused';
  }
}

/** Throws SsoRefused. */
export function createOidcClient(parts: OidcClientParts): OidcClient {
  const { clock, logger, guarded, policy, issuer, clientId, clientSecretFile, scopes, redirectUri } = parts;
  const server = new URL(issuer);
  let known: { configuration: Promise<Configuration>; endsAt: number } | null = null;
  // It is read again with each configuration; a wrong file is refused at once.
  if (clientSecretFile !== null) secretIn(clientSecretFile);

  /** Follows no redirect: the provider must answer at the addresses in its own document. */
  const fetched: CustomFetch = async (url, { method, headers, body }) => {
    const answer = await guarded.fetch({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers, 'user-agent': `Heliograph/${version}` },
      ...(body !== undefined && body !== null && { body: String(body) }),
      policy: policy(),
      caps,
      redirectsMax: 0,
    });
    if (answer.kind !== 'answered') throw new Unreachable(answer.kind === 'busy' ? 'busy' : answer.why);
    const bare = answer.status === 204 || answer.status === 304;
    return new Response(bare ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };

  /** Concurrent callers share one request, and a provider that did not answer is not queried again at once. */
  function configuration(): Promise<Configuration> {
    if (known === null || known.endsAt <= clock.monotonicMs()) {
      const fetched = { configuration: discovered(), endsAt: clock.monotonicMs() + configurationMs };
      fetched.configuration.catch(() => {
        fetched.endsAt = clock.monotonicMs() + awayMs;
      });
      known = fetched;
    }
    return known.configuration;
  }

  async function discovered(): Promise<Configuration> {
    const oidc = await library();
    const secret = clientSecretFile === null ? null : secretIn(clientSecretFile);
    return oidc.discovery(
      server,
      clientId,
      { [oidc.clockTolerance]: toleranceSeconds },
      secret === null ? oidc.None() : oidc.ClientSecretBasic(secret),
      // Plain HTTP is allowed for this machine only; the settings refuse it elsewhere.
      { [oidc.customFetch]: fetched, ...(server.protocol === 'http:' && { execute: [oidc.allowInsecureRequests] }) },
    );
  }

  /** Only names of codes and claims: an answer of the provider may contain tokens. */
  function loggedFault(error: unknown): { fault: SsoFault } {
    const { fault, cause } = faultOf(error);
    logger.warn({ fault, cause }, 'the identity provider did not sign somebody in');
    return { fault };
  }

  return {
    async begin(again) {
      try {
        const [oidc, config] = await Promise.all([library(), configuration()]);
        const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopes,
          ...{ state, nonce, code_challenge_method: 'S256' },
          ...(again && { prompt: 'login', max_age: String(freshSeconds) }),
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        });
        return { url: url.href, state, nonce, verifier, again };
      } catch (error) {
        return loggedFault(error);
      }
    },
    async finish(query, { state, nonce, verifier, again }) {
      try {
        const [oidc, config] = await Promise.all([library(), configuration()]);
        const back = new URL(redirectUri);
        back.search = query;
        const tokens = await oidc.authorizationCodeGrant(config, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(again && { maxAge: freshSeconds }),
        });
        const claims = tokens.claims()!;
        // Some providers omit address and groups from the ID token.
        const more =
          config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await userInfo(tokens.access_token, claims.sub);
        return {
          claims: {
            ...(claims.email === undefined || claims.email === more.email ? more : withoutAddress(more)),
            ...claims,
          },
        };
      } catch (error) {
        return loggedFault(error);
      }
    },
  };

  async function userInfo(accessToken: string, subject: string): Promise<Record<string, unknown>> {
    const [oidc, config] = await Promise.all([library(), configuration()]);
    return oidc.fetchUserInfo(config, accessToken, subject);
  }
}

function secretIn(file: string): string {
  const variable = 'HELIO_OIDC_CLIENT_SECRET_FILE';
  // RFC 6749 appendix A.2 allows spaces.
  const setting = { variable, file, what: 'secret', charactersMin: 1, spaced: true } as const;
  return readSecretLine(setting, (sentence) => new SsoRefused(sentence)).reveal();
}

/** The verified flag applies only to its own address, not to another one in the ID token. */
function withoutAddress({ email: _, email_verified: __, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

class Unreachable extends Error {}

interface Thrown {
  name?: string;
  message?: string;
  code?: unknown;
  /** The provider's own code (RFC 6749 §4.1.2.1, §5.2). */
  error?: unknown;
  cause?: Thrown & { claim?: unknown };
}

/** `cause`: only names of errors and claims, or of a file. */
function faultOf(thrown: unknown): { fault: SsoFault; cause: string } {
  if (thrown instanceof SsoRefused) return { fault: 'settings', cause: thrown.message };
  const { code, name, message, error, cause } = thrown as Thrown;
  const away = [thrown, cause].find((one) => one instanceof Unreachable);
  if (away !== undefined) return { fault: 'unreachable', cause: (away as Unreachable).message };
  const claim = cause?.claim ?? (/"iss"/.test(`${message} ${cause?.message}`) ? 'iss' : null);
  const named = [code ?? name, error, claim].filter((one) => typeof one === 'string').join(' ');
  return { fault: faultByCode(code, claim, error), cause: named.slice(0, 200) };
}

function faultByCode(code: unknown, claim: unknown, error: unknown): SsoFault {
  switch (code) {
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      return error === 'access_denied' || error === 'login_required' ? 'denied' : 'settings';
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return 'clock';
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return 'issuer';
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
      return 'unreachable';
    case 'OAUTH_RESPONSE_BODY_ERROR':
      return error === 'invalid_grant' ? 'answer' : 'settings';
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
    case 'OAUTH_MISSING_SERVER_METADATA':
      return 'settings';
    default:
      return claim === 'iss' ? 'issuer' : 'answer';
  }
}
