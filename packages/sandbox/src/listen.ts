/** Listening on a port that people know by heart when it is free, and on any other when it is not. */
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import type { Logger } from './machine.ts';

export interface Listening {
  host: string;
  /** 0 = any. */
  preferredPort: number;
  /** No other port will do. */
  exact?: boolean;
  logger: Logger;
  what: string;
}

/** The port in use. Rejects when no port at all can be listened on, or not the `exact` one. `what`: begins the line of the log. */
export async function listenPreferred(
  server: Server,
  { host, preferredPort, exact = false, logger, what }: Listening,
): Promise<number> {
  try {
    return await listenOn(server, { host, port: preferredPort });
  } catch (err) {
    if (preferredPort === 0 || exact) throw err;
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
