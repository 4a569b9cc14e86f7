/** The thread that builds and sends spans, so that neither slows down the thread that handles texts. */
import { parentPort, workerData } from 'node:worker_threads';
import { exportBody } from './spans.ts';
import type { EndedMessage } from './store/module.ts';
import type { Exported } from './trace-follower.ts';
import type { TraceWorkerData } from './trace-thread.ts';

const { url, version } = workerData as TraceWorkerData;
const waitMaxMs = 10_000;

parentPort!.on('message', async (letter: string) => {
  parentPort!.postMessage(await send(JSON.parse(letter) as EndedMessage[]));
});

async function send(messages: readonly EndedMessage[]): Promise<{ kind: Exported; why: string }> {
  try {
    const { status, body } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: exportBody(messages, version),
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMaxMs),
    });
    await body?.cancel();
    return { kind: kindOf(status), why: `HTTP ${status}` };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return { kind: 'unreachable', why: cause?.code ?? message };
  }
}

/** OTLP/HTTP: repeat after 429, 502, 503 and 504, never after other errors. */
function kindOf(status: number): Exported {
  if (status >= 200 && status < 300) return 'taken';
  return [408, 429, 502, 503, 504].includes(status) ? 'unreachable' : 'refused';
}
