import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ordinaryHandset, sandboxBehaviour, testNumbers } from './behaviour.ts';

describe('test numbers', () => {
  it('treat an MMS like an SMS, except where MMS is refused or not supported', () => {
    const words = { DELIVRD: 'Retrieved', UNDELIV: 'Rejected', EXPIRED: 'Expired' };
    const others = { '12025550111': 'Unreachable', '12025550125': 'NotSupported' };
    for (const { number, behaviour } of testNumbers) {
      for (const { stat, mmStatus } of behaviour.receipts) {
        expect([number, mmStatus]).toEqual([number, others[number as keyof typeof others] ?? words[stat]]);
      }
    }
    expect(sandboxBehaviour('12025550122').refusal).toEqual({
      command_status: null,
      mms: 'too large',
      tries: 'always',
    });
  });

  it('treat any other number as an ordinary handset', () => {
    for (const number of ['12025550142', '4915112345678', '__proto__', '']) {
      expect(sandboxBehaviour(number)).toBe(ordinaryHandset);
    }
  });
});

it('test numbers are listed in the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = testNumbers.filter(({ behaviour }) => behaviour !== ordinaryHandset);
  expect(rows.length).toBeGreaterThan(10);
  expect(readme).toContain(rows.map(({ number, does }) => `| ${number} | ${does} |`).join('\n'));
});
