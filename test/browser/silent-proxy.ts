/**
 * A proxy in front of a gateway that can fall silent: it keeps accepting connections and bytes, and forwards nothing.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly url: string;
  fallSilent(): void;
  /** Forwards the bytes it kept back. */
  speakAgain(): void;
  close(): Promise<void>;
}

export async function openSilentProxy(port: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((here) => {
    const there = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      if (silent) from.pause();
    }
  });
  const all = (what: 'pause' | 'resume'): void => {
    silent = what === 'pause';
    for (const socket of sockets) socket[what]();
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent: () => all('pause'),
    speakAgain: () => all('resume'),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
