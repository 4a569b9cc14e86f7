/** The main thread's side of the thread that sends traces. Started with the first trace. */
import { Worker } from 'node:worker_threads';
import { threadMemory } from '../../kernel/spare-memory.ts';
import type { EndedMessage } from './store/module.ts';
import type { Exported, TraceFollowerParts } from './trace-follower.ts';

export interface TraceWorkerData {
  /** The collector's URL for traces. */
  url: string;
  version: string;
}

export interface TraceThread {
  send: TraceFollowerParts['send'];
  close(): Promise<void>;
}

/** `collector`: its address without a path, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
export function openTraceThread(collector: string, version: string): TraceThread {
  const data: TraceWorkerData = { url: new URL('v1/traces', collector.replace(/\/*$/, '/')).href, version };
  let worker: Worker | null = null;
  /** One request at a time. */
  let answer: ((sent: { kind: Exported; why: string }) => void) | null = null;

  function end(sent: { kind: Exported; why: string }): void {
    answer?.(sent);
    answer = null;
  }

  function start(): Worker {
    // The same extension as this file: .ts from the sources, .js once built.
    const file = new URL(import.meta.url.replace(/trace-thread(\.\w+)$/, 'trace-worker$1'));
    const started = new Worker(file, { workerData: data, resourceLimits: threadMemory });
    started.on('message', end);
    started.on('error', (error) => end({ kind: 'unreachable', why: String(error) }));
    started.once('exit', () => {
      worker = null;
      end({ kind: 'unreachable', why: 'the thread has ended' });
    });
    return started;
  }

  return {
    send: (messages: readonly EndedMessage[]) => {
      worker ??= start();
      worker.postMessage(JSON.stringify(messages));
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}
