import '../../language/english';

import { expect, it } from 'vitest';
import { hadConversation, type Step } from './home-data';

const steps = ['carrier', 'number', 'campaign', 'accepted', 'answered', 'webhook'] as const;
const without = (...open: Step['step'][]) => ({
  checklist: steps.map((step) => ({ step, done: !open.includes(step), facts: {} })),
});

it('stays had when a carrier goes down, and is not before all three happened', () => {
  expect(hadConversation(without())).toBe(true);
  expect(hadConversation(without('carrier', 'number'))).toBe(true);
  for (const step of ['accepted', 'answered', 'webhook'] as const) expect(hadConversation(without(step))).toBe(false);
});
