import { expect, it } from 'vitest';
import { againOf } from './again';

const came = (id: string, answered = 200) => ({ headers: { 'webhook-id': id }, answered });

it('a webhook that comes again is a replay when it was taken before, else another try', () => {
  expect(againOf(came('a'), [])).toBeNull();
  expect(againOf(came('a'), [came('b'), came('c', 500)])).toBeNull();
  expect(againOf(came('a'), [came('b'), came('a', 503)])).toBe('retry');
  expect(againOf(came('a'), [came('a', 503), came('a', 204)])).toBe('replay');
  expect(againOf({ headers: {} }, [{ headers: {}, answered: 200 }])).toBeNull();
});
