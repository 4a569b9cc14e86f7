import { expect, it } from 'vitest';
import { ByHandset } from './by-handset.ts';

it('finds what is under way to a handset, also by its number without country code', () => {
  const found = new ByHandset<{ n: number }>();
  const [one, two, other] = [{ n: 1 }, { n: 2 }, { n: 3 }];
  found.add('14155550101', one);
  found.add('14155550101', two);
  found.add('12125550101', other);
  for (const to of ['14155550101', '4155550101', '04155550101']) expect([...found.of(to)]).toEqual([one, two]);
  for (const to of ['14155550102', '5550102', '0101', '']) expect([...found.of(to)]).toEqual([]);
});
