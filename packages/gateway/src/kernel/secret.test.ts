import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.ts';

describe('R-20 a secret', () => {
  const secret = new Secret('hunter2-hunter2');

  it('gives its value only through the named method', () => {
    expect(secret.reveal()).toBe('hunter2-hunter2');
  });

  it.each([
    ['String', () => String(secret)],
    ['template', () => `${secret}`],
    ['concatenation', () => `a ${secret as unknown as string} b`],
    ['JSON', () => JSON.stringify({ secret })],
    ['inspect', () => inspect({ deep: { secret } }, { showHidden: true, depth: 9 })],
    ['own keys', () => JSON.stringify(Object.entries(secret))],
    ['error', () => String(new Error(`bad ${secret}`))],
    ['number', () => String(Number(secret))],
  ])('does not show in %s', (_name, print) => {
    expect(print()).not.toContain('hunter2');
  });
});
