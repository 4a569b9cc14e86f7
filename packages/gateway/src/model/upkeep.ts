/** Facts about the gateway's machine: version, health, backups. Plain data. */
import type { EpochMs } from '../kernel/clock.ts';

/** One check, and what would fix it. */
export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
  /** What to do; null when nothing needs doing. */
  fix: string | null;
}

/** A number that the records of two cells have. */
export interface SharedNumber {
  number: string;
  cells: readonly [own: string, other: string];
}

export interface StoreFacts {
  engine: 'sqlite' | 'postgres';
  engineVersion: string;
  schemaVersion: number;
  /** Size of the store alone: media are separate files. */
  bytes: number;
}

/** A copy of the store in the data folder. */
export interface Backup {
  /** Name of its file. */
  name: string;
  at: EpochMs;
  bytes: number;
}

export interface BackupsNow {
  /** The newest first. */
  backups: Backup[];
  /** Since when a backup is being made; null when none is. */
  runningSince: EpochMs | null;
  /** The last failed backup since the start, and why. */
  failed: { at: EpochMs; detail: string } | null;
}

export type BackupStart =
  | { kind: 'started'; name: string }
  | { kind: 'running' }
  | { kind: 'no room'; neededBytes: number; freeBytes: number };

/** Backups of a store that is a file. */
export interface BackupService {
  folder: string;
  now(): Promise<BackupsNow>;
  start(): Promise<BackupStart>;
  /** Its bytes in pieces; null when no backup has this name. */
  read(name: string): { bytes: number; pieces(): AsyncIterable<Uint8Array> } | null;
  /** False when no backup has this name. */
  remove(name: string): boolean;
}

export interface CarrierState {
  carrierId: string;
  up: boolean;
  /** A paused carrier gets no messages, by a person's decision. */
  paused: boolean;
  /** Since when it has been up or down. */
  since: EpochMs;
  /** The adapter's last message about its link, at most 300 characters; null when there is none. */
  detail: string | null;
}
