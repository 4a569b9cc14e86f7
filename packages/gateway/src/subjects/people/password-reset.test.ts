/**
 * A forgotten password, by mail: who gets a mail, what its link does, only once, and what nobody can learn from
 * outside.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { type Browser, emailOf, good, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { keptLog, type LogLine } from '../../http/server-fixture.ts';
import { peopleTimes } from '../../model/people.ts';
import { resetLimits } from './password-reset.ts';
import { createPeopleMail } from './people-mail.ts';

const next = 'cellos above the plum tree';
const publicUrl = 'https://texts.rockets.example';

let world: PortalWorld;
let mails: { to: string; subject: string; text: string }[];
const open = async () => {
  mails = [];
  const send = (to: string, mail: { subject: string; text: string }) => void mails.push({ to, ...mail });
  world = await openPortalWorld({ mail: () => ({ publicUrl, send }) });
  return world;
};
afterEach(() => world.close());

/** Runs the work that starts after the answer; it is done when `count` mails are there. */
async function mailed(count: number): Promise<void> {
  world.clock.pass(1);
  await expect.poll(() => mails.length).toBe(count);
}

async function linkFor(email: string, visitor: Browser = world.browser()): Promise<string> {
  const before = mails.length;
  expect((await visitor.call('POST', '/password-reset', { email })).status).toBe(200);
  await mailed(before + 1);
  return /\/reset#k=([\w-]+)/.exec(mails.at(-1)!.text)![1]!;
}

const audited = async () =>
  (await world.store.audit({ accountId: 'acc_one', before: null, userId: null, what: null, limit: 20 })).entries;

describe('asking for a new password', () => {
  it('answers strangers and people alike, before anything is looked up', async () => {
    await open();
    const lookUp = vi.spyOn(world.store, 'users');
    const unknown = await world.browser().call('POST', '/password-reset', { email: 'nobody@nowhere.example' });
    const known = await world.browser().call('POST', '/password-reset', { email: emailOf('Viewer') });
    expect(known.status).toBe(200);
    expect(known.text).toBe(unknown.text);
    // The answer came before any work, so it takes equally long in both cases.
    expect(lookUp).not.toHaveBeenCalled();
    await mailed(1);
    expect(mails.map(({ to }) => to)).toEqual([emailOf('Viewer')]);
    expect((await audited()).map(({ what }) => what)).toEqual(['password.reset_asked']);
  });

  it('puts the operator’s address into the mail, whatever host the request names', async () => {
    await open();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' };
    await world.browser().call('POST', '/password-reset', { email: emailOf('Viewer') }, { headers });
    await mailed(1);
    for (const { text } of mails) expect(text).not.toContain('evil.example');
    expect(mails.at(-1)!.text).toContain(`${publicUrl}/reset#k=`);
  });

  it('mails nobody who is disabled, and writes in the language of the profile', async () => {
    const { store, user } = await open();
    const [viewer, support] = [user('Viewer'), user('Support')];
    const writes = [
      { write: 'user' as const, user: { ...viewer, disabledAt: 1 } },
      { write: 'user' as const, user: { ...support, language: 'es-MX' } },
    ];
    await store.changePeople([{ rules: [], writes, audit: [] }]);
    await world.browser().call('POST', '/password-reset', { email: viewer.email });
    await linkFor(support.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.subject).toBe('Elija una contraseña nueva para Heliograph');
  });

  it('sends a mailbox at most three an hour without saying so, and refuses a client that asks for many', async () => {
    await open();
    const ask = (email: string) => world.browser().call('POST', '/password-reset', { email });
    for (let i = 0; i < resetLimits.perAddress + 2; i++) {
      expect((await ask(emailOf('Viewer').toUpperCase())).status).toBe(200);
      world.clock.pass(1);
    }
    for (let i = resetLimits.perAddress + 2; i < resetLimits.perClient; i++) {
      expect((await ask(`nobody${i}@nowhere.example`)).status).toBe(200);
      world.clock.pass(1);
    }
    await mailed(resetLimits.perAddress);
    const refused = await ask(emailOf('Support'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    world.clock.pass(resetLimits.windowMs);
    expect((await ask(emailOf('Support'))).status).toBe(200);
  });

  it('is no page of the gateway without a server for mails', async () => {
    world = await openPortalWorld();
    const visitor = world.browser();
    expect((await visitor.call('GET', '/setup-state')).json.data.passwordReset).toBe(false);
    expect((await visitor.call('POST', '/password-reset', { email: emailOf('Viewer') })).status).toBe(409);
  });
});

describe('the link', () => {
  it('sets a password once, ends every session, mails the person and signs in', async () => {
    const { as, browser } = await open();
    const elsewhere = await as('Viewer');
    const key = await linkFor(emailOf('Viewer'));
    const visitor = browser();
    expect((await visitor.call('POST', '/password-reset/look', { key })).json.data).toMatchObject({
      email: emailOf('Viewer'),
      passwordCharactersMin: 12,
    });
    expect(
      (await visitor.call('POST', '/password-reset/finish', { key, password: 'short' })).json.fields,
    ).toHaveProperty('password');
    const done = await visitor.call('POST', '/password-reset/finish', { key, password: next });
    expect(done.json.data).toMatchObject({ next: 'done', me: { user: { email: emailOf('Viewer') } } });
    expect((await visitor.call('GET', '/me')).status).toBe(200);
    expect((await elsewhere.call('GET', '/me')).status).toBe(401);
    expect(mails.at(-1)).toMatchObject({ to: emailOf('Viewer'), subject: 'Your Heliograph password was changed' });
    expect((await browser().signIn(emailOf('Viewer'), good)).status).toBe(400);
    expect((await browser().signIn(emailOf('Viewer'), next)).status).toBe(200);
    const again = await browser().call('POST', '/password-reset/finish', { key, password: 'a third one above trees' });
    expect(again.json.reason).toBe('LINK_OVER');
    expect((await audited()).map(({ what }) => what)).toContain('password.reset_by_mail');
    expect(JSON.stringify(await audited())).not.toContain(key);
  });

  it('of two that use it at once lets one in', async () => {
    const { browser } = await open();
    const key = await linkFor(emailOf('Viewer'));
    const answers = await Promise.all(
      [next, 'bassoons below the fig tree'].map((password) =>
        browser().call('POST', '/password-reset/finish', { key, password }),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  it('is over after half an hour, with another password, and when its user is disabled', async () => {
    const { as, browser, clock, store, user } = await open();
    const finish = async (key: string) =>
      (await browser().call('POST', '/password-reset/finish', { key, password: next })).json.reason;
    const old = await linkFor(emailOf('Viewer'));
    clock.pass(peopleTimes.resetKeyMs);
    expect(await finish(old)).toBe('LINK_OVER');

    const replaced = await linkFor(emailOf('Support'));
    const support = await as('Support');
    await support.call('POST', '/me/password', { current: good, next: 'bassoons below the fig tree' });
    expect(await finish(replaced)).toBe('LINK_OVER');

    const disabled = await linkFor(emailOf('Developer'));
    const developer = { ...user('Developer'), disabledAt: clock.now() };
    await store.changePeople([{ rules: [], writes: [{ write: 'user', user: developer }], audit: [] }]);
    expect(await finish(disabled)).toBe('LINK_OVER');
  });

  it('still requires the second factor, and does nothing at the pages of other links', async () => {
    const { browser, store, user } = await open();
    const owner = { ...user('Owner'), totp: { secret: 'sealed:x', lastStep: 0, since: 0 } };
    await store.changePeople([{ rules: [], writes: [{ write: 'user', user: owner }], audit: [] }]);
    const key = await linkFor(owner.email);
    for (const path of ['/setup', '/invitation']) {
      const answer = await browser().call('POST', path, { key, password: next, name: 'Eve' });
      expect(answer.json.reason).toBe('LINK_OVER');
    }
    expect((await browser().call('POST', '/setup/look', { key })).json.reason).toBe('LINK_OVER');
    const visitor = browser();
    const done = await visitor.call('POST', '/password-reset/finish', { key, password: next });
    expect(done.json.data).toMatchObject({ next: 'totp' });
    expect(visitor.cookie).toBeNull();
  });

  it('is refused to a client that guesses', async () => {
    const { browser } = await open();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      statuses.push((await browser().call('POST', '/password-reset/finish', { key: `k${i}`, password: next })).status);
    }
    expect(statuses.at(0)).toBe(400);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('an invitation', () => {
  it('is mailed too', async () => {
    const { as } = await open();
    const owner = await as('Owner');
    const made = await owner.call('POST', '/users/invitations', { email: 'new@rockets.example', role: 'Viewer' });
    expect(made.json.data.mailed).toBe(true);
    expect(mails).toMatchObject([{ to: 'new@rockets.example' }]);
    const link = /https:\S+#k=\S+/.exec(mails[0]!.text)![0];
    expect(link).toBe(`${publicUrl}/invitation#k=${made.json.data.link.split('#k=')[1]}`);
  });
});

describe('a mail', () => {
  it('is tried again while the server does not take it, then given up', async () => {
    world = await openPortalWorld();
    const clock = movedClock();
    const lines: LogLine[] = [];
    let tries = 0;
    const mailer = {
      send: async () => {
        tries += 1;
        throw new Error('451 greylisted');
      },
    };
    createPeopleMail({ clock, logger: keptLog(lines), mailer, publicUrl }).send('a@b.example', {
      subject: '',
      text: '',
    });
    for (const waitMs of [0, 10_000, 60_000, 300_000, 3_600_000]) {
      clock.pass(waitMs);
      await turn();
    }
    expect(tries).toBe(4);
    expect(lines.at(-1)).toMatchObject({ level: 'warn', message: 'a mail to a person was given up' });
    expect(JSON.stringify(lines)).not.toContain('a@b.example');
  });
});
