/**
 * Puts something between the gateway and its store without a line in the product: a file given to node with `--import`
 * calls `plantStore`, and the import of `store/open.ts` is answered with `planted-open.ts`. For planted bugs and for
 * kills at an exact place; nothing here runs unless a test starts node with it.
 */
import { registerHooks } from 'node:module';
import type { Store } from '../../../packages/gateway/src/store/store.ts';

const realUrl = new URL('../../../packages/gateway/src/store/open.ts', import.meta.url).href;
const plantedUrl = new URL('planted-open.ts', import.meta.url).href;

let planted: (store: Store) => Store = (store) => store;

/** Every store opened from now on goes through `wrap`. Call it from a file that node imports first. */
export function plantStore(wrap: (store: Store) => Store): void {
  planted = wrap;
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      return resolved.url === realUrl && context.parentURL !== plantedUrl ? next(plantedUrl, context) : resolved;
    },
  });
}

export function throughPlant(store: Store): Store {
  return planted(store);
}

/** The store with some of its methods replaced. */
export function withMethods(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name in methods) return methods[name as keyof Store];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
