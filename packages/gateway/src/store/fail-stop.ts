/**
 * A store that ends the process when the disk failed under a commit: nobody may be answered after that, not even with
 * an error, and nothing may be tried again on the same files. Wraps any store; adds nothing else.
 */
import { type Store, StoreBroken } from './store.ts';

/** `broken` must not return control to the caller in a running process (it exits). */
export function failStop(store: Store, broken: (error: StoreBroken) => void): Store {
  const judge = (error: unknown): never => {
    if (error instanceof StoreBroken) broken(error);
    throw error;
  };
  const guarded = (value: unknown): unknown => {
    if (typeof value !== 'function') return value;
    return (...args: unknown[]) => {
      const result = value.apply(store, args);
      return result instanceof Promise ? result.catch(judge) : result;
    };
  };
  return Object.fromEntries(Object.entries(store).map(([name, value]) => [name, guarded(value)])) as unknown as Store;
}
