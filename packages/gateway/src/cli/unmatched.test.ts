import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { helio } from './helio-fixture.ts';

const unmatched = (dataDir: string, ...args: string[]) => helio(['unmatched', ...args], { HELIO_DATA: dataDir });

describe('helio unmatched', () => {
  it('shows receipts that fit no message, beside a running node', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helio-unmatched-'));
    const store = await openStore({ dataDir, role: 'node', clock });
    onTestFinished(async () => {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    });
    expect(await unmatched(dataDir)).toEqual({ code: 0, out: 'No receipt is unmatched.\n', error: '' });
    await store.receipts([
      {
        carrier: 'telco-a',
        carrierMessageId: '0A1B',
        idKeys: ['0A1B', 'a1b'],
        to: '14155550100',
        state: 'delivered',
        code: 'DELIVERED',
        carrierCode: '000',
        raw: 'id:0A1B stat:DELIVRD',
        receivedAt: Date.UTC(2026, 10, 21, 7),
      },
    ]);
    const line = '2026-11-21T07:00:00.000Z  telco-a  id 0A1B  for 14155550100  delivered  "id:0A1B stat:DELIVRD"\n';
    expect((await unmatched(dataDir)).out).toBe(line);
    expect(JSON.parse((await unmatched(dataDir, '--json')).out)).toMatchObject({ carrierMessageId: '0A1B' });
  });

  it('says what is wrong when there is no store to read', async () => {
    const { code, out, error } = await unmatched(fileURLToPath(import.meta.url));
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(error).not.toBe('');
  });
});
