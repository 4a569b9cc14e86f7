/** Routes of passkeys: a person's own, the sign-in with one, and the confirmation by one. */
import { isoTime } from '../../http/envelope.ts';
import { success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { notRightAnswer, refusal, refusalAnswer } from '../../http/portal/answers.ts';
import { form, ownField, required } from '../../http/portal/forms.ts';
import { fresh, type PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { anything, flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { type Passkey, peopleTimes } from '../../model/people.ts';
import type { PeopleRouteParts } from './me.ts';
import { noPasskeys, noPasskeysReasons, passkeySite } from './passkey-site.ts';
import { begun, signedIn, ssoOnly } from './sign-in-answers.ts';

const passkeyShown = named(
  'PasskeyShown',
  object({
    passkeyId: plain(),
    name: plain(),
    backedUp: flag('Whether it is synced to other devices of its person.'),
    createdAt: time,
    lastUsedAt: orNull(time),
  }),
);

const options = object({ options: anything('For `navigator.credentials`, as WebAuthn level 3 writes it in JSON.') });
const notRight = 'This passkey is not known here, or it took too long. Try again, or sign in another way.';

export function passkeyRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PeopleRouteParts): void {
  const { passkeys } = parts.people;

  routes.open({
    method: 'POST',
    path: '/sign-in/passkey/begin',
    body: ownBody(null, { optional: true }),
    answer: answers(options, 'What the browser asks the authenticator'),
    work: async (call) => {
      const site = passkeySite(call, deps);
      if (typeof site === 'string') return noPasskeys(site);
      return offered(await passkeys.ask(site, call.origin));
    },
  });

  routes.open({
    method: 'POST',
    path: '/sign-in/passkey',
    body: form({ response: ownField }),
    answer: answers(signedIn, 'You are signed in; no second factor is asked for'),
    work: async (call) => {
      const site = passkeySite(call, deps);
      if (typeof site === 'string') return noPasskeys(site);
      const result = await passkeys.signIn(site, call.body.response, call.origin, call.leaving?.session ?? null);
      if (result.kind === 'done') return begun(result.open, call, deps, parts);
      if (result.kind === 'sso only') return ssoOnly;
      return result.kind === 'totp' ? notTaken : notRightAnswer(result, notRight, 'response');
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/confirm/passkey',
    access: 'signed in',
    body: form({ response: ownField }),
    answer: answers(object({ forMs: whole() }), 'For how long it counts'),
    work: async (call) => {
      const site = passkeySite(call, deps);
      if (typeof site === 'string') return noPasskeys(site);
      const result = await passkeys.confirm(call.person, site, call.body.response);
      return result.kind === 'done'
        ? success('Confirmed.', { forMs: peopleTimes.recentMs })
        : notRightAnswer(result, notRight, 'response');
    },
  });

  routes.add({
    method: 'GET',
    path: '/me/passkeys',
    access: 'signed in',
    answer: answers(
      object({
        passkeys: list(passkeyShown),
        none: orNull(oneOf(noPasskeysReasons, 'Why none can be added here.')),
        at: orNull(plain('The address at which they work.')),
      }),
      'Your passkeys, newest first',
    ),
    work: (call) => {
      const site = passkeySite(call, deps);
      const own = call.person.user.passkeys.map(shown).reverse();
      return success(`${counted(own.length, 'passkey')}.`, {
        passkeys: own,
        none: typeof site === 'string' ? site : null,
        at: typeof site === 'string' ? null : site.origin,
      });
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/passkeys/begin',
    access: fresh('signed in'),
    body: ownBody(null, { optional: true }),
    answer: answers(options, 'What the browser asks the authenticator'),
    work: async (call) => {
      const site = passkeySite(call, deps);
      if (typeof site === 'string') return noPasskeys(site);
      return offered(await passkeys.begin(call.person, site));
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/passkeys',
    access: fresh('signed in'),
    audit: ['passkey.added'],
    body: form({ name: required, response: ownField }),
    answer: answers(
      object({ passkey: passkeyShown, recoveryCodes: orNull(list(plain())) }),
      'The passkey; with the first second factor, recovery codes that are shown this once',
    ),
    work: async (call) => {
      const site = passkeySite(call, deps);
      if (typeof site === 'string') return noPasskeys(site);
      const { name, response } = call.body;
      const result = await passkeys.add(call.person, site, { name, response });
      if (result.kind !== 'done') return refusalAnswer(result);
      const { passkey, recoveryCodes } = result;
      return success('The passkey is added.', { passkey: shown(passkey), recoveryCodes });
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/passkeys/:passkeyId',
    access: 'signed in',
    audit: ['passkey.renamed'],
    body: form({ name: required }),
    answer: answers(object({}), 'It has this name'),
    work: async (call) => {
      const result = await passkeys.rename(call.person, param(call, 'passkeyId'), call.body.name);
      return result.kind === 'done' ? success('The passkey has this name.', {}) : refusalAnswer(result);
    },
  });

  routes.add({
    method: 'DELETE',
    path: '/me/passkeys/:passkeyId',
    access: fresh('signed in'),
    audit: ['passkey.removed'],
    answer: answers(object({}), 'It signs nobody in any more'),
    work: async (call) => {
      const result = await passkeys.remove(call.person, param(call, 'passkeyId'));
      return result.kind === 'done' ? success('The passkey signs nobody in any more.', {}) : refusalAnswer(result);
    },
  });
}

function offered(result: Awaited<ReturnType<PeopleRouteParts['people']['passkeys']['ask']>>) {
  if (result.kind !== 'done') return refusalAnswer(result);
  return success('Ask the authenticator.', { options: result.options });
}

const notTaken = refusal(400, 'NOT_ACCEPTED', notRight);

function shown({ passkeyId, name, backedUp, createdAt, lastUsedAt }: Passkey) {
  return {
    ...{ passkeyId, name, backedUp, createdAt: isoTime(createdAt) },
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}
