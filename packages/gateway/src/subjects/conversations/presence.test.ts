import { expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { createPresence, presenceMs } from './presence.ts';

const key = { accountId: 'acc1', own: '12025550199', peer: '12025550100' };
const ada = { userId: 'usr_ada', name: 'Ada' };
const bob = { userId: 'usr_bob', name: 'Bob' };

it('knows who looks at a conversation, until they leave or fall silent', () => {
  const clock = movedClock();
  const presence = createPresence(clock);
  expect(presence.note(key, ada, true)).toBe(true);
  expect(presence.note(key, ada, true)).toBe(false);
  clock.pass(presenceMs / 2);
  expect(presence.note(key, bob, true)).toBe(true);
  expect(presence.here(key)).toEqual([ada, bob]);
  expect(presence.here({ ...key, accountId: 'acc2' })).toEqual([]);
  expect(presence.here({ ...key, peer: '12025550101' })).toEqual([]);
  clock.pass(presenceMs / 2);
  // Ada stopped reporting; the next note shows it.
  expect(presence.note(key, bob, true)).toBe(true);
  expect(presence.here(key)).toEqual([bob]);
  expect(presence.note(key, bob, false)).toBe(true);
  expect(presence.note(key, bob, false)).toBe(false);
  expect(presence.here(key)).toEqual([]);
});
