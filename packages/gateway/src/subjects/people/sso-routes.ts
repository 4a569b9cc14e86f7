/** Routes of a sign-in through the identity provider: begin, and finish with its response. */
import { cookieHeaders, ssoCookie, ssoCookieHeaders } from '../../http/browser.ts';
import { success } from '../../http/exchange.ts';
import { notRightAnswer, refusal, refusalAnswer } from '../../http/portal/answers.ts';
import { flag, form, optionalOrNull, required } from '../../http/portal/forms.ts';
import type { PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { object, orNull, plain } from '../../http/shape.ts';
import { peopleTimes } from '../../model/people.ts';
import type { PeopleRouteParts } from './me.ts';
import { entered, enteredData, ssoOnly } from './sign-in-answers.ts';
import type { SsoOver } from './sso.ts';

/** Code and sentence of each failure; the portal has the sentences in other languages by the code. */
const refusals: Record<SsoOver['why'], readonly [code: string, sentence: string]> = {
  off: ['SSO_OFF', 'This gateway has no identity provider.'],
  unreachable: ['SSO_UNREACHABLE', 'The identity provider cannot be reached now. Try again, or tell your operator.'],
  denied: ['SSO_DENIED', 'The sign-in was ended at the identity provider. Begin again if you want to sign in.'],
  issuer: ['SSO_ISSUER', 'The answer came from another identity provider than the one of this gateway. Begin again.'],
  clock: ['SSO_CLOCK', 'The clocks of the identity provider and of this gateway differ. Tell your operator.'],
  state: ['SSO_STATE', 'This sign-in was begun in another browser, or more than ten minutes ago. Begin again.'],
  answer: [
    'SSO_ANSWER',
    'The identity provider gave an answer that does not hold. Begin again, or tell your operator.',
  ],
  settings: [
    'SSO_SETTINGS',
    'The identity provider refuses this gateway: its settings do not fit. Tell your operator.',
  ],
  'no address': [
    'SSO_NO_ADDRESS',
    'The identity provider gave no e-mail address of yours, and you are not known here yet.',
  ],
  unverified: [
    'SSO_UNVERIFIED',
    'The identity provider has not verified your e-mail address. Verify it there, then begin again.',
  ],
  domain: ['SSO_DOMAIN', 'People with your e-mail domain may not sign in here.'],
  unknown: ['SSO_UNKNOWN', 'Nobody with your e-mail address is known here. Ask your company to invite you.'],
  linked: [
    'SSO_LINKED',
    'Your e-mail address belongs to another person of the identity provider here. Tell your operator.',
  ],
  role: ['SSO_ROLE', 'Your account at the identity provider has no role here. Ask the administrator of your company.'],
  company: ['SSO_COMPANY', 'Your account at the identity provider belongs to no company here. Tell your operator.'],
  'other company': [
    'SSO_OTHER_COMPANY',
    'You belong to another company here than the identity provider says. Tell your operator.',
  ],
  disabled: ['SSO_DISABLED', 'Your user here is disabled. Ask an Owner or Admin of your company.'],
  changed: ['SSO_CHANGED', 'Your user was changed in this moment. Begin again.'],
};

const refusedFor = (why: SsoOver['why']) => refusal(400, ...refusals[why]);

export function ssoRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PeopleRouteParts): void {
  const { sso } = parts.people;
  const seconds = peopleTimes.ssoMs / 1_000;

  routes.open({
    method: 'POST',
    path: '/sign-in/sso/begin',
    body: form({ next: optionalOrNull, again: flag }, { optional: true }),
    answer: answers(object({ url: plain('Where the browser goes.') }), 'The address of the identity provider'),
    work: async ({ body, https }) => {
      const begun = await sso.begin(body.next ?? null, body.again === true);
      if (begun.kind === 'sso') return refusedFor(begun.why);
      const answer = success('Go to the identity provider.', { url: begun.url });
      return { ...answer, headers: ssoCookieHeaders(begun.flow, https, seconds) };
    },
  });

  routes.open({
    method: 'POST',
    path: '/sign-in/sso/finish',
    body: form({ query: { ...required, charactersMax: 8_192 } }),
    answer: answers(
      object({ entered, to: orNull(plain('The page to go to.')) }),
      'You are signed in, or a second factor is needed as well',
    ),
    work: async (call) => {
      const { body, https, exchange, origin, leaving } = call;
      const flow = ssoCookie(exchange.request, https);
      const finished = await sso.finish({ query: body.query, flow }, origin, leaving?.session ?? null);
      // Valid once, whatever the result.
      const gone = ssoCookieHeaders(null, https, 0);
      if (finished.kind === 'slow') return refusalAnswer(finished);
      if (finished.kind === 'sso') return { ...refusedFor(finished.why), headers: gone };
      const { result, next } = finished;
      if (result.kind === 'sso only') return ssoOnly;
      if (result.kind !== 'done' && result.kind !== 'totp') {
        return notRightAnswer(result, refusals.changed[1], 'query');
      }
      const session = result.kind === 'done' ? cookieHeaders(result.open.token, https) : [];
      const data = { entered: enteredData(result, call, deps, parts), to: next };
      return { ...success('The identity provider knows you.', data), headers: [...session, ...gone] };
    },
  });
}
