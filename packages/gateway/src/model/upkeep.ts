/** Facts about the gateway's machine: version, health, backups. Plain data. */
import type { EpochMs } from '../kernel/clock.ts';

/** One look at something, and what would make it well. */
export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
  /** What to do; null when nothing is. */
  fix: string | null;
}

export interface StoreFacts {
  engine: 'sqlite' | 'postgres';
  engineVersion: string;
  schemaVersion: number;
  /** Of the store alone: media are files of their own. */
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
  /** Since when one is being made. */
  runningSince: EpochMs | null;
  /** The last one that could not be made since the start, in words. */
  failed: { at: EpochMs; detail: string } | null;
}

export type BackupStart =
  | { kind: 'started'; name: string }
  | { kind: 'running' }
  | { kind: 'no room'; neededBytes: number; freeBytes: number };

/** The backups of a store that is a file. */
export interface BackupService {
  folder: string;
  now(): Promise<BackupsNow>;
  start(): Promise<BackupStart>;
  /** Its bytes piece by piece; null when there is none of this name. */
  read(name: string): { bytes: number; pieces(): AsyncIterable<Uint8Array> } | null;
  /** False when there is none of this name. */
  remove(name: string): boolean;
}

export interface CarrierState {
  carrierId: string;
  up: boolean;
  /** A paused carrier is handed nothing, on purpose. */
  paused: boolean;
  /** Since when it has been up or down. */
  since: EpochMs;
  /** The adapter's last words on its link, at most 300 characters; null when it said nothing. */
  detail: string | null;
}
