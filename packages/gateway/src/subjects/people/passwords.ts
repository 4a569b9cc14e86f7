/**
 * Hashes passwords, a few at a time, with a bounded queue: each needs 64 MiB and a core. An unknown account costs as
 * much time as a wrong password.
 */
import { type PasswordOwner, passwordForm, passwordProblem, triedFirst } from '../../model/people-password.ts';

/** How a password becomes a hash, slow on purpose, and how good it is. */
export interface PasswordHashing {
  /** PHC form. */
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
  /** Whether it is among the first that are tried; `words` are known of its owner. */
  isGuessable(password: string, words: readonly string[]): Promise<boolean>;
}

export interface Passwords {
  /** 'busy': too many wait already. */
  hash(password: string): Promise<string | 'busy'>;
  /** Null is an unknown user: never true, and as slow. */
  verify(hashed: string | null, password: string): Promise<boolean | 'busy'>;
  /** The sentence that says why a password is not taken; null when it is. Never quotes it. */
  problem(password: string, owner: PasswordOwner): Promise<string | null>;
}

export const hashingAtOnceMax = 4;
export const hashingWaitingMax = 64;

export function createPasswords(
  hashing: PasswordHashing,
  { atOnce = hashingAtOnceMax, waitingMax = hashingWaitingMax } = {},
): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  let nobodys: Promise<string> | null = null;

  async function inTurn<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) return 'busy';
      // A finished hash passes its slot on, so `running` stays.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  /** A hash that no password has, made once. */
  function nobodysHash(): Promise<string> {
    nobodys ??= hashing.hash('nobody has this password').catch((error: unknown) => {
      nobodys = null;
      throw error;
    });
    return nobodys;
  }

  return {
    async problem(password, owner) {
      const problem = passwordProblem(password, owner);
      if (problem !== null) return problem;
      const { email, name, company } = owner;
      return (await hashing.isGuessable(passwordForm(password), [email, name, company])) ? triedFirst : null;
    },
    hash: (password) => inTurn(() => hashing.hash(password)),
    async verify(hashed, password) {
      // Made for everybody, or the first one who asks for a stranger would tell by the time it takes.
      const stand = await nobodysHash();
      const fits = await inTurn(() => hashing.verify(hashed ?? stand, password));
      return fits === 'busy' ? fits : fits && hashed !== null;
    },
  };
}
