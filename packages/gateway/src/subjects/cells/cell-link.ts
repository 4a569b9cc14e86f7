/** Connections to one gateway of another cell. Knows of each request whether any of it may have left. */
import { type Dispatcher, Pool } from 'undici';
import { type CellKey, cellIdentity, cellTls } from '../../http/cell-server.ts';
import { type CellAnswer, CellAway, type CellRequest } from '../../http/forward.ts';

export interface CellLinkParts {
  /** The name of this cell. */
  name: string;
  cell: string;
  /** `host:port`. */
  address: string;
  key: CellKey;
}

export interface CellLink {
  readonly address: string;
  /** Resolves with any answer at all. Rejects with CellAway. */
  send(request: CellRequest, answerMs: number): Promise<CellAnswer>;
  close(): Promise<void>;
}

/** A gateway under load takes its time for a handshake. */
const connectMs = 5_000;
const connectionsMax = 256;
/** Idle connections are closed on this side, well before the other one would. */
const idleMs = 30_000;
/** The most of an answer that is kept; none of the API is near. */
const answerBytesMax = 64 * 1_024 * 1_024;

export function createCellLink({ name, cell, address, key }: CellLinkParts): CellLink {
  const identity = cellIdentity(name, cell);
  const pool = new Pool(`https://${address}`, {
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: {
      ...cellTls,
      timeout: connectMs,
      maxCachedSessions: 0,
      pskCallback: () => ({ psk: key.psk, identity }),
      // The key proves who is there: no certificate is shown.
      checkServerIdentity: () => undefined,
    },
  });

  function send({ method, target, headers, body, signal }: CellRequest, answerMs: number): Promise<CellAnswer> {
    return new Promise((resolve, reject) => {
      // From the moment in which it is handed to a connection that stands.
      let wasSent = false;
      let status = 0;
      let answered: readonly string[] = [];
      const chunks: Buffer[] = [];
      let size = 0;
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (controller) => {
          // A second connection would send it a second time.
          if (wasSent || signal?.aborted === true) return controller.abort(new Error('not sent again'));
          wasSent = true;
          signal?.addEventListener('abort', () => controller.abort(new Error('its caller is gone')), { once: true });
        },
        onResponseStart: (controller, code) => {
          status = code;
          answered = (controller.rawHeaders as readonly Buffer[]).map((word) => word.toString('latin1'));
        },
        onResponseData: (controller, chunk) => {
          size += chunk.length;
          if (size > answerBytesMax) controller.abort(new Error('its answer is too large'));
          else chunks.push(chunk);
        },
        onResponseEnd: () => resolve({ status, headers: answered, body: Buffer.concat(chunks) }),
        onResponseError: (_controller, cause) => reject(new CellAway(cell, { wasSent }, { cause })),
      };
      const options = { path: target, method: method as Dispatcher.HttpMethod, headers: [...headers], body };
      pool.dispatch({ ...options, headersTimeout: answerMs, bodyTimeout: answerMs }, handler);
    });
  }

  return { address, send, close: () => pool.destroy() };
}
