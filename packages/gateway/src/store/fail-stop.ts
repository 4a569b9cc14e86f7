/**
 * A store that ends the process when the disk failed under a commit: nobody may be answered after that, not even with
 * an error, and nothing may be tried again on the same files. Wraps any store; adds nothing else.
 */
import { type Store, StoreBroken } from './store.ts';

/** `broken` must not return control to the caller in a running process (it exits). */
export function failStop(store: Store, broken: (error: StoreBroken) => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        try {
          return await value.apply(target, args);
        } catch (error) {
          if (error instanceof StoreBroken) broken(error);
          throw error;
        }
      };
    },
  });
}
