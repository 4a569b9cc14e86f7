/** Counts the refused tries of each message, so that a handset can refuse the first few and then take it. Bounded. */
import type { SandboxBehaviour } from './behaviour.ts';
import { createBoundedMap } from './bounded-map.ts';

/** Messages whose refused tries are counted at one time. */
const countedMax = 10_000;

export type Refuses = (message: string, tries: NonNullable<SandboxBehaviour['refusal']>['tries']) => boolean;

/** `message`: what makes tries of the same message the same. One that is let through is forgotten. */
export function createRefusals(): Refuses {
  const counts = createBoundedMap<number>(countedMax);
  return (message, tries) => {
    if (tries === 'always') return true;
    const refused = counts.get(message) ?? 0;
    if (refused >= tries) {
      counts.delete(message);
      return false;
    }
    counts.set(message, refused + 1);
    return true;
  };
}
