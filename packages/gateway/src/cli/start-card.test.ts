/** The start card: word for word once, then the lines that vary, and its commands in a real shell. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { FirstSteps } from '../subjects/records/first-steps.ts';
import { type StartFacts, startCard } from './start-card.ts';

const firstSteps: FirstSteps = {
  baseUrl: 'http://localhost:8088',
  bearerToken: 'bt_sbx_bearer',
  authToken: 'at_sbx_auth',
  from: '12025550199',
  handsets: ['12025550100', '12025550101', '12025550109'],
  smpp: { host: '127.0.0.1', port: 2775 },
  mm7: { url: 'http://127.0.0.1:2776/mm7' },
  mm4: { host: '127.0.0.1', port: 2777 },
};
const config: StartFacts['config'] = {
  dataDir: './data',
  host: '127.0.0.1',
  tls: null,
  trustedProxies: [],
  publicUrl: null,
  printSecrets: true,
};
const facts: StartFacts = {
  version: '0.2.0',
  config,
  baseUrl: 'http://localhost:8088',
  firstSteps,
  binds: ['bound_trx', 'bound_trx'],
  liveCarriers: 0,
};

describe('startCard', () => {
  it('reads like this', () => {
    expect(
      startCard({ ...facts, setupKey: '4R7M-QX2C-9TLD' }),
    ).toBe(`Heliograph 0.2.0   data ./data   mode sandbox (nothing leaves this machine)

  Portal          http://localhost:8088
  First login     http://localhost:8088/setup#k=4R7M-QX2C-9TLD     one use, 30 minutes
  Docs            http://localhost:8088/docs
  Sim carrier     SMPP 3.4 on 127.0.0.1:2775, bound as transceiver (2 sessions up)
  Handsets        12025550100 … 12025550109

Send your first text (both credentials included, sandbox only):

  curl -s 'http://localhost:8088/SendSMS?apikey=at_sbx_auth' \\
    -H 'Authorization: Bearer bt_sbx_bearer' \\
    -H 'Content-Type: application/json' \\
    -d '{"from":"12025550199","to":["12025550100"],"text":"Hello from my gateway"}'

Watch it arrive:  http://localhost:8088/handsets/12025550100
Lost this?  npx helio first-steps      Stop: Ctrl+C
`);
  });

  it.each([
    [['bound_trx'], ', bound as transceiver (1 session up)'],
    [['bound_trx', 'connecting'], ', bound as transceiver (1 of 2 sessions up)'],
    [['bound_tx', 'bound_rx'], ', bound as transmitter and receiver (2 sessions up)'],
    [['connecting', 'waiting'], ', not bound yet'],
    [[], ', not bound yet'],
    [undefined, ''],
  ])('says of the binds %j only what they say', (binds, words) => {
    expect(startCard({ ...facts, binds })).toContain(`  Sim carrier     SMPP 3.4 on 127.0.0.1:2775${words}\n`);
  });

  it.each([
    [null, 'mode sandbox\n'],
    [1, 'mode sandbox and live (1 real carrier)\n'],
    [3, 'mode sandbox and live (3 real carriers)\n'],
  ])('tells with %s live carriers that texts may leave', (liveCarriers, expected) => {
    expect(startCard({ ...facts, liveCarriers })).toContain(expected);
  });

  it('shows no secret when it must not', () => {
    const card = startCard({ ...facts, config: { ...config, printSecrets: false } });
    expect(card).not.toMatch(/sbx_/);
    expect(card).toContain('(both credentials: npx helio first-steps)');
  });

  it('has no credentials and no simulator without the sandbox', () => {
    const card = startCard({ ...facts, firstSteps: null });
    expect(card).toContain('mode live\n');
    expect(card).not.toMatch(/curl|Sim carrier|Handsets|first-steps/);
    expect(card).toContain('Stop: Ctrl+C');
  });

  it.each([
    [{ host: '127.0.0.1' }, false],
    [{ host: '::1' }, false],
    [{ host: '0.0.0.0' }, true],
    [{ host: '192.0.2.7' }, true],
    [{ host: '0.0.0.0', tls: { certFile: 'c', keyFile: 'k' } }, false],
    [{ host: '0.0.0.0', trustedProxies: ['10.0.0.1'] }, false],
  ])('warns of credentials in the clear with %j: %s', (more, warns) => {
    expect(startCard({ ...facts, config: { ...config, ...more } }).includes('WARNING')).toBe(warns);
  });

  it('says how to see the address that others use', () => {
    const hint = 'HELIO_PUBLIC_URL';
    expect(startCard({ ...facts, config: { ...config, host: '0.0.0.0' } })).toContain(hint);
    expect(startCard({ ...facts, config: { ...config, host: '0.0.0.0', publicUrl: 'https://a' } })).not.toContain(hint);
  });

  it('does not trip over a certificate for another name', () => {
    expect(startCard({ ...facts, baseUrl: 'https://localhost:8088' })).toContain("curl -sk 'https://localhost");
    expect(startCard({ ...facts, baseUrl: 'https://sms.example.com' })).toContain("curl -s 'https://sms");
  });

  it('can be pasted into a shell as it stands', () => {
    const card = startCard({ ...facts, baseUrl: "http://localhost:8088/it's" });
    const commands = card.split('\n\n').filter((block) => block.startsWith('  curl'));
    expect(commands).toHaveLength(1);
    const stand = (command: string) =>
      execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' })
        .trimEnd()
        .split('\n');
    expect(stand(commands[0]!)).toEqual([
      '-s',
      "http://localhost:8088/it's/SendSMS?apikey=at_sbx_auth",
      '-H',
      'Authorization: Bearer bt_sbx_bearer',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"from":"12025550199","to":["12025550100"],"text":"Hello from my gateway"}',
    ]);
  });

  it('shows the link for the first administrator while there is none, and hides it like other secrets', () => {
    const link = '  First login     http://localhost:8088/setup#k=4R7M-QX2C-9TLD     one use, 30 minutes\n';
    expect(startCard({ ...facts, setupKey: '4R7M-QX2C-9TLD' })).toContain(
      `  Portal          http://localhost:8088\n${link}`,
    );
    expect(startCard({ ...facts, setupKey: null })).not.toContain('First login');
    const hidden = startCard({ ...facts, setupKey: '4R7M-QX2C-9TLD', config: { ...config, printSecrets: false } });
    expect(hidden).toContain('  First login     npx helio admin login-link\n');
    expect(hidden).not.toContain('4R7M');
  });
});
