/** What the HTTP servers of the sandbox share: reading a bounded body, and ending an exchange without one. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls `done` with a whole body within the limit; answers what is larger itself. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else if (!response.writableEnded) end(response, 413);
  });
  request.on('end', () => {
    if (bytes <= bytesMax) done(Buffer.concat(chunks, bytes));
  });
}

export function end(response: ServerResponse, status: number): void {
  // What was not read to its end would be taken for the next request.
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.writeHead(status).end();
}
