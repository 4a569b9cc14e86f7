/**
 * The surroundings of a gateway in a whole-system test: a folder, a carrier, a records file, a fixed port, and clients.
 * The test starts and ends the gateway; everything else here outlives it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { type Client, type ClientOptions, startClient } from './client.ts';
import type { GatewayOptions } from './gateway.ts';
import { writeLiveRecords } from './live-records.ts';
import { type MmsLoad, type MmsPeers, startMmsPeers } from './mms-peers.ts';
import { type Smsc, type SmscBehaviour, startSmsc } from './smsc.ts';

export interface SceneOptions {
  window: number;
  uncertainPolicy?: 'resend' | 'hold';
  /** The carrier's behaviour; answers take 5 ms by default, so that some messages are always under way. */
  behaviour?: Partial<SmscBehaviour>;
  /** The data folder; by default in the folder of the scene. */
  dataDir?: string;
  /** Default: SQLite. */
  databaseUrl?: string;
  /** How long the gateway waits for the answer to a submission. */
  responseTimeoutMs?: number;
  /** Whether submissions ask for receipts. */
  receipts?: boolean;
  /** SMPP carriers that share the traffic; 1 by default. */
  smppCarriers?: number;
  /** For every gateway. */
  env?: Record<string, string>;
  /** MMS in the mix: a carrier for them, and the server their media are fetched from. */
  mms?: MmsLoad;
  /** Called with the running number of each submit_sm the carrier reads. */
  onSubmit?: (count: number) => void;
}

export interface Scene {
  readonly folder: string;
  readonly smsc: Smsc;
  /** Null without MMS in the mix. */
  readonly mms: MmsPeers | null;
  /** Copies accepted by destination, by all carriers. */
  copies(): ReadonlyMap<string, number>;
  /** Messages accepted so far, by all carriers. */
  acceptedCount(): number;
  /** The options with which every gateway of this scene is started. */
  readonly gatewayOptions: GatewayOptions;
  startClient(options?: Partial<ClientOptions>): Client;
  close(): Promise<void>;
}

const connections = 20;

export async function openScene(options: SceneOptions): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-scene-'));
  const smsc = await startSmsc({
    behaviour: { responseDelayMs: 5, ...options.behaviour },
    ...(options.onSubmit === undefined ? {} : { onSubmit: options.onSubmit }),
  });
  const mms = options.mms === undefined ? null : await startMmsPeers(options.mms, options.window);
  const recordsFile = join(folder, 'records.json');
  writeLiveRecords(recordsFile, {
    smscPort: smsc.port,
    window: options.window,
    uncertainPolicy: options.uncertainPolicy ?? 'resend',
    receipts: options.receipts ?? false,
    smppCarriers: options.smppCarriers ?? 1,
    ...(options.responseTimeoutMs === undefined ? {} : { responseTimeoutMs: options.responseTimeoutMs }),
    ...(mms === null ? {} : { mms: mms.carrierEntry }),
  });
  const port = await freePort();
  return {
    folder,
    smsc,
    mms,
    copies: () => new Map([...smsc.copies, ...(mms?.sink.copies ?? [])]),
    acceptedCount: () => smsc.counts().accepted + (mms?.sink.accepted.length ?? 0),
    gatewayOptions: {
      folder,
      recordsFile,
      port,
      ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
      ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
      env: { ...mms?.env, ...options.env },
    },
    startClient: (given) =>
      startClient({ port, connections, acknowledgedFile: join(folder, 'acknowledged'), ...mms?.requests, ...given }),
    close: async () => {
      await smsc.stop();
      await mms?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
