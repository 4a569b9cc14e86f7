/**
 * Counts the refused attempts of each message, so that a handset can refuse the first few and then accept it. Bounded.
 */
import type { SandboxBehaviour } from './behaviour.ts';
import { createBoundedMap } from './bounded-map.ts';

/** Messages whose refused attempts are counted at a time. */
const countedMax = 10_000;

export type Refuses = (message: string, tries: NonNullable<SandboxBehaviour['refusal']>['tries']) => boolean;

/** `message`: identifies attempts of the same message. An accepted one is dropped. */
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
