/**
 * Password rules: long enough, and not among the first guesses (NIST SP 800-63B §3.1.1: no truncation, no character
 * classes). Pure.
 */
import { counted } from '../kernel/counted.ts';

/**
 * The most common words in passwords of twelve and more characters, from published analyses of leaks. A password made
 * only of these, digits and keyboard runs is refused.
 */
const commonWords: readonly string[] = `
password passw0rd passwort passwords contrasena motdepasse parola senha wachtwoord haslo salasana
admin administrator root user username login signin letmein letme welcome welkom bienvenido willkommen benvenuto
default changeme changeit change secret supersecret topsecret private access allow guest test testing tester temp temporary demo
sample example master superuser super manager system server service support backup database oracle cisco
company business office work computer internet network wireless wifi router google facebook twitter instagram linkedin youtube
microsoft windows apple iphone android samsung nokia motorola playstation nintendo pokemon minecraft fortnite roblox
qwerty qwertz azerty asdf zxcv qazwsx iloveyou iloveu loveyou iloveme love lover lovers forever always together
princess prince queen king angel angels baby babygirl babyboy sweet sweetie sweetheart honey sugar darling beautiful
sunshine moonlight starlight summer winter spring autumn january february march april june july august september
october november december monday tuesday wednesday thursday friday saturday sunday morning evening night
football baseball basketball soccer hockey tennis golf rugby cricket liverpool chelsea arsenal barcelona realmadrid manchester
united juventus bayern yankees lakers cowboys steelers eagles packers patriots redsox rangers
dragon monkey tiger lion eagle shark butterfly dolphin elephant chicken turtle rabbit kitty hellokitty puppy doggie
chocolate cookie cookies banana cherry orange peanut pepper cheese coffee pizza strawberry
batman superman spiderman starwars startrek skywalker darthvader yoda gandalf matrix harrypotter pikachu naruto sasuke goku
michael michelle jennifer jessica jordan ashley daniel andrew joshua matthew anthony christopher christian
nicole amanda samantha elizabeth victoria alexander alexandra charlie thomas robert william richard joseph
metallica slipknot nirvana eminem linkinpark greenday blink beatles bobmarley
jesus christ jesuschrist god godislove blessed faith hope heaven church bible
america american canada london paris madrid berlin moscow mexico brazil india china japan
freedom liberty peace happy happiness lucky magic money dollar diamond gold golden silver platinum rainbow flower flowers
mother father mommy daddy brother sister family friend friends bestfriend
hello hola bonjour hallo ciao goodbye hunter killer warrior ninja samurai pirate ranger soldier trustno one
whatever nothing something anything everything nobody because please thankyou thanks
qwer asdfg zxcvb abc abcd abcde xyz correcthorsebatterystaple
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);

/** `least`: the highest minimum that a company can require. */
export const passwordCharacters = { min: 12, least: 64, max: 256 } as const;
/** Characters that must remain after removing words that anybody would guess. */
const ownCharactersMin = 8;
/** A password of more common words than this is hard enough to guess. */
const commonPiecesMax = 3;
/** Shorter words do not identify a person or a company. */
const personalCharactersMin = 4;

/** Normalises a password (Unicode), because keyboards type the same character in several forms. */
export function passwordForm(password: string): string {
  return password.normalize('NFKC');
}

/** Facts about its owner that must not be the password. */
export interface PasswordOwner {
  email: string;
  name: string;
  company: string;
  /** The company's minimum; absent = `passwordCharacters.min`. */
  charactersMin?: number;
}

export const triedFirst = 'The password is a common one. Use a few words that nobody connects with you.';

/** The sentence that says why a password is refused for its form; null when it is accepted. Never quotes it. */
export function passwordProblem(password: string, owner: PasswordOwner): string | null {
  if (!password.isWellFormed() || password.includes('\0')) return 'The password has an invalid character.';
  const form = passwordForm(password);
  const length = [...form].length;
  const { charactersMin = passwordCharacters.min } = owner;
  if (length < charactersMin) {
    return `The password has ${counted(length, 'character')}. Use at least ${charactersMin}; a few words in a row are easy to remember.`;
  }
  if (length > passwordCharacters.max) return `The password has more than ${passwordCharacters.max} characters.`;
  const plain = plainForm(form);
  if (isRepeated(plain) || isRun(plain) || isCommon(plain)) {
    return triedFirst;
  }
  if (taken(plain, personalWords(owner)).left.length < ownCharactersMin) {
    return 'The password is little more than your name, e-mail address or company. Use something that nobody connects with you.';
  }
  return null;
}

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Lower case, without spaces. */
function plainForm(password: string): string {
  return password.toLowerCase().replace(/[\s_.-]+/g, '');
}

function letters(text: string): string {
  return [...text].map((character) => lookAlikes[character] ?? character).join('');
}

/** `aaaaaaaaaaaa`, `abcabcabcabc`, `passwordpassword`: repeats of at most half of itself. */
function isRepeated(text: string): boolean {
  const half = Math.floor(text.length / 2);
  for (let unit = 1; unit <= half; unit++) {
    if (
      text ===
      text
        .slice(0, unit)
        .repeat(Math.ceil(text.length / unit))
        .slice(0, text.length)
    )
      return true;
  }
  return new Set(text).size < 4;
}

const plainCommonWords = commonWords.map(letters);

const rows = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm'],
  ...[
    'azertyuiopqsdfghjklmwxcvbn',
    '1q2w3e4r5t6y7u8i9o0p',
    'qazwsxedcrfvtgbyhnujmikolp',
    '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  ],
  ...['q1w2e3r4t5y6u7i8o9p0', 'a1b2c3d4e5f6g7h8i9j0', '1a2b3c4d5e6f7g8h9i0j', 'zaq1xsw2cde3vfr4bgt5nhy6mju7'],
];
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')]);
const runCharactersMin = 4;

/** Only neighbours on a keyboard or in the alphabet: a few such runs make up the whole. */
function isRun(text: string): boolean {
  return taken(text, [], true).left.length < 4;
}

/** Removes words (and optionally runs) from the text, the longest first; returns the rest and the number removed. */
function taken(text: string, words: readonly string[], withRuns = false): { left: string; pieces: number } {
  let left = '';
  let pieces = 0;
  for (let at = 0; at < text.length; ) {
    const word = longestWord(text, at, words);
    const length = Math.max(word, withRuns ? longestRun(text, at) : 0);
    if (length === 0) left += text[at];
    else pieces += 1;
    at += Math.max(1, length);
  }
  return { left, pieces };
}

function longestWord(text: string, at: number, words: readonly string[]): number {
  let longest = 0;
  for (const word of words) {
    if (word.length > longest && letters(text.slice(at, at + word.length)) === word) longest = word.length;
  }
  return longest;
}

function longestRun(text: string, at: number): number {
  let longest = 0;
  for (let length = runCharactersMin; at + length <= text.length; length++) {
    const piece = text.slice(at, at + length);
    if (!runs.some((run) => run.includes(piece))) break;
    longest = length;
  }
  return longest;
}

/** One to three common words, with digits, signs and runs around them: the usual form in lists of leaked passwords. */
function isCommon(text: string): boolean {
  const { left, pieces } = taken(text, plainCommonWords, true);
  if (pieces === 0 || pieces > commonPiecesMax) return false;
  return left.replace(/[^\p{L}]/gu, '').length < 3 && left.length < ownCharactersMin;
}

function personalWords({ email, name, company }: PasswordOwner): string[] {
  const words = [...email.split(/[@.+_-]/), email, email.split('@')[0]!, ...name.split(/\s+/), name, company];
  const plain = [...words, ...company.split(/\s+/), 'heliograph'].map((word) => letters(plainForm(word)));
  return plain.filter((word) => word.length >= personalCharactersMin);
}
