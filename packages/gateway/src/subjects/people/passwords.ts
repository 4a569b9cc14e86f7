/**
 * Hashes passwords, a few at a time, with a bounded queue: each needs 64 MiB and a core. An unknown account costs as
 * much time as a wrong password.
 */
import { type PasswordOwner, passwordForm, passwordProblem, triedFirst } from '../../model/people-password.ts';

/** Hashing of passwords, slow on purpose, and a check of their strength. */
export interface PasswordHashing {
  /** PHC form. */
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
  /** Whether it is among the first guesses; `words` are known about its owner. */
  isGuessable(password: string, words: readonly string[]): Promise<boolean>;
}

export interface Passwords {
  /** 'busy': too many wait already. */
  hash(password: string): Promise<string | 'busy'>;
  /** Null is an unknown user: always false, and equally slow. */
  verify(hashed: string | null, password: string): Promise<boolean | 'busy'>;
  /** The sentence that says why a password is refused; null when it is accepted. Never quotes it. */
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
      // A finished hash hands over its slot, so `running` does not change.
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

  /** A hash that matches no password, made once. */
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
      // Made on every call, or the first one for an unknown user would be slower and reveal it.
      const stand = await nobodysHash();
      const fits = await inTurn(() => hashing.verify(hashed ?? stand, password));
      return fits === 'busy' ? fits : fits && hashed !== null;
    },
  };
}
