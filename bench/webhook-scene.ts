/**
 * What the whole-system benchmarks of webhooks share: a real gateway with two accounts, a carrier with receipts, an
 * open loop of messages, and receivers of webhooks, each in a process of its own.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/postgres.ts';
import { type Gateway, startGateway } from '../test/props/gateway.ts';
import { liveCaller, writeLiveRecords } from '../test/props/live-records.ts';
import type { OpenLoopParams } from './open-loop.ts';
import { type Helper, startHelper } from './processes.ts';
import type { SinkCommand } from './sink.ts';
import type { WebhookSinkCommand } from './webhook-sink.ts';

/** A second account. It has a key pair and sends nothing. */
export const bystander = {
  accountId: 'bystander',
  bearerToken: 'bench-bearer-token-of-no-worth-0002',
  authToken: 'bench-auth-token-of-no-worth-0002',
} as const;

export interface Scene {
  readonly dataDir: string;
  /** Undefined: SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  readonly gateway: Gateway;
  readonly carrier: Helper<SinkCommand>;
  readonly load: Helper<OpenLoopParams>;
  /** Starts a receiver that does not listen yet. */
  receiver(): Helper<WebhookSinkCommand>;
  /** Starts the gateway on the same data; resolves with the ms until it was ready. */
  start(nodeArguments?: readonly string[]): Promise<number>;
  /** Adds an endpoint to the account with these tokens; resolves with its id. */
  addEndpoint(caller: Tokens, port: number, types: readonly string[] | null): Promise<string>;
  stop(): Promise<void>;
}

interface Tokens {
  readonly bearerToken: string;
  readonly authToken: string;
}

/**
 * Opens a scene, on a new PostgreSQL if `postgres` is true, and closes it even when `measure` throws. A receipt comes
 * `receiptDelayMs` after the answer of the carrier.
 */
export async function onScene(
  { postgres, receiptDelayMs = 0 }: { postgres: boolean; receiptDelayMs?: number },
  measure: (scene: Scene) => Promise<void>,
): Promise<void> {
  const database = postgres ? await startPostgres() : null;
  const scene = await openScene(await database?.createDatabase(), receiptDelayMs);
  try {
    await measure(scene);
  } finally {
    await scene.stop();
    await database?.remove();
  }
}

async function openScene(databaseUrl: string | undefined, receiptDelayMs: number): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
  const recordsFile = join(folder, 'records.json');
  const carrier = startHelper<SinkCommand>('sink.ts', JSON.stringify({ receipts: 'after', receiptDelayMs }));
  const load = startHelper<OpenLoopParams>('open-loop.ts');
  const helpers: { stop(): void }[] = [carrier, load];
  let gateway: Gateway | null = null;
  writeRecords(recordsFile, await carrier.ask<number>({ ask: 'port' }));
  return {
    dataDir: join(folder, 'data'),
    databaseUrl,
    get gateway() {
      if (gateway === null) throw new Error('the gateway is not started');
      return gateway;
    },
    carrier,
    load,
    receiver: () => {
      const receiver = startHelper<WebhookSinkCommand>('webhook-sink.ts');
      helpers.push(receiver);
      return receiver;
    },
    start: async (nodeArguments = []) => {
      const begunMs = performance.now();
      gateway = await startGateway({
        folder,
        recordsFile,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
        env: { HELIO_ALLOW_PRIVATE_URLS: '1' },
        nodeArguments,
        readyWithinMs: 120_000,
      });
      return performance.now() - begunMs;
    },
    addEndpoint: (caller, port, types) =>
      addEndpoint(gateway!.port, caller, { url: `http://127.0.0.1:${port}/`, types }),
    stop: async () => {
      await gateway?.stop();
      for (const helper of helpers) helper.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeRecords(file: string, smscPort: number): void {
  writeLiveRecords(file, { smscPort, window: 200, receipts: true });
  const records = JSON.parse(readFileSync(file, 'utf8'));
  const { accountId, bearerToken, authToken } = bystander;
  records.accounts.push({ ...records.accounts[0], id: accountId, name: 'Bystander' });
  records.keys.push({ ...records.keys[0], id: 'bystander-key', account: accountId, bearerToken, authToken });
  writeFileSync(file, JSON.stringify(records));
}

async function addEndpoint(gatewayPort: number, { bearerToken, authToken }: Tokens, fields: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${gatewayPort}/api/v1/endpoints?apikey=${authToken}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  const text = await answer.text();
  const endpointId = /"endpointId":"([^"]+)"/.exec(text)?.[1];
  if (endpointId === undefined) throw new Error(`no endpoint: ${answer.status} ${text}`);
  return endpointId;
}

export { liveCaller as sender };
