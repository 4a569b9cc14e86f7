/** Mails about alerts through a real SMTP server on loopback: their text, and retries while the server refuses them. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { openMailbox } from '../../../../../test/props/mailbox.ts';
import { keptLog, type LogLine } from '../../http/server-fixture.ts';
import { otherCertificate, otherKey } from '../../http/tls-fixture.ts';
import { Secret } from '../../kernel/secret.ts';
import type { Alert } from '../../model/alert.ts';
import { day, minute, now, second } from './alert-fixture.ts';
import { mailOf } from './alert-mail.ts';
import { createMailer, type Mail } from './mailer.ts';
import { openWatched, sceneOf } from './watched-fixture.ts';

async function smtpServer(options?: Parameters<typeof openMailbox>[0]) {
  const mailbox = await openMailbox(options);
  onTestFinished(mailbox.close);
  return mailbox;
}

const from = 'gateway@example.com';
const mail: Mail = { to: ['ada@example.com', 'bob@example.com'], subject: 'Füll', text: 'The disk is nearly full.\n' };
const log: LogLine[] = [];
const mailerAt = (url: string) => createMailer({ url: new Secret(url), from }, keptLog(log));

describe('the mailer', () => {
  it('hands a mail to the server', async () => {
    const { taken, port } = await smtpServer();
    await mailerAt(`smtp://127.0.0.1:${port}`).send(mail);
    expect(taken).toMatchObject([{ from, to: ['ada@example.com', 'bob@example.com'] }]);
    expect(taken[0]!.text).toContain('The disk is nearly full.');
    expect(taken[0]!.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  it('names in the log whom the server refuses, when it takes the mail for others', async () => {
    const { taken, port } = await smtpServer({
      onRcptTo: ({ address }, _session, done) => {
        done(address.startsWith('bob') ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null);
      },
    });
    await mailerAt(`smtp://127.0.0.1:${port}`).send(mail);
    expect(taken).toMatchObject([{ to: ['ada@example.com'] }]);
    const [line] = log.splice(0);
    expect(line).toMatchObject({ level: 'warn', fields: { refused: ['bob@example.com'] } });
    expect(JSON.stringify(line)).toContain('No such user');
  });

  it('gives no password to a server without TLS, and says why it was not taken', async () => {
    const tries: string[] = [];
    const { taken, port } = await smtpServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        tries.push(`${username} ${password}`);
        done(null, { user: username });
      },
    });
    const sent = mailerAt(`smtp://ada:s3cret@127.0.0.1:${port}`).send(mail);
    await expect(sent).rejects.toThrow();
    await expect(sent).rejects.not.toThrow('s3cret');
    expect([taken, tries]).toEqual([[], []]);
  });

  it('trusts no certificate that nobody vouches for', async () => {
    const { taken, port } = await smtpServer({ secure: true, cert: otherCertificate, key: otherKey });
    await expect(mailerAt(`smtps://127.0.0.1:${port}`).send(mail)).rejects.toThrow(/certificate|self-signed/);
    expect(taken).toEqual([]);
  });

  it('says that nobody listens', async () => {
    await expect(mailerAt('smtp://127.0.0.1:1').send(mail)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a mail', () => {
  const alert = (fields: Partial<Alert> = {}): Alert => ({
    ...{ alertId: 'alr_1', kind: 'link', subject: 'c1', environment: 'live', value: 100, limit: 100 },
    ...{ detail: 'Carrier East cannot be reached.', firedAt: now, resolvedAt: null, isTold: true },
    ...fields,
  });

  it('says what fires in its subject, and where to look', () => {
    const { subject, text } = mailOf([{ alert: alert(), state: 'firing', tries: 0 }], {
      now,
      publicUrl: 'https://sms.example',
    });
    expect(subject).toBe('[Heliograph] FIRING: Carrier East cannot be reached.');
    expect(text).toContain('FIRING  link: Carrier East cannot be reached.\n        since 2027-01-15T08:00:00.000Z');
    expect(text).toContain('https://sms.example/alerts');
  });

  it('counts several, and begins with those that fire', () => {
    const over = alert({ detail: 'Only 5 MB are free.', kind: 'disk', resolvedAt: now + 90 * second });
    const { subject, text } = mailOf(
      [
        { alert: over, state: 'resolved', tries: 0 },
        { alert: alert(), state: 'firing', tries: 1 },
      ],
      { now, publicUrl: null },
    );
    expect(subject).toBe('[Heliograph] 2 alerts: 1 firing, 1 resolved');
    expect(text.indexOf('FIRING')).toBeLessThan(text.indexOf('RESOLVED'));
    expect(text).toContain('over after 90 s');
  });
});

describe('alerts', () => {
  /** The mails of a scene whose disk is nearly full; `refuse` decides whether the server refuses. */
  async function mailed(refuse: () => boolean) {
    const clock = movedClock();
    const mails: Mail[] = [];
    const scene = sceneOf(clock, {
      freeBytes: 5e6,
      takeMail: async (one) => {
        if (refuse()) throw new Error('421 try later');
        mails.push(one);
      },
    });
    const watched = await openWatched(clock, scene);
    /** The mail is sent asynchronously, after the look. */
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 5 * second) {
        await watched.pass(5 * second);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await expect
        .poll(async () => {
          await watched.pass(5 * second);
          return watched.store.dueAlertMail({ now: clock.now(), limit: 9 });
        })
        .toEqual([]);
    };
    return { watched, scene, mails, pass, subjects: () => mails.map(({ subject }) => subject) };
  }

  it('are mailed to the operators when they fire and when they are over, each once', async () => {
    const { scene, mails, pass, subjects } = await mailed(() => false);
    await pass(3 * minute);
    scene.freeBytes = 50e9;
    await pass(3 * minute);
    expect(subjects()).toEqual([
      '[Heliograph] FIRING: Only 5 MB are free on the disk of the data folder.',
      '[Heliograph] RESOLVED: Only 5 MB are free on the disk of the data folder.',
    ]);
    expect(mails[0]!.to).toEqual(['op0@example.com']);
  });

  it('wait while the server takes none, also over a restart, and go together then', async () => {
    let away = true;
    const { watched, scene, pass, subjects } = await mailed(() => away);
    await pass(2 * minute);
    scene.certificateEndsAt = 0;
    await pass(2 * minute);
    await watched.restart();
    expect(subjects()).toEqual([]);
    away = false;
    await pass(10 * minute);
    expect(subjects().join(' ')).toMatch(/Only 5 MB|2 alerts: 2 firing/);
    const sent = subjects().length;
    await pass(10 * minute);
    expect(subjects()).toHaveLength(sent);
  });

  it('are given up after a day', async () => {
    let away = true;
    const { watched, pass, subjects } = await mailed(() => away);
    await pass(2 * minute);
    await watched.pass(minute);
    const { store } = watched;
    for (let hours = 0; hours < 25; hours++) {
      await watched.pass(60 * minute);
    }
    away = false;
    await pass(day / 12);
    expect(subjects()).toEqual([]);
    expect(await store.dueAlertMail({ now: Number.MAX_SAFE_INTEGER, limit: 9 })).toEqual([]);
  });
});
