/** Listening on a port that people know by heart when it is free, and on any other when it is not. */
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import type { Logger } from './machine.ts';

/** The port in use. Rejects only when no port at all can be listened on. `what`: begins the line of the log. */
export async function listenPreferred(
  server: Server,
  { host, preferredPort, logger, what }: { host: string; preferredPort: number; logger: Logger; what: string },
): Promise<number> {
  try {
    return await listenOn(server, { host, port: preferredPort });
  } catch (err) {
    if (preferredPort === 0) throw err;
    const port = await listenOn(server, { host, port: 0 });
    logger.info({ preferredPort, port }, `${what} took another port: the usual one is in use`);
    return port;
  }
}

function listenOn(server: Server, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
