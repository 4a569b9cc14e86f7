/**
 * Identifiers: a prefix and 26 characters that sort by time (48 bits of milliseconds, 80 bits of chance, in Crockford's
 * base 32), and UUIDv7 (RFC 9562 §5.7) for a referenceId that the caller did not send.
 */
import type { Clock, Random } from './clock.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const randomPoolBytes = 1_024;
const chanceCharacters = 16;
/** Two characters per octet. */
const hex = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));

export interface Ids {
  /** `msg_…`: one recipient's message. Strictly growing within a process. */
  message(): string;
  /** `req_…`: one HTTP request. */
  request(): string;
  /** Lower-case UUIDv7. */
  uuidv7(): string;
  /** `prefix` followed by 26 time-sorted characters. */
  next(prefix: string): string;
}

function timeCharacters(ms: number): string {
  let out = '';
  for (let i = 0, rest = ms; i < 10; i++) {
    out = alphabet[rest % 32] + out;
    rest = Math.floor(rest / 32);
  }
  return out;
}

/** A source of ids. Two ids of one source never compare out of order, even when the clock steps back. */
export function createIds(clock: Clock, random: Random): Ids {
  let pool = random.bytes(randomPoolBytes);
  let used = 0;
  let lastMs = 0;
  let time = timeCharacters(0);
  const chance = new Uint8Array(chanceCharacters);

  const take = (count: number): Uint8Array => {
    if (used + count > pool.length) {
      pool = random.bytes(randomPoolBytes);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };

  const raiseChance = (): boolean => {
    for (let i = chanceCharacters - 1; i >= 0; i--) {
      if (chance[i] < 31) {
        chance[i]++;
        return true;
      }
      chance[i] = 0;
    }
    return false;
  };

  const sortable = (): string => {
    const ms = Math.max(clock.now(), lastMs);
    if (ms !== lastMs || !raiseChance()) {
      lastMs = ms === lastMs ? ms + 1 : ms;
      time = timeCharacters(lastMs);
      const fresh = take(chanceCharacters);
      for (let i = 0; i < chanceCharacters; i++) chance[i] = fresh[i] & 31;
      chance[0] &= 15; // room to count upwards within one millisecond
    }
    let out = time;
    for (let i = 0; i < chanceCharacters; i++) out += alphabet[chance[i]];
    return out;
  };

  let uuidMs = -1;
  let uuidTime = '';
  const uuidv7 = (): string => {
    const fresh = take(10);
    const ms = clock.now();
    if (ms !== uuidMs) {
      const time = ms.toString(16).padStart(12, '0');
      uuidTime = `${time.slice(0, 8)}-${time.slice(8)}-7`;
      uuidMs = ms;
    }
    const [a, b, c, d, e, f, g, h, i, j] = fresh;
    const middle = `${hex[a]![1]}${hex[b]}-${hex[(c! & 0x3f) | 0x80]}${hex[d]}`;
    return `${uuidTime}${middle}-${hex[e]}${hex[f]}${hex[g]}${hex[h]}${hex[i]}${hex[j]}`;
  };

  return {
    next: (prefix) => prefix + sortable(),
    message: () => `msg_${sortable()}`,
    request: () => `req_${sortable()}`,
    uuidv7,
  };
}

/** The time in an id with a prefix, ms since the epoch; null for anything else. */
export function idTime(id: string): number | null {
  const [, time] = /_([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? [];
  if (time === undefined) return null;
  let ms = 0;
  for (const character of time) ms = ms * 32 + alphabet.indexOf(character);
  return ms;
}

/** Before every id with this prefix that was made at `ms` or later, and after every earlier one. */
export function firstIdAt(prefix: string, ms: number): string {
  return prefix + timeCharacters(Math.max(0, Math.floor(ms)));
}

/** The stable id of one event of a message: the same however often it is told. */
export function eventId(messageId: string, sequence: number): string {
  return `evt_${messageId.slice(4)}_${sequence}`;
}
