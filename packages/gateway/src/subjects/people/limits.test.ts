/** The limits on guessing and hashing, with a moved clock and hashing that waits for the test. */
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { attemptLimits, createAttempts } from './attempts.ts';
import { createPasswords } from './passwords.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('attempts', () => {
  it('are five for an account from an address in a quarter of an hour', () => {
    const clock = movedClock();
    const attempts = createAttempts({ clock });
    for (let n = 0; n < 5; n++) expect(attempts.begin('ada', '192.0.2.1')).toEqual({ allowed: true });
    expect(attempts.begin('ada', '192.0.2.1')).toEqual({ allowed: false, retryAfterSeconds: 900 });
    expect(attempts.begin('ada', '192.0.2.2').allowed).toBe(true);
    expect(attempts.begin('bob', '192.0.2.1').allowed).toBe(true);
    clock.pass(899_999);
    expect(attempts.begin('ada', '192.0.2.1').allowed).toBe(false);
    clock.pass(1);
    expect(attempts.begin('ada', '192.0.2.1').allowed).toBe(true);
  });

  it('begin anew after a right one, and what came to nothing does not count', () => {
    const attempts = createAttempts({ clock: movedClock() });
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) attempts.begin('ada', '192.0.2.1');
      expect(attempts.begin('ada', '192.0.2.1').allowed).toBe(true);
      attempts.right('ada', '192.0.2.1');
    }
    for (let n = 0; n < 20; n++) {
      expect(attempts.begin('bob', '192.0.2.1').allowed).toBe(true);
      attempts.undone('bob', '192.0.2.1');
    }
  });

  it('are one an address once a hundred were wrong, and never shut anybody else out', () => {
    const attempts = createAttempts({ clock: movedClock() });
    for (let n = 0; n < attemptLimits.perAccount; n++) attempts.begin('ada', `10.0.${n}.1`);
    expect(attempts.begin('ada', '192.0.2.9').allowed).toBe(true);
    expect(attempts.begin('ada', '192.0.2.9').allowed).toBe(false);
    expect(attempts.begin('ada', '192.0.2.10').allowed).toBe(true);
  });

  it('are bounded for an address that tries many accounts, and in memory', () => {
    const attempts = createAttempts({ clock: movedClock() });
    const allowed = Array.from({ length: 80 }, (_, n) => attempts.begin(`user ${n}`, '192.0.2.1').allowed);
    expect(allowed.filter(Boolean)).toHaveLength(attemptLimits.overAccounts);
    for (let n = 0; n < 30_000; n++) attempts.begin(`user ${n}`, `host ${n}`);
    expect(attempts.begin('somebody else', '192.0.2.7').allowed).toBe(true);
  });
});

function slowHashing() {
  const waiting: (() => void)[] = [];
  const state = { running: 0, most: 0, verified: [] as string[] };
  const work = async <T>(result: T): Promise<T> => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    state.running -= 1;
    return result;
  };
  const hashing = {
    hash: async (password: string) => `plain:${password}`,
    verify: (hashed: string, password: string) => {
      state.verified.push(hashed);
      return work(hashed === `plain:${password}`);
    },
    isGuessable: async () => false,
  };
  const goOn = async (): Promise<void> => {
    for (let n = 0; n < 50; n++) {
      for (const go of waiting.splice(0)) go();
      await settle();
    }
  };
  return { hashing, state, goOn };
}

describe('hashing', () => {
  it('runs four at a time; the fifth waits, and above the queue it is refused', async () => {
    const { hashing, state, goOn } = slowHashing();
    const passwords = createPasswords(hashing, { waitingMax: 3 });
    const checks = Array.from({ length: 9 }, () => passwords.verify('plain:a', 'a'));
    await settle();
    expect([state.running, state.most]).toEqual([4, 4]);
    await goOn();
    const results = await Promise.all(checks);
    expect(results.filter((result) => result === true)).toHaveLength(7);
    expect(results.filter((result) => result === 'busy')).toHaveLength(2);
    expect([state.running, state.most]).toEqual([0, 4]);
  });

  it('verifies for nobody as well, and never says yes', async () => {
    const { hashing, state, goOn } = slowHashing();
    const passwords = createPasswords(hashing);
    const checks = [passwords.verify(null, 'nobody has this password'), passwords.verify('plain:a', 'b')];
    await settle();
    await goOn();
    expect(await Promise.all(checks)).toEqual([false, false]);
    expect(state.verified).toHaveLength(2);
  });

  it('gives its place back after a failure', async () => {
    let calls = 0;
    const verify = async (): Promise<boolean> => {
      calls += 1;
      throw new Error('no memory');
    };
    const passwords = createPasswords(
      { hash: async (text) => text, verify, isGuessable: async () => false },
      { atOnce: 1, waitingMax: 5 },
    );
    const results = await Promise.allSettled([1, 2, 3].map(() => passwords.verify('x', 'y')));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(calls).toBe(3);
  });
});
