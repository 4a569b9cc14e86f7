/** Makes undici take an interim answer that it did not ask for. */
import type { Socket } from 'node:net';

/** The most that the head of an answer may have. */
export const headerBytesMax = 16_384;
const continueMark = 'HTTP/1.1 100';
const headEnd = '\r\n\r\n';

/**
 * Takes `100 Continue` out of what undici reads from `socket`: RFC 9110 §15.2 lets a server send it unasked, and undici
 * ends such a connection. Returns a function to call before each request: only the beginning of an answer is looked at.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let atHead = false;
  let held = Buffer.alloc(0);
  socket.read = (size) => {
    const chunk: Buffer | null = read(size);
    if (!atHead || chunk === null) return chunk;
    held = Buffer.concat([held, chunk]);
    while (continueMark.startsWith(held.toString('latin1', 0, continueMark.length))) {
      const end = held.indexOf(headEnd);
      if (end < 0 && held.length < headerBytesMax) return null;
      if (end < 0) break;
      held = held.subarray(end + headEnd.length);
    }
    atHead = false;
    const passedOn = held;
    held = Buffer.alloc(0);
    return passedOn;
  };
  return () => {
    atHead = true;
  };
}
