/**
 * Several cells for a test: in each a gateway, a database and a company of its own; all of them send over one carrier under
 * one system id, so that its receipts come on any of their binds.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { type ScratchCaller, scratchRecords } from '../../packages/gateway/src/cli/prove/scratch-records.ts';
import type { TestPostgres } from '../postgres.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';

export interface Cell {
  readonly name: string;
  readonly databaseUrl: string;
  readonly options: GatewayOptions;
  readonly caller: ScratchCaller;
  readonly metricsPort: number;
  /** The one that runs now, or ran last. */
  gateway: Gateway;
}

export interface Cells {
  readonly folder: string;
  readonly cells: readonly Cell[];
  /** Starts it, after a kill again; `nodeArguments` for this run only. */
  start(cell: Cell, nodeArguments?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one for each name. */
export async function startCells(
  names: readonly string[],
  {
    server,
    smscPort,
    window = 10,
    callerOf = newCaller,
    carrier = {},
  }: {
    server: TestPostgres;
    smscPort: number;
    window?: number;
    callerOf?: typeof newCaller;
    /** More settings of the carrier in each cell. */
    carrier?: object;
  },
): Promise<Cells> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-cells-'));
  const secretFile = join(folder, 'cells.secret');
  writeFileSync(secretFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const ports = await Promise.all(names.map(() => freePort()));
  const list = names.map((name, place) => `${name}=127.0.0.1:${ports[place]}`).join(',');
  const cells: Cell[] = [];
  for (const [place, name] of names.entries()) {
    const own = join(folder, name);
    mkdirSync(own);
    const caller = callerOf(name, place);
    const recordsFile = join(own, 'records.json');
    const records = scratchRecords(caller, { port: smscPort, window, receipts: true });
    const carriers = records.carriers.map((one) => ({ ...one, ...carrier }));
    writeFileSync(recordsFile, JSON.stringify({ ...records, carriers }));
    const databaseUrl = await server.createDatabase();
    const metricsPort = await freePort();
    const options: GatewayOptions = {
      folder: own,
      recordsFile,
      databaseUrl,
      port: await freePort(),
      env: {
        HELIO_CELL: name,
        HELIO_CELLS: list,
        HELIO_CELLS_SECRET_FILE: secretFile,
        HELIO_CELL_PORT: String(ports[place]),
        HELIO_METRICS_PORT: String(metricsPort),
      },
    };
    cells.push({ name, databaseUrl, options, caller, metricsPort, gateway: await startGateway(options) });
  }
  return {
    folder,
    cells,
    start: async (cell, nodeArguments = []) => {
      cell.gateway = await startGateway({ ...cell.options, nodeArguments });
    },
    stop: async () => {
      await Promise.all(cells.map(({ gateway }) => gateway.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The key pair and the number of the company of a cell. */
export function newCaller(name: string, place: number): ScratchCaller {
  return {
    bearerToken: `bearer-token-of-no-worth-of-cell-${name}`,
    authToken: `auth-token-of-no-worth-of-cell-${name}`,
    from: `1202555014${place}`,
  };
}

export interface CellRequest {
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/** A request of the company of `account` at the door of `door`. */
export async function requestAt(
  entryCell: Cell,
  account: Cell,
  { path, body, headers }: CellRequest,
): Promise<Response> {
  return await fetch(`http://127.0.0.1:${entryCell.options.port}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${account.caller.bearerToken}`,
      'x-api-key': account.caller.authToken,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
}
