/**
 * Kills the gateway at an exact place: `FAILPOINT=METHOD:MOMENT:PASS` names a method of the store, `before` or `after`
 * its call, and the pass (from 1) at which the process sends itself SIGKILL. Calls without items do not count.
 */
import type { Store } from '../../../packages/gateway/src/app/store.ts';
import { plantStore, withMethods } from './plant.ts';

const [method, moment, pass] = (process.env.FAILPOINT ?? '').split(':');
let passes = 0;

function passed(carried: unknown): void {
  if (Array.isArray(carried) && carried.length === 0) return;
  passes++;
  if (passes >= Number(pass)) process.kill(process.pid, 'SIGKILL');
}

plantStore((store) => {
  const real = (store[method as keyof Store] as (...given: unknown[]) => Promise<unknown>).bind(store);
  const replaced = async (...given: unknown[]): Promise<unknown> => {
    if (moment === 'before') passed(given[0]);
    const result = await real(...given);
    if (moment === 'after') passed(result);
    return result;
  };
  return withMethods(store, { [method!]: replaced });
});
