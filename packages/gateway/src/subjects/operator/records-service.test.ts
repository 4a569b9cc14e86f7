import { expect, it } from 'vitest';
import { difference } from './records-service.ts';

it('fields that an earlier version wrote in another order are no difference', () => {
  const before = { inbound: { username: 'them', addresses: ['192.0.2.1', '192.0.2.2'] } };
  const after = { inbound: { addresses: ['192.0.2.1', '192.0.2.2'], username: 'them' } };
  expect(difference(before, after)).toBeNull();
  const turned = { inbound: { addresses: ['192.0.2.2', '192.0.2.1'], username: 'them' } };
  expect(difference(before, turned)).toEqual({ before, after: turned });
});
