/**
 * Passwords as hashes: argon2id (RFC 9106) with 64 MiB, 3 passes and 1 lane, worked off the main thread. Nothing here
 * decides which passwords are good, or how many are hashed at a time.
 */
import { hash, verify } from '@node-rs/argon2';
import type { PasswordHashing } from './flow/people/passwords.ts';

/** `Algorithm.Argon2id`: the enum of the package exists as a type only. */
const argon2id = 2;

export const argon2: PasswordHashing = {
  hash: (password) => hash(password, { algorithm: argon2id, memoryCost: 64 * 1_024, timeCost: 3, parallelism: 1 }),
  verify: (hashed, password) => verify(hashed, password),
};
