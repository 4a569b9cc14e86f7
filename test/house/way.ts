/**
 * The files whose functions run for one text, from the API's socket to the carrier's: the code path that a reader has
 * to follow. Measured in a real gateway by V8's own coverage, in its main thread and in the threads of its store.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startGateway } from '../props/gateway.ts';
import { liveCaller, writeLiveRecords } from '../props/live-records.ts';
import { startSmsc } from '../props/smsc.ts';
import { openInspector, type ScriptCoverage } from './inspector.ts';

/** Late enough that the carrier's answer comes after the measurement. */
const answerAfterMs = 10_000;
const submitWithinMs = 10_000;
/** Long enough for the previous text's work to finish, and shorter than the interval of the clock check. */
const settledMs = 1_500;
/** What happened to run beside one text, a poll or a timer, does not run beside each. */
const textsMeasured = 5;
/** So that no interval of the gateway's has the same step. */
const betweenMs = 130;

/** Paths from `packages`, sorted. */
export async function filesOnTheWay(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-way-'));
  const smsc = await startSmsc();
  const recordsFile = join(folder, 'records.json');
  writeLiveRecords(recordsFile, { smscPort: smsc.port, window: 10 });
  const gateway = await startGateway({ folder, recordsFile, env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  const inspector = await openInspector(gateway.stderr());
  const onAll = (method: string, params?: object) => Promise.all(inspector.threads().map((ask) => ask(method, params)));
  try {
    await sendText(gateway.port, smsc);
    await onAll('Profiler.enable');
    await onAll('Profiler.startPreciseCoverage', { callCount: true });
    // The first text under the profiler compiles code.
    await sendText(gateway.port, smsc);
    await wait(settledMs);
    smsc.behaviour.responseDelayMs = answerAfterMs;
    const ways: Set<string>[] = [];
    for (let text = 0; text < textsMeasured; text++) {
      await wait(betweenMs);
      // Taking the coverage resets its counts.
      await onAll('Profiler.takePreciseCoverage');
      await sendText(gateway.port, smsc);
      const taken = await onAll('Profiler.takePreciseCoverage');
      ways.push(new Set(taken.flatMap(({ result = [] }) => result).flatMap(fileOf)));
    }
    return [...ways.reduce((all, one) => all.intersection(one))].sort();
  } finally {
    inspector.close();
    await gateway.kill();
    await smsc.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves once the carrier has read the text. */
async function sendText(port: number, smsc: Awaited<ReturnType<typeof startSmsc>>): Promise<void> {
  const before = smsc.counts().submits;
  const answer = await fetch(`http://127.0.0.1:${port}/SendSMS?apikey=${liveCaller.authToken}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: liveCaller.from, to: ['12025550100'], text: 'Which way do you go?' }),
  });
  if (!answer.ok) throw new Error(`the text was refused: ${await answer.text()}`);
  const end = performance.now() + submitWithinMs;
  while (smsc.counts().submits === before) {
    if (performance.now() > end) throw new Error('the carrier never got the text');
    await wait(1);
  }
}

/** The file of one of our scripts in which a function ran. Module code does not count: its function has no name. */
function fileOf({ url, functions }: ScriptCoverage): string[] {
  const path = /\/(packages\/[^/]+\/src\/.*)$/.exec(url)?.[1];
  const ran = functions.some(
    ({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0),
  );
  return path !== undefined && ran ? [path] : [];
}
