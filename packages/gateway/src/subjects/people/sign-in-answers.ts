/** The answers of a sign-in: a session begins, or a second factor is required. */
import { cookieHeaders } from '../../http/browser.ts';
import { type Answer, success } from '../../http/exchange.ts';
import { refusal } from '../../http/portal/answers.ts';
import type { PublicCall } from '../../http/portal/portal-guard.ts';
import type { RouteDeps } from '../../http/server.ts';
import { always, either, flag, named, object, orNull, plain } from '../../http/shape.ts';
import type { OpenSession } from '../../model/person.ts';
import { meOf, type PeopleRouteParts } from './me.ts';
import { me as meShape } from './me-shapes.ts';
import type { SignInResult } from './sign-in.ts';

export const signedIn = named('SignedIn', object({ next: always('done'), me: orNull(meShape) }));

export const entered = either(
  signedIn,
  object({
    next: always('totp'),
    challenge: plain(),
    authenticator: flag('Whether they have codes of an authenticator app.'),
    passkey: flag('Whether a passkey does instead of a code.'),
  }),
);

export function begun(
  open: OpenSession,
  call: PublicCall,
  deps: RouteDeps,
  parts: PeopleRouteParts,
): Answer<ReturnType<typeof begunData>> {
  return {
    ...success('You are signed in.', begunData(open, call, deps, parts)),
    headers: cookieHeaders(open.token, call.https),
  };
}

function begunData(open: OpenSession, call: PublicCall, deps: RouteDeps, parts: PeopleRouteParts) {
  return { next: 'done' as const, me: meOf(open, call, deps, parts) };
}

export const ssoOnly = refusal(
  403,
  'SSO_ONLY',
  'Here people sign in with the identity provider of their company. Use its button on the sign-in page.',
);

/** After the first factor. */
export function admitted(...params: Parameters<typeof enteredData>) {
  const [result, call, deps, parts] = params;
  if (result.kind === 'done') return begun(result.open, call, deps, parts);
  return success('This was right. Now the second factor.', enteredData(...params));
}

/** `data` of such an answer, for answers with more. */
export function enteredData(
  result: Extract<SignInResult, { kind: 'done' | 'totp' }>,
  call: PublicCall,
  deps: RouteDeps,
  parts: PeopleRouteParts,
) {
  if (result.kind === 'done') return begunData(result.open, call, deps, parts);
  const { challenge, authenticator, passkey } = result;
  return { next: 'totp' as const, challenge, authenticator, passkey };
}
