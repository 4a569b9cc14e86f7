/**
 * Ids: a prefix and 26 characters that sort by time (48 bits of milliseconds, 80 random bits, Crockford's base 32),
 * and UUIDv7 (RFC 9562 §5.7) for a generated referenceId.
 */
import type { Clock, Random } from './clock.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const alphabetCodes = codesOf(alphabet);
const hexCodes = codesOf('0123456789abcdef');
const randomPoolBytes = 1_024;
/** Positions of time and randomness after a prefix of four characters. */
const timeAt = 4;
const timeCharacters = 10;
const chanceAt = timeAt + timeCharacters;
const chanceCharacters = 16;
const messagePrefix = codesOf('msg_');
const requestPrefix = codesOf('req_');
/** Where a UUIDv7 has its time, and where it has chance (RFC 9562 §5.7), and where half of a character of it, behind the variant. */
const uuidTime = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12];
const uuidChance = [15, 16, 17, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35];
const uuidVariantAt = 19;
const uuidChanceBytes = 10;

/**
 * A string that names one kind of thing: an id of another kind does not fit in its place, but a plain string does (from
 * a row, a body, a test).
 */
type IdOf<Kind extends string> = string & { readonly kind?: Kind };

/** `msg_…`: one recipient's message. */
export type MessageId = IdOf<'message'>;
/** `req_…`: one HTTP request. */
export type RequestId = IdOf<'request'>;
export type AccountId = IdOf<'account'>;
/** A pair of credentials. */
export type KeyId = IdOf<'key'>;
/** A send queue: the id of its carrier. */
export type LaneId = IdOf<'lane'>;

export interface Ids {
  /** Strictly growing within a process. */
  message(): MessageId;
  request(): RequestId;
  /** Lower-case UUIDv7. */
  uuidv7(): string;
  /** `prefix` followed by 26 time-sorted characters. */
  next(prefix: string): string;
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function put(codes: readonly number[], into: number[], at: number): void {
  for (let i = 0; i < codes.length; i++) into[at + i] = codes[i]!;
}

/**
 * V8 keeps a concatenated string as a tree of its pieces, and one such string makes `JSON.stringify` leave its fast
 * path for the whole value.
 */
function inOnePiece(codes: readonly number[]): string {
  return String.fromCharCode(...codes);
}

/** Digit by digit: each id of a new millisecond needs it, where strings of the digits would take three times as long. */
function putTime(ms: number, into: number[], at: number): void {
  for (let place = at + timeCharacters - 1, rest = ms; place >= at; place--, rest = Math.floor(rest / 32)) {
    into[place] = alphabetCodes[rest % 32]!;
  }
}

/** A source of ids. Ids of one source always compare in the order of creation, even when the clock steps back. */
export function createIds(clock: Clock, random: Random): Ids {
  let pool = random.bytes(randomPoolBytes);
  let used = 0;
  let lastMs = 0;
  const chance = new Uint8Array(chanceCharacters);
  /** What the newest id was made of. */
  const codes = codesOf(`msg_${'0'.repeat(timeCharacters + chanceCharacters)}`);

  /** Reserves random bytes in the pool and returns their offset. */
  const take = (count: number): number => {
    if (used + count > pool.length) {
      pool = random.bytes(randomPoolBytes);
      used = 0;
    }
    used += count;
    return used - count;
  };

  const raiseChance = (): boolean => {
    for (let i = chanceCharacters - 1; i >= 0; i--) {
      if (chance[i]! < 31) {
        chance[i]!++;
        return true;
      }
      chance[i] = 0;
    }
    return false;
  };

  const sortable = (prefix: readonly number[]): string => {
    const ms = Math.max(clock.now(), lastMs);
    if (ms !== lastMs || !raiseChance()) {
      lastMs = ms === lastMs ? ms + 1 : ms;
      putTime(lastMs, codes, timeAt);
      const fresh = take(chanceCharacters);
      for (let i = 0; i < chanceCharacters; i++) chance[i] = pool[fresh + i]! & 31;
      chance[0]! &= 15; // room to count up within one millisecond
    }
    for (let i = 0; i < chanceCharacters; i++) codes[chanceAt + i] = alphabetCodes[chance[i]!]!;
    put(prefix, codes, 0);
    return inOnePiece(codes);
  };

  let uuidMs = -1;
  const uuidCodes = codesOf('00000000-0000-7000-8000-000000000000');
  const uuidv7 = (): string => {
    const fresh = take(uuidChanceBytes);
    const ms = clock.now();
    if (ms !== uuidMs) {
      for (let i = uuidTime.length - 1, rest = ms; i >= 0; i--, rest = Math.floor(rest / 16)) {
        uuidCodes[uuidTime[i]!] = hexCodes[rest % 16]!;
      }
      uuidMs = ms;
    }
    for (let i = 0; i < uuidChance.length; i++) {
      const octet = pool[fresh + (i >> 1)]!;
      uuidCodes[uuidChance[i]!] = hexCodes[i % 2 === 0 ? octet >> 4 : octet & 15]!;
    }
    uuidCodes[uuidVariantAt] = hexCodes[8 | (pool[fresh + uuidChanceBytes - 1]! & 3)]!;
    return inOnePiece(uuidCodes);
  };

  return {
    next: (prefix) => prefix + sortable(messagePrefix).slice(messagePrefix.length),
    message: () => sortable(messagePrefix),
    request: () => sortable(requestPrefix),
    uuidv7,
  };
}

/** Whether the text has the form of a message's id; if not, no look-up is needed. */
export function isMessageId(text: string): boolean {
  return /^msg_[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
}

/** The time in an id with a prefix, ms since the epoch; null for anything else. */
export function idTime(id: string): number | null {
  const [, time] = /_([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? [];
  if (time === undefined) return null;
  let ms = 0;
  for (const character of time) ms = ms * 32 + alphabet.indexOf(character);
  return ms;
}

/** Crockford's digits by character code. */
const digitOf = new Uint8Array(128);
for (let digit = 0; digit < alphabetCodes.length; digit++) digitOf[alphabetCodes[digit]!] = digit;

/** The same for a known message id, without checking its form: it runs for every message. */
export function messageTime(id: MessageId): number {
  let ms = 0;
  for (let at = timeAt; at < chanceAt; at++) ms = ms * 32 + digitOf[id.charCodeAt(at) & 127]!;
  return ms;
}

/** Sorts before every id with this prefix made at `ms` or later, and after every earlier one. */
export function firstIdAt(prefix: string, ms: number): string {
  const codes = codesOf('0'.repeat(timeCharacters));
  putTime(Math.max(0, Math.floor(ms)), codes, 0);
  return prefix + inOnePiece(codes);
}

/** The stable id of one event of a message: the same in every webhook delivery. */
export function eventId(messageId: string, sequence: number): string {
  return `evt_${messageId.slice(4)}_${sequence}`;
}
