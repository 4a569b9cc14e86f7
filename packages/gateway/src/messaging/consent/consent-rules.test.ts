import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account, Campaign } from '../../model/records.ts';
import { confirmationKeyId, confirmationText, consentScope, isConfirmation, keywordOf } from './consent-rules.ts';

const words = {
  out: [
    ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE'],
    ...['OPTOUT', 'OPT OUT', 'OPT-OUT', 'REMOVE', 'ARRET'],
  ],
  help: ['HELP', 'INFO', 'AYUDA'],
  in: ['START', 'YES', 'UNSTOP'],
} as const;

const all = Object.entries(words).flatMap(([keyword, list]) => list.map((word) => [word, keyword] as const));

const title = (word: string) => word[0] + word.slice(1).toLowerCase();
const mixed = (word: string) => [...word].map((c, i) => (i % 2 === 0 ? c.toLowerCase() : c)).join('');
const fullWidth = (word: string) => word.replace(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0x41 + 0xff21));
const cases = [(word: string) => word, (word: string) => word.toLowerCase(), title, mixed, fullWidth];

const around: [string, string][] = [
  ['', ''],
  ['', '.'],
  ['', '!!'],
  ['', '…'],
  ['', '...'],
  ['', '?!'],
  ['', ' .'],
  ['', '. \n'],
  ['"', '"'],
  ['“', '.”'],
  ['‘', '’'],
  ['«\u00a0', '\u00a0»'],
  ['»', '«'],
  ['’', '’'],
  ['”', '.”'],
  ['(', ')'],
  ['¡', '!'],
  ['', '！'],
  ['', '❗\ufe0f'],
  ['  ', '  '],
  ['\r\n\t', '\r\n'],
  ['\u0000', '\u0000\u0000'],
  ['\ufeff\u200b', '\u200d\u2060'],
  ['\u3000\u2003', '\u2028\u0085'],
  ['\u2800', '\u3164'],
];

describe('keywords (SEC-64)', () => {
  it.each(all)('%s is %s in any case, with any space or end punctuation around it', (word, keyword) => {
    for (const inCase of cases) {
      for (const [before, after] of around) {
        const text = `${before}${inCase(word)}${after}`;
        expect([text, keywordOf(text)]).toEqual([text, keyword]);
      }
    }
  });

  it.each([
    ['stop  \n\t all', 'out'],
    ['opt\u00a0out', 'out'],
    ['opt‐out', 'out'],
    ['opt–out', 'out'],
    ['Arrêt', 'out'],
    ['ARRE\u0302T', 'out'],
    ['St\u200bop', 'out'],
    ['unsubscrıbe', 'out'],
    ['QUİT', 'out'],
    ['ＳＴＯＰ', 'out'],
    ['İnfo', 'help'],
  ])('%j is %s', (text, keyword) => {
    expect(keywordOf(text)).toBe(keyword);
  });

  it.each([
    '',
    ' ',
    '.',
    '…!',
    '""',
    '\u0000',
    'stop it',
    'please stop',
    'stop stop',
    'stopp',
    'sto',
    's t o p',
    'st.op',
    'st op',
    'stop-all',
    'stop.all',
    '.stop',
    '#stop',
    'opt - out',
    'opt.out',
    'un subscribe',
    'unsubscribed',
    'cancelled',
    'the end',
    'ends',
    'yes please',
    'yes yes',
    'no',
    'Y',
    'ok',
    'help me',
    'information',
    'start now',
    'restart',
    'stop 🛑',
    'stopall all',
    'СТОП',
    'ſ',
    'constructor',
    '__proto__',
    'STOP 2025550100',
  ])('%j is an ordinary reply', (text) => {
    expect(keywordOf(text)).toBeNull();
  });

  it('takes any string, and finds a keyword in what it folds to', () => {
    const junk = fc.string({ unit: 'binary', maxLength: 60 });
    const halves = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.oneof(
          junk,
          halves.map((units) => String.fromCharCode(...units)),
        ),
        (text) => {
          expect(['out', 'in', 'help', null]).toContain(keywordOf(text));
          const letters = text.normalize('NFKD').replace(/[^a-z]/gi, '');
          if (keywordOf(text) !== null) expect(letters.length).toBeGreaterThanOrEqual(3);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('looks at each character a bounded number of times', () => {
    const long = 100_000;
    const texts = [
      `STOP${' '.repeat(long)}`,
      `${'\u0000'.repeat(long)}STOP${'!'.repeat(long)}`,
      `${'! '.repeat(long)}x`,
      `S${'\u0301\u0327'.repeat(long)}TOP`,
      `STOP${'\u200b'.repeat(long)}ALL`,
      `STOP${' '.repeat(long)}ALL`,
      '\ud83d'.repeat(long),
      '\ufdfa'.repeat(long),
      `${'"'.repeat(long)}`,
    ];
    expect(texts.map(keywordOf)).toEqual(['out', 'out', null, 'out', 'out', 'out', null, null, null]);
  });
});

describe('scope', () => {
  it.each<[string, string | null, string]>([
    ['12025550199', 'C1', 'campaign:C1'],
    ['12025550199', null, 'number:12025550199'],
    ['447700900123', 'C1', 'campaign:C1'],
    ['12345', 'C1', 'number:12345'],
    ['123456', null, 'number:123456'],
    ['18005550100', 'C1', 'number:18005550100'],
    ['18335550100', 'C1', 'number:18335550100'],
    ['18445550100', 'C1', 'number:18445550100'],
    ['18555550100', 'C1', 'number:18555550100'],
    ['18665550100', 'C1', 'number:18665550100'],
    ['18775550100', 'C1', 'number:18775550100'],
    ['18885550100', 'C1', 'number:18885550100'],
    ['18225550100', 'C1', 'campaign:C1'],
    ['448005550100', 'C1', 'campaign:C1'],
  ])('of %s on %s is %s', (number, campaignId, scope) => {
    expect(consentScope({ number, campaignId })).toBe(scope);
  });
});

describe('confirmations', () => {
  const account = { name: 'Acme', supportContact: 'help@acme.example' } as Account;
  const registered = { optOutText: 'Out.', optInText: 'In.', helpText: 'Help.' } as Campaign;
  const none = { optOutText: null, optInText: null, helpText: null } as Campaign;

  it('are the registered texts, else the templates', () => {
    expect((['out', 'in', 'help'] as const).map((k) => confirmationText(k, registered, account))).toEqual([
      'Out.',
      'In.',
      'Help.',
    ]);
    for (const campaign of [none, undefined]) {
      expect(confirmationText('out', campaign, account)).toBe(
        'Acme: you are unsubscribed and will get no more messages. Reply START to rejoin.',
      );
      expect(confirmationText('help', campaign, account)).toBe(
        'Acme: for help contact help@acme.example. Msg freq varies. Msg & data rates may apply. Reply STOP to end.',
      );
      expect(confirmationText('in', campaign, account)).toBe(
        'Acme: you are subscribed. Msg freq varies. Msg & data rates may apply. HELP for help, STOP to end.',
      );
    }
  });

  it('say how to get help without a support contact, and are no keywords themselves', () => {
    const bare = { ...account, supportContact: '' };
    expect(confirmationText('help', undefined, bare)).toContain('for help answer with your question.');
    for (const keyword of ['out', 'in', 'help'] as const) {
      expect(keywordOf(confirmationText(keyword, undefined, bare))).toBeNull();
    }
  });

  it('are known by their key id alone', () => {
    for (const keyword of ['out', 'in', 'help'] as const) expect(isConfirmation(confirmationKeyId(keyword))).toBe(true);
    for (const keyId of ['key_0123456789', 'consent', 'consent:', 'consent:x', '']) {
      expect(isConfirmation(keyId)).toBe(false);
    }
  });
});
