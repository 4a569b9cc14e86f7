/** How the sandbox runs the simulated carrier of a kind: its options, and what its client must know. */
import { randomBytes } from 'node:crypto';
import type { Sandbox, SandboxOptions } from '@heliograph/sandbox';
import type { CarrierStatus } from './carrier.ts';

export interface KindSimulator {
  /** The gateway setting for its port, used if that port is free. */
  readonly portSetting: string;
  /** The sandbox options for this kind. */
  options(place: SimulatorPlace): Partial<SandboxOptions>;
  /**
   * Under the names of the kind's settings: where the simulator listens, and the agreed credentials, secrets in plain
   * text.
   */
  client(sandbox: Sandbox, host: string): SimulatorClient;
}

export interface SimulatorPlace {
  preferredPort: number;
  /** Where the gateway serves HTTP; null while it does not listen. */
  localUrl(): string | null;
  /** Where the carrier's own listener is; null while there is none. */
  listening(): NonNullable<CarrierStatus['listening']> | null;
}

export interface SimulatorClient {
  address: Readonly<Record<string, string | number>>;
  login: Readonly<Record<string, string>>;
}

/** New in each process, so that no password is ever reused. */
export function newPassword(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
