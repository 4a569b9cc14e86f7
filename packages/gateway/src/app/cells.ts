/** Wires this cell with the others: the shared secret, connections to their gateways, and the server for them. */
import { hkdfSync } from 'node:crypto';
import type { CellKey } from '../http/cell-server.ts';
import type { ServerCells } from '../http/server.ts';
import { readSecretLine } from '../kernel/secret-line.ts';
import type { Receiver } from '../messaging/receive/receive.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import { createCellAnswers } from '../subjects/cells/answer-cells.ts';
import { type CellAsker, createCellAsker } from '../subjects/cells/ask-cells.ts';
import { createNumberWatch, type NumberWatch } from '../subjects/cells/number-watch.ts';
import { createPeers, type Peers } from '../subjects/cells/peers.ts';
import { createRateLending, type RateLending } from '../subjects/cells/rate-lending.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';
import type { Metrics } from './telemetry.ts';

/** The settings of cells cannot be used. The message is shown to people and holds no secret. */
export class CellsRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CellsRefused';
  }
}

const secretCharactersMin = 32;

export interface Cells {
  /** The name of this cell. */
  readonly name: string;
  readonly peers: Pick<Peers, 'names' | 'isUp'>;
  readonly carriers: CellAsker['carriers'];
  readonly numbers: Pick<NumberWatch, 'shared'>;
  /** Of carriers' rates. */
  readonly lending: RateLending;
  /** What the server needs to serve the other cells; `ports` answer their requests. */
  serverParts(ports: { flow: { receiver: Receiver; lanes: Pick<Lanes, 'reported'> } }): ServerCells;
  readonly parts: readonly Part[];
}

/** Null when there is only one cell; `key` is the result of `readCellKey`. */
export async function openCells(
  context: Context,
  {
    config: { cells: settings },
    key,
    metrics,
    store,
    directory,
  }: {
    config: Pick<Config, 'cells'>;
    key: CellKey | null;
    metrics: Pick<Metrics, 'cells'> | null;
    store: Store;
    directory: Pick<DirectoryFollower, 'current'>;
  },
): Promise<Cells | null> {
  if (settings === null || key === null) return null;
  // Loaded here because it needs an HTTP client that a gateway without other cells never uses.
  const { createCellLink } = await import('../subjects/cells/cell-link.ts');
  const { name, host, port } = settings;
  const peers = createPeers({ ...context, settings, link: (to) => createCellLink({ ...to, name, key }) });
  const asker = createCellAsker({
    ...context,
    peers,
    forwarded: (cell, result) => metrics?.cells.forwarded(cell, result),
  });
  const lending = createRateLending({
    ...context,
    others: after(name, [...settings.cells.keys()]),
    isUp: peers.isUp,
    ask: asker.borrowRate,
    mayHandOver: store.mayHandOver,
  });
  const numbers = createNumberWatch({
    ...context,
    name,
    others: peers.names,
    directory: directory.current,
    hasNumbers: asker.carriers.hasNumbers,
    logs: store.place.acts,
  });
  return {
    name,
    peers,
    carriers: asker.carriers,
    numbers,
    lending,
    serverParts: ({ flow }) => ({
      name,
      others: peers.names,
      key,
      host,
      port,
      requests: asker.forwarding,
      calls: createCellAnswers({
        ...context,
        name,
        store,
        directory: directory.current,
        lending,
        receiver: flow.receiver,
        reported: flow.lanes.reported,
      }),
      refused: ({ code }) =>
        new CellsRefused(
          `HELIO_CELL_PORT=${port} cannot be had on ${host} (${code}). Choose another, or another HELIO_CELL_HOST, and name it in HELIO_CELLS.`,
        ),
    }),
    parts: [
      {
        name: 'cells',
        start: () => {
          peers.start();
          lending.start();
          numbers.start();
        },
        stop: () => {
          lending.stop();
          numbers.stop();
          return peers.stop();
        },
      },
    ],
  };
}

/** All others, from the next one on: not every cell that is short asks the same one first. */
function after(name: string, all: readonly string[]): string[] {
  const place = all.indexOf(name);
  return [...all.slice(place + 1), ...all.slice(0, place)];
}

/** The key derived from the shared secret; null when there is only one cell. Throws CellsRefused. */
export function readCellKey({ cells }: Pick<Config, 'cells'>): CellKey | null {
  if (cells === null) return null;
  const setting = {
    variable: 'HELIO_CELLS_SECRET_FILE',
    file: cells.secretFile,
    what: 'secret',
    charactersMin: secretCharactersMin,
  };
  const secret = readSecretLine(setting, (sentence) => new CellsRefused(sentence));
  return { psk: Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'heliograph cells', 32)) };
}
