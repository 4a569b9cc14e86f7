import { expect, it } from 'vitest';
import type { Directory } from '../../model/directory.ts';
import { carrierNameOf } from './message-list.ts';

it('calls a carrier as people do, and one that is gone or was never chosen by no name', () => {
  const carrier = (id: string) => (id === 'sim-carrier' ? { name: 'Simulated carrier' } : undefined);
  const directory = { carrier } as unknown as Directory;
  expect(carrierNameOf(directory, 'sim-carrier')).toBe('Simulated carrier');
  expect(carrierNameOf(directory, 'gone')).toBeNull();
  expect(carrierNameOf(directory, null)).toBeNull();
});
