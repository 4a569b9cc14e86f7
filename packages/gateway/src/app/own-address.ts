/**
 * The gateway's own URL. The port is final only once the server listens, so parts hold this object instead of a string.
 */
import { type Config, localUrl } from './config.ts';

export interface OwnAddress {
  /** For people and links, without a slash at the end. Before the server listens, with the configured port. */
  baseUrl(): string;
  /** For peers on this machine; null until the server listens. */
  localUrl(): string | null;
  /** Called when the server listens on this port. */
  listensOn(port: number): void;
}

export function createOwnAddress(config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'tls'>): OwnAddress {
  let bound: number | null = null;
  return {
    baseUrl: () => config.publicUrl ?? localUrl(config, bound ?? config.port),
    localUrl: () => (bound === null ? null : localUrl(config, bound)),
    listensOn: (port) => {
      bound = port;
    },
  };
}
