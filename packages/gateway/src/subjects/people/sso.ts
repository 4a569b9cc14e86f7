/**
 * Sign-in by the operator's identity provider (OpenID Connect). Issuer and subject identify a person after their first
 * sign-in; an address links them to a user only the first time, and only when the provider has verified it. Role and
 * company follow the provider's claims at each sign-in.
 */
import { ssoPlace } from '../../kernel/sealed-place.ts';
import { peopleTimes, type Session } from '../../model/people.ts';
import { auditEntryOf, type Origin, type Refusal } from '../../model/person.ts';
import type { PeopleParts, SsoFault } from './people-parts.ts';
import type { SignIn, SignInResult } from './sign-in.ts';
import { type Claims, readClaims, type SsoRefusal, secondFactorIn } from './sso-claims.ts';
import { createSsoUsers } from './sso-users.ts';

export type SsoOver = { kind: 'sso'; why: SsoFault | SsoRefusal | 'off' };

export interface SsoSignIn {
  /** For the sign-in page; null without a provider. */
  readonly shown: { name: string | null; passwords: boolean } | null;
  /** `flow`: stored by the browser; `finish` gets it back. */
  /** `again`: the provider must authenticate the person anew. */
  begin(next: string | null, again: boolean): Promise<{ kind: 'done'; url: string; flow: string } | SsoOver>;
  finish(
    given: { query: string; flow: string | null },
    origin: Origin,
    leaving: Session | null,
  ): Promise<{ kind: 'in'; result: SignInResult; next: string | null } | SsoOver | Extract<Refusal, { kind: 'slow' }>>;
}

interface Flow {
  state: string;
  nonce: string;
  verifier: string;
  again: boolean;
  next: string | null;
  endsAt: number;
}

type Parts = Pick<PeopleParts, 'clock' | 'ids' | 'logger' | 'store' | 'directory' | 'sealer' | 'sso' | 'attempts'> & {
  signIn: Pick<SignIn, 'begin' | 'proceed'>;
};

/** The name under which refused answers are counted, as each costs the provider a request. */
const counted = 'identity provider';

export function createSsoSignIn(parts: Parts): SsoSignIn {
  const { clock, logger, store, sealer, sso, attempts, signIn } = parts;
  if (sso === null) {
    const off = async (): Promise<SsoOver> => ({ kind: 'sso', why: 'off' });
    return { shown: null, begin: off, finish: off };
  }
  const users = createSsoUsers({ ...parts, sso });

  function opened(flow: string | null): Flow | null {
    if (flow === null) return null;
    try {
      const read: Flow = JSON.parse(sealer.open(Buffer.from(flow, 'base64url').toString(), ssoPlace));
      return read.endsAt > clock.now() ? read : null;
    } catch {
      // Not sealed by this gateway, or altered.
      return null;
    }
  }

  function over(why: SsoOver['why'], origin: Origin): SsoOver {
    logger.warn({ address: origin.address, what: 'identity provider', why }, 'sign-in failed');
    return { kind: 'sso', why };
  }

  async function enter(claims: Claims, origin: Origin, leaving: Session | null): Promise<SignInResult | SsoRefusal> {
    const settled = await users.settle(claims, origin);
    if (typeof settled === 'string') return settled;
    const strong = secondFactorIn(claims, sso!.settings);
    const how = 'identity provider';
    // Two factors there count as two factors here; otherwise this gateway requires its own, if there is one. An old
    // session at the provider does not prove who is present now.
    const confirmedAt = claims.provedAt ?? undefined;
    if (strong) return signIn.begin(settled, origin, leaving, { writes: [], how, strong, confirmedAt });
    return signIn.proceed(settled, origin, leaving, how, confirmedAt);
  }

  return {
    shown: { name: sso.settings.name, passwords: sso.settings.passwords },
    async begin(next, again) {
      const begun = await sso.client.begin(again);
      if ('fault' in begun) return { kind: 'sso', why: begun.fault };
      const { url, ...sent } = begun;
      const flow: Flow = { ...sent, next: localPath(next), endsAt: clock.now() + peopleTimes.ssoMs };
      return {
        ...{ kind: 'done', url },
        flow: Buffer.from(sealer.seal(JSON.stringify(flow), ssoPlace)).toString('base64url'),
      };
    },
    async finish({ query, flow: kept }, origin, leaving) {
      const flow = opened(kept);
      // An answer for another browser, or an old one: nothing of it is used.
      if (flow === null || new URLSearchParams(query).get('state') !== flow.state) return over('state', origin);
      const verdict = attempts.begin(counted, origin.address);
      if (!verdict.allowed) return { kind: 'slow', retryAfterSeconds: verdict.retryAfterSeconds };
      const finished = await sso.client.finish(query, flow);
      if ('fault' in finished) return over(finished.fault, origin);
      const claims = readClaims(finished.claims, sso.settings);
      if (claims === null) return over('answer', origin);
      const result = await enter(claims, origin, leaving);
      if (typeof result === 'string') {
        await noteRefused(claims, result, origin);
        return over(result, origin);
      }
      attempts.right(counted, origin.address);
      return { kind: 'in', result, next: localPath(flow.next) };
    },
  };

  /** In the log of the known user's company; a stranger belongs to no company. */
  async function noteRefused(claims: Claims, why: SsoRefusal, origin: Origin): Promise<void> {
    const user = await users.known(claims);
    if (user === null) return;
    const note = { what: 'sign_in.sso_refused', target: user.userId, after: { why, subject: claims.subject } };
    await store.changePeople([{ rules: [], writes: [], audit: [auditEntryOf({ user, origin }, clock.now(), note)] }]);
  }
}

/** Only a path of this site: anything else could redirect people to another site after the sign-in. */
export function localPath(next: string | null): string | null {
  if (next === null || !/^\/(?![/\\])[^\p{Cc}\\]{0,1000}$/u.test(next)) return null;
  const base = 'http://here.invalid';
  return URL.parse(next, base)?.origin === base ? next : null;
}
