/**
 * The gateways of all other cells: which answer now, and which of a cell gets the next request. Another one of the same cell
 * is tried only while nothing has been sent.
 */

import { cellPaths } from '../../http/exchange.ts';
import { type CellAnswer, CellAway, type CellRequest } from '../../http/forward.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { CellLink, CellLinkParts } from './cell-link.ts';

/** `HELIO_CELL…`: this cell among all, each with the addresses of its gateways. */
export interface CellSettings {
  readonly name: string;
  readonly cells: ReadonlyMap<string, readonly string[]>;
  readonly secretFile: string;
  /** Where the others reach this gateway. */
  readonly host: string;
  readonly port: number;
}

export interface Peers {
  /** The other cells, in the order of the setting. */
  readonly names: readonly string[];
  /** Whether any gateway of the cell answers, as far as is known. */
  isUp(cell: string): boolean;
  /** Rejects with CellAway. */
  send(cell: string, request: CellRequest, answerMs: number): Promise<CellAnswer>;
  /** The same to every gateway of the cell; resolves with the answers of those that gave one. */
  sendToAll(cell: string, request: CellRequest, answerMs: number): Promise<CellAnswer[]>;
  /** Asks every gateway once a second whether it is there. */
  start(): void;
  stop(): Promise<void>;
}

export interface PeersParts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  settings: Pick<CellSettings, 'name' | 'cells'>;
  link(parts: Pick<CellLinkParts, 'cell' | 'address'>): CellLink;
}

const lookEveryMs = 1_000;
const lookAnswerMs = 2_000;
/** One that is busy may miss a look, or be late with a connection. */
const missesMax = 3;
/** Nobody is there. */
const goneCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);

interface Gateway {
  link: CellLink;
  misses: number;
}

const statePath = `${cellPaths}state`;

export function createPeers({ clock, logger, settings, link }: PeersParts): Peers {
  const names = [...settings.cells.keys()].filter((cell) => cell !== settings.name);
  const cells = new Map(
    names.map((cell) => [
      cell,
      settings.cells.get(cell)!.map((address): Gateway => ({ link: link({ cell, address }), misses: 0 })),
    ]),
  );
  let turn = 0;
  let cancelLook = (): void => {};
  let isStopped = false;

  const isGatewayUp = ({ misses }: Gateway): boolean => misses < missesMax;
  const isUp = (cell: string): boolean => cells.get(cell)!.some(isGatewayUp);

  /** Those that answer, beginning with the next in turn. */
  function inTurn(cell: string): Gateway[] {
    const up = cells.get(cell)!.filter(isGatewayUp);
    const first = turn++ % Math.max(1, up.length);
    return [...up.slice(first), ...up.slice(0, first)];
  }

  async function send(cell: string, request: CellRequest, answerMs: number): Promise<CellAnswer> {
    let failure: unknown = null;
    for (const gateway of inTurn(cell)) {
      try {
        const answer = await gateway.link.send(request, answerMs);
        gateway.misses = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof CellAway) || error.wasSent) throw error;
        missed(cell, gateway, error);
        failure = error;
      }
    }
    throw failure ?? new CellAway(cell, { wasSent: false });
  }

  async function sendToAll(cell: string, request: CellRequest, answerMs: number): Promise<CellAnswer[]> {
    const sent = inTurn(cell).map((gateway) => gateway.link.send(request, answerMs).catch(() => null));
    return (await Promise.all(sent)).filter((answer) => answer !== null);
  }

  function missed(cell: string, gateway: Gateway, error: unknown): void {
    const wasUp = isGatewayUp(gateway);
    const err = (error as Error).cause ?? error;
    const isGone = goneCodes.has((err as NodeJS.ErrnoException).code ?? '');
    gateway.misses = isGone ? missesMax : gateway.misses + 1;
    if (!wasUp || isGatewayUp(gateway)) return;
    const fields = { cell, address: gateway.link.address, err };
    logger.warn(fields, 'a gateway of another cell does not answer');
  }

  async function look(cell: string, gateway: Gateway): Promise<void> {
    const request = { method: 'GET', target: statePath, headers: [], body: Buffer.alloc(0), signal: null };
    try {
      const { status } = await gateway.link.send(request, lookAnswerMs);
      if (status !== 200) throw new Error(`it answered ${status}`);
      if (!isGatewayUp(gateway))
        logger.info({ cell, address: gateway.link.address }, 'a gateway of another cell answers');
      gateway.misses = 0;
    } catch (error) {
      if (!isStopped) missed(cell, gateway, error);
    }
  }

  async function lookAtAll(): Promise<void> {
    await Promise.all([...cells].flatMap(([cell, gateways]) => gateways.map((gateway) => look(cell, gateway))));
    if (!isStopped) cancelLook = clock.after(lookEveryMs, () => void lookAtAll());
  }

  return {
    names,
    isUp,
    send,
    sendToAll,
    start: () => void lookAtAll(),
    stop: async () => {
      isStopped = true;
      cancelLook();
      await Promise.all([...cells.values()].flat().map((gateway) => gateway.link.close()));
    },
  };
}
