/** A client of V8's inspector protocol for a gateway that was started with `--inspect`, and for each of its threads. */

export interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

/** Calls a method of one thread; rejects with its error. */
export type Ask = (method: string, params?: object) => Promise<{ result?: ScriptCoverage[] }>;

interface Incoming {
  id?: number;
  result?: { result?: ScriptCoverage[] };
  error?: { message: string };
  method?: string;
  params?: { sessionId?: string; message?: string };
}

export interface Inspector {
  /** The main thread first. */
  threads(): readonly Ask[];
  close(): void;
}

/** `output` is the gateway's output: its last address is the gateway's, an earlier one may be the launcher's. */
export async function openInspector(output: string): Promise<Inspector> {
  const address = [...output.matchAll(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/g)].at(-1)?.[0];
  if (address === undefined) throw new Error(`no inspector listens: ${output}`);
  const socket = new WebSocket(address);
  const threads: Ask[] = [];
  const main = createCalls((message) => socket.send(message));
  const sessions = new Map<string, ReturnType<typeof createCalls>>();
  threads.push(main.ask);
  socket.addEventListener('message', ({ data }) => {
    const incoming: Incoming = JSON.parse(String(data));
    const { sessionId = '', message = '' } = incoming.params ?? {};
    if (incoming.method === 'NodeWorker.attachedToWorker') {
      const calls = createCalls(
        (call) => void main.ask('NodeWorker.sendMessageToWorker', { sessionId, message: call }),
      );
      sessions.set(sessionId, calls);
      threads.push(calls.ask);
    } else if (incoming.method === 'NodeWorker.receivedMessageFromWorker') {
      sessions.get(sessionId)?.take(JSON.parse(message));
    } else main.take(incoming);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`${address} does not answer`)));
  });
  // Running threads are attached before the answer to this call.
  await main.ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return { threads: () => threads, close: () => socket.close() };
}

/** Numbers the calls and matches each answer to its call. */
function createCalls(send: (message: string) => void): { ask: Ask; take(incoming: Incoming): void } {
  const waiting = new Map<number, PromiseWithResolvers<{ result?: ScriptCoverage[] }>>();
  let last = 0;
  return {
    ask: (method, params = {}) => {
      const id = ++last;
      const answer = Promise.withResolvers<{ result?: ScriptCoverage[] }>();
      waiting.set(id, answer);
      send(JSON.stringify({ id, method, params }));
      return answer.promise;
    },
    take: ({ id, result, error }) => {
      const answer = waiting.get(id ?? 0);
      if (error !== undefined) answer?.reject(new Error(error.message));
      else answer?.resolve(result ?? {});
      waiting.delete(id ?? 0);
    },
  };
}
