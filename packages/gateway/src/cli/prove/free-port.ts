/** A port that nothing listens on, for a process that must keep the same one over restarts. */
import { createServer } from 'node:net';
import { machineRandom } from '../../kernel/machine.ts';

/**
 * Below the system's range for outgoing connections (32,768 and up on Linux): while the process is down, no other
 * socket gets its port, and a client that keeps connecting cannot connect to itself.
 */
const lowest = 15_000;
const highest = 32_000;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = lowest + Math.floor(machineRandom.fraction() * (highest - lowest));
    if (await isFree(port)) return port;
  }
  throw new Error('no free port found');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
