/** How the sandbox runs the simulated carrier of a kind: what it is started with, and what its client must know then. */
import { randomBytes } from 'node:crypto';
import type { Sandbox, SandboxOptions } from '@heliograph/sandbox';
import type { CarrierStatus } from './carrier.ts';

export interface KindSimulator {
  /** The setting of the gateway with the port that it takes when that is free. */
  readonly portSetting: string;
  /** The options of the sandbox that are for this kind. */
  options(place: SimulatorPlace): Partial<SandboxOptions>;
  /** By the names of the kind's settings: where it listens, and what both sides have agreed on, secrets in plain. */
  client(sandbox: Sandbox, host: string): SimulatorClient;
}

export interface SimulatorPlace {
  preferredPort: number;
  /** Where the gateway takes HTTP; null while it does not listen. */
  localUrl(): string | null;
  /** Where the carrier's own listener is; null while there is none. */
  listening(): NonNullable<CarrierStatus['listening']> | null;
}

export interface SimulatorClient {
  address: Readonly<Record<string, string | number>>;
  login: Readonly<Record<string, string>>;
}

/** New in each process: no password of ours is the same twice. */
export function newPassword(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
