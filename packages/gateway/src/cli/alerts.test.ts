import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { runHelio } from './program.ts';

it('helio alerts shows what fires, and the history, beside a running node', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'helio-alerts-'));
  const store = await openStore({ dataDir, role: 'node', clock });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const helio = async (...args: string[]) => {
    let out = '';
    const terminal = {
      out: (text: string) => {
        out += text;
      },
      error: () => {},
      env: { HELIO_DATA: dataDir },
    };
    expect(await runHelio(['alerts', ...args], terminal)).toBe(0);
    return out;
  };
  expect(await helio()).toBe('No alert fires.\n');
  expect(await helio('--history')).toBe('No alert has fired.\n');
  const firedAt = Date.UTC(2026, 10, 21, 7);
  const alert = (alertId: string, subject: string, isTold: boolean) => ({
    ...{ alertId, subject, isTold, firedAt, kind: 'link' as const, environment: 'live' as const },
    ...{ value: 100, limit: 100, detail: `Carrier ${subject} cannot be reached.`, resolvedAt: null },
  });
  await store.stepAlerts([
    { step: 'fire', alert: alert('alr_1', 'east', true), events: [], mail: false },
    { step: 'fire', alert: alert('alr_2', 'west', false), events: [], mail: false },
    { step: 'resolve', alertId: 'alr_1', at: firedAt + 90_000, events: [], mail: false },
  ]);
  const west = '2026-11-21T07:00:00.000Z  fires  link (silenced)  Carrier west cannot be reached.\n';
  const east = '2026-11-21T07:00:00.000Z  until 2026-11-21T07:01:30.000Z  link  Carrier east cannot be reached.\n';
  expect(await helio()).toBe(west);
  expect(await helio('--history')).toBe(west + east);
  expect(JSON.parse(await helio('--json'))).toMatchObject({ alertId: 'alr_2', kind: 'link' });
});
