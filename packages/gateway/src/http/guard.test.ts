import { expect, it } from 'vitest';
import { param } from './guard.ts';

it('gives a parameter of the path, and names the one that the path lacks', () => {
  const call = { params: { number: '12025550100' } };
  expect(param(call, 'number')).toBe('12025550100');
  expect(() => param(call, 'mediaId')).toThrow('The path of this route has no parameter mediaId.');
});
