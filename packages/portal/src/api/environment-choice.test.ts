import { describe, expect, it } from 'vitest';
import { chosenEnvironment, keepEnvironment } from './environment-choice';

function store(value?: string) {
  const kept = new Map(value === undefined ? [] : [['helio-environment', value]]);
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, to: string) => void kept.set(name, to),
  };
  return () => storage;
}
const off = (): never => {
  throw new Error('SecurityError');
};

describe('the environment that was chosen', () => {
  it("is the tab’s own, else the browser's", () => {
    expect(chosenEnvironment({ tab: store('live'), browser: store('sandbox') })).toBe('live');
    expect(chosenEnvironment({ tab: store(), browser: store('sandbox') })).toBe('sandbox');
    expect(chosenEnvironment({ tab: store(), browser: store() })).toBe('');
  });

  it('is taken over by a new tab, which another tab does not change any more', () => {
    const browser = store();
    const [first, second] = [store(), store()];
    keepEnvironment('sandbox', { tab: first, browser });
    expect(chosenEnvironment({ tab: second, browser })).toBe('sandbox');
    keepEnvironment('live', { tab: first, browser });
    expect(chosenEnvironment({ tab: second, browser })).toBe('sandbox');
    expect(chosenEnvironment({ tab: store(), browser })).toBe('live');
  });

  it('is none when what is kept is garbage, or storage is switched off', () => {
    expect(chosenEnvironment({ tab: store('moon'), browser: store('') })).toBe('');
    expect(chosenEnvironment({ tab: store('moon'), browser: store('live') })).toBe('live');
    expect(chosenEnvironment({ tab: off, browser: off })).toBe('');
    expect(chosenEnvironment({ tab: off, browser: store('live') })).toBe('live');
    expect(() => keepEnvironment('live', { tab: off, browser: off })).not.toThrow();
  });
});
