/** Reads a request body as raw bytes, within limits of size and time, once, and never decompressed. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../kernel/clock.ts';

/** How a body ended. A client that goes away in the middle ends in nothing at all: no call, nothing stored. */
export type BodyResult = { kind: 'read'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'too_slow' };

/** Slower than this over any period that is measured, and the client is let go. */
const bytesPerSecondMin = 1_024;
const measureEveryMs = 5_000;

/** Reads `request` and calls `done` at most once. */
export function readBody(
  request: IncomingMessage,
  parts: { clock: Clock; bytesMax: number },
  done: (result: BodyResult) => void,
): void {
  const { clock, bytesMax } = parts;
  const declared = request.headers['content-length'];
  const length = declared === undefined ? null : Number(declared);
  const chunks: Buffer[] = [];
  let received = 0;
  let measuredMs = 0;
  let cancelMeasure: (() => void) | null = null;
  let finished = false;

  function finish(result: BodyResult): void {
    // The listeners stay: they end with the request, and taking each off costs more than what they do until then.
    finished = true;
    cancelMeasure?.();
    if (result.kind === 'read') request.resume();
    else stopReading(request);
    done(result);
  }
  const whole = (): void => {
    if (!finished) finish({ kind: 'read', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, received) });
  };
  const gone = (): void => cancelMeasure?.();
  const take = (chunk: Buffer): void => {
    if (finished) return;
    received += chunk.length;
    if (received > bytesMax) {
      finish({ kind: 'too_large' });
      return;
    }
    chunks.push(chunk);
    if (received === length) whole();
    else cancelMeasure ??= clock.after(measureEveryMs, measure);
  };
  const measure = (): void => {
    measuredMs += measureEveryMs;
    if ((received * 1_000) / measuredMs < bytesPerSecondMin) finish({ kind: 'too_slow' });
    else cancelMeasure = clock.after(measureEveryMs, measure);
  };

  if (length !== null && length > bytesMax) {
    done({ kind: 'too_large' });
    return;
  }
  if (length === 0) {
    request.resume();
    done({ kind: 'read', bytes: Buffer.alloc(0) });
    return;
  }
  request.on('data', take);
  request.on('end', whole);
  request.on('close', gone);
}

/** Pausing is not enough: a paused request still asks the socket for more until its own buffer is full. */
function stopReading(request: IncomingMessage): void {
  request.pause();
  request._read = () => {};
}
