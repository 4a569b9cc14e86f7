/** TLS and AUTH towards the peer: either the required protection is there, or nothing is sent. */
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../../test/props/clock.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from '../../http/tls-fixture.ts';
import { mmsSubmission } from '../carrier-fixture.ts';
import { type Mm4Scene, mm4Scene } from './mm4-fixture.ts';

let scene: Mm4Scene | null = null;
afterEach(async () => {
  await scene?.close();
  scene = null;
});

const tls = { key: testKey, cert: testCertificate };
const trusting = { caCertificate: testCertificate };

/** Starts the adapter, and sends one message once the link is up. */
async function attempt(prepare: (scene: Mm4Scene) => void = () => {}): Promise<Mm4Scene> {
  const all = scene!;
  prepare(all);
  all.smtp.atOnce = '250 OK';
  all.carrier.start(all.sink);
  await until(() => all.sink.links.length > 0);
  all.carrier.submit([mmsSubmission(1)]);
  await until(() => all.sink.outcomeOf('msg_1') !== undefined);
  return all;
}

const isSecure = ({ smtp }: Mm4Scene): boolean[] => smtp.mails.map(({ secure }) => secure);
const verbs = ({ smtp }: Mm4Scene): string[] => smtp.commands.map((line) => line.split(' ')[0]!);

describe('TLS', () => {
  it.each([
    ['none', true, [false]],
    ['opportunistic', true, [true]],
    ['opportunistic', false, [false]],
    ['starttls', true, [true]],
    ['starttls', false, []],
  ] as const)('%s, offered: %s', async (mode, offered, expected) => {
    scene = await mm4Scene({ connections: 1, tls: mode, ...trusting }, offered ? { peerTls: tls } : {});
    const all = await attempt();
    expect(isSecure(all)).toEqual(expected);
    expect(all.sink.links[0]!.up).toBe(expected.length > 0);
    const { certificate } = all.carrier.status();
    expect(certificate?.validTo ?? null).toEqual(expected[0] === true ? expect.any(Number) : null);
    if (expected.length === 0) expect(verbs(all)).not.toContain('MAIL');
  });

  it('implicit', async () => {
    scene = await mm4Scene({ connections: 1, tls: 'implicit', ...trusting }, { peerTls: { ...tls, implicit: true } });
    const all = await attempt();
    expect(isSecure(all)).toEqual([true]);
    // A connection that ends later was not refused.
    all.smtp.drop();
    await until(() => all.sink.links.length > 1);
    expect(all.carrier.status()).toMatchObject({ up: false, refusedCertificate: null });
  });

  it('implicit, to a peer without: the link is down', async () => {
    scene = await mm4Scene({ connections: 1, tls: 'implicit', ...trusting });
    const all = await attempt();
    expect(all.sink.links).toMatchObject([{ up: false }]);
    expect(all.smtp.mails).toEqual([]);
    // No TLS, no certificate.
    expect(all.carrier.status().refusedCertificate).toBeNull();
  });

  it('opportunistic goes on in the clear only when the peer declines STARTTLS, never when its TLS is wrong', async () => {
    scene = await mm4Scene({ connections: 1, tls: 'opportunistic', ...trusting }, { peerTls: tls });
    const declined = await attempt(({ smtp }) => smtp.answers.set('STARTTLS', '454 Not now'));
    expect(isSecure(declined)).toEqual([false]);
    await declined.close();
    scene = await mm4Scene({ connections: 1, tls: 'opportunistic' }, { peerTls: tls });
    const untrusted = await attempt();
    expect(untrusted.sink.links).toMatchObject([{ up: false }]);
    expect(untrusted.smtp.mails).toEqual([]);
  });

  it.each([
    ['of nobody we know', tls, {}, false],
    ['of another authority', tls, { caCertificate: otherCertificate }, false],
    ['for another name', { key: otherKey, cert: otherCertificate }, { caCertificate: otherCertificate }, false],
    ['of nobody we know, which the operator allows', tls, { tlsVerify: false }, true],
  ])('a certificate %s', async (_, peerTls, more, isTaken) => {
    scene = await mm4Scene({ connections: 1, tls: 'starttls', ...more }, { peerTls });
    const all = await attempt();
    expect(all.sink.links[0]!.up).toBe(isTaken);
    expect(isSecure(all)).toEqual(isTaken ? [true] : []);
    const { certificate, refusedCertificate } = all.carrier.status();
    const shown = expect.objectContaining({ subject: expect.stringContaining('CN=') });
    expect([certificate, refusedCertificate]).toEqual(isTaken ? [shown, null] : [null, shown]);
  });
});

describe('AUTH', () => {
  const account = { username: 'us', password: 'sésame' };

  it('PLAIN, inside TLS and before the first mail', async () => {
    scene = await mm4Scene({ connections: 1, tls: 'starttls', ...trusting, ...account }, { peerTls: tls });
    const all = await attempt(({ smtp }) => smtp.extensions.push('AUTH PLAIN LOGIN'));
    const plain = `AUTH PLAIN ${Buffer.from('\0us\0sésame').toString('base64')}`;
    expect(all.smtp.commands.slice(0, 5)).toEqual([
      'EHLO ours.example',
      'STARTTLS',
      'EHLO ours.example',
      plain,
      expect.stringMatching(/^MAIL/),
    ]);
  });

  it.each([
    ['declines TLS', { peerTls: tls }],
    ['hides TLS', {}],
  ])('is not given to a peer that %s', async (_, deps) => {
    scene = await mm4Scene({ connections: 1, tls: 'opportunistic', ...trusting, ...account }, deps);
    const all = await attempt(({ smtp }) => {
      smtp.extensions.push('AUTH PLAIN');
      smtp.answers.set('STARTTLS', '454 Not now');
    });
    expect(verbs(all)).not.toContain('AUTH');
    expect(all.sink.links).toMatchObject([{ up: false, detail: expect.stringContaining('without TLS') }]);
  });

  it('in the clear only where the operator chose no TLS, and never unasked', async () => {
    scene = await mm4Scene({ connections: 1, ...account });
    const all = await attempt(({ smtp }) => smtp.extensions.push('AUTH LOGIN'));
    expect(verbs(all).slice(0, 2)).toEqual(['EHLO', 'AUTH']);
    expect(all.sink.outcomeOf('msg_1')).toMatchObject({ kind: 'accepted' });
    await all.close();
    scene = await mm4Scene({ connections: 1, ...account });
    const without = await attempt();
    expect(verbs(without)).not.toContain('AUTH');
    expect(without.sink.links).toMatchObject([{ up: false, detail: expect.stringContaining('offers no AUTH') }]);
  });
});
