/**
 * Hashes passwords with argon2id (RFC 9106; 64 MiB, 3 passes, 1 lane) off the main thread, and estimates how fast one
 * is guessed (zxcvbn).
 */
import type { PasswordHashing } from '../subjects/people/passwords.ts';

/** `Algorithm.Argon2id`: the enum of the package exists as a type only. */
const argon2id = 2;

/** Loaded when the first person signs in. */
const library = () => import('@node-rs/argon2');

export const argon2: PasswordHashing = {
  async hash(password) {
    const { hash } = await library();
    return hash(password, { algorithm: argon2id, memoryCost: 64 * 1_024, timeCost: 3, parallelism: 1 });
  },
  verify: async (hashed, password) => (await library()).verify(hashed, password),
  async isGuessable(password, words) {
    const zxcvbn = await guessing();
    return zxcvbn(password.slice(0, judgedCharactersMax), [...words]).guessesLog10 < guessesLog10Min;
  },
};

/** A hundred million guesses: a rate limit makes that many take years. */
const guessesLog10Min = 8;
/** Judging takes time that grows with the square of the length, and longer passwords are not guessed. */
const judgedCharactersMax = 64;

let loaded: Promise<typeof import('@zxcvbn-ts/core')['zxcvbn']> | null = null;

/** The word lists take some megabytes: they are loaded when the first password is chosen. */
function guessing(): NonNullable<typeof loaded> {
  loaded ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ zxcvbn, zxcvbnOptions }, { adjacencyGraphs: graphs, dictionary }]) => {
      zxcvbnOptions.setOptions({ dictionary, graphs });
      return zxcvbn;
    },
  );
  return loaded;
}
