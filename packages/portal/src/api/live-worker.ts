/**
 * One event stream for all tabs of this browser: over plain HTTP/1.1 a browser allows six connections to a host, and a few
 * tabs with a stream each would freeze the site. Runs as a shared worker; where there is none, `live.ts` opens a stream itself.
 */
import { followStream } from './stream';

interface SharedScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

const ports = new Set<MessagePort>();
let last: unknown = null;
let stream: { close(): void } | null = null;

function broadcast(message: unknown): void {
  const { kind } = message as { kind: string };
  if (kind === 'state') last = message;
  // The next session gets its own stream.
  if (kind === 'ended') [stream, last] = [null, null];
  for (const port of ports) port.postMessage(message);
}

(globalThis as unknown as SharedScope).onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  ports.add(port);
  port.onmessage = ({ data }) => {
    if (data !== 'bye') return;
    ports.delete(port);
    if (ports.size > 0) return;
    stream?.close();
    stream = null;
  };
  port.start();
  if (last !== null) port.postMessage(last);
  stream ??= followStream(broadcast);
};
