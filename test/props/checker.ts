/** Waits until a gateway of a crash suite changes nothing by itself any more; then its log goes to the judge. */
import { setTimeout as wait } from 'node:timers/promises';
import { statesUnderWay } from '../../packages/gateway/src/cli/prove/judge.ts';
import type { LoggedMessage, MessageLog } from './message-log.ts';

/**
 * Resolves with the whole log once the gateway changes nothing by itself any more. Gives up when `progress`, any number
 * that changes while work is done, does not change for `stuckMs`; unfinished messages are then the judge's to report.
 * The default is longer than the third wait of a message that became uncertain again and again.
 */
export async function settledLog(log: MessageLog, progress: () => number, stuckMs = 35_000): Promise<LoggedMessage[]> {
  let last = progress();
  let lastChange = performance.now();
  for (;;) {
    await wait(250);
    const stood = progress() === last;
    if (!stood) {
      last = progress();
      lastChange = performance.now();
      continue;
    }
    const messages = await log.all();
    const stuck = performance.now() - lastChange > stuckMs;
    if (stuck || (progress() === last && !messages.some(({ state }) => statesUnderWay.includes(state))))
      return messages;
  }
}
