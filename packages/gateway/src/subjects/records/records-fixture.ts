/** Shared by the tests of this folder: records in memory, a simulator's carriers, a records file to write. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mm7Settings, sandboxMm7Login } from '../../carriers/mm7/kind.ts';
import { sandboxCarrierLogin } from '../../carriers/smpp/kind.ts';
import type { SmppCarrierRecord, SmppProfile } from '../../carriers/smpp/profile.ts';
import { createSealer } from '../../kernel/sealing.ts';
import { keyOf } from '../../kernel/sealing-fixture.ts';
import type { RecordsEdit } from '../../messaging/store/records-items.ts';
import { type CarrierRecord, noRecords, type Records } from '../../model/records.ts';
import { type RecordLists, withRecords } from './kinds.ts';
import type { SimulatedCarrier } from './simulated-carriers.ts';

export interface MemoryRecords {
  records(): Promise<Records>;
  putRecords(changes: RecordLists): Promise<number>;
  editRecords(edit: Pick<RecordsEdit, 'version' | 'put'>): Promise<number | null>;
  /** The present records. */
  now(): Records;
  /** How often records were written. */
  writes(): number;
}

export function memoryRecords(): MemoryRecords {
  let version = 0;
  let lists = noRecords();
  const now = () => structuredClone({ ...lists, version });
  return {
    records: async () => now(),
    putRecords: async (changes) => {
      lists = structuredClone(withRecords(lists, changes));
      return ++version;
    },
    editRecords: async ({ version: seen, put }) => {
      if (seen !== version) return null;
      lists = structuredClone(withRecords(lists, { ...noRecords(), ...put }));
      return ++version;
    },
    now,
    writes: () => version,
  };
}

/** Where a simulator could receive MMS. */
export const simulatedMms = {
  mm7: { url: 'http://127.0.0.1:4000/mm7', ...sandboxMm7Login },
  mm4: { host: '127.0.0.1', port: 4001 },
};

/** The carriers of a simulator. */
export function simulatorAt(port: number, { mm7, mm4 }: typeof simulatedMms = simulatedMms): SimulatedCarrier[] {
  return [
    { carrierId: 'sim-carrier', address: { host: '127.0.0.1', port }, login: sandboxCarrierLogin },
    { carrierId: 'sim-mm7', address: { url: mm7.url }, login: mm7Settings(mm7) },
    { carrierId: 'sim-mm4', address: mm4, login: {} },
  ];
}

export const sealer = createSealer(keyOf(1));

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'helio-records-'));
}

/** Writes `content` (an object as JSON) and returns the path. */
export function recordsFile(content: unknown, folder: string = newFolder()): string {
  const path = join(folder, 'records.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** The profile of a carrier that must be an SMPP carrier. */
export function smppOf(carrier: CarrierRecord | undefined): SmppProfile {
  if (carrier?.kind !== 'smpp') throw new Error(`no carrier over SMPP but ${carrier?.kind}`);
  return (carrier as SmppCarrierRecord).smpp;
}
