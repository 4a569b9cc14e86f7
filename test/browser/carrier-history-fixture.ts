/** Carriers with two days of history: one got worse since yesterday, one is slower, one is as it was and had a gap. */
import { mkdirSync } from 'node:fs';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import { createIds } from '../../packages/gateway/src/kernel/ids.ts';
import { machineClock, machineRandom } from '../../packages/gateway/src/kernel/machine.ts';
import { type HistoryRow, historyHourMs as hour } from '../../packages/gateway/src/model/carrier-history.ts';
import { delayBucketOf } from '../../packages/gateway/src/model/delay-buckets.ts';
import { createServer } from '../../packages/smpp/src/index.ts';

export const carrierIds = ['telco-a', 'telco-b', 'telco-c'] as const;
type CarrierId = (typeof carrierIds)[number];

/** A message centre that every carrier binds to, and the records of the carriers. */
export async function startCarriers() {
  const smsc = createServer({ system_id: 'smsc' }, { authenticate: () => 0, onRequest: () => {} });
  const { port } = await smsc.listen(0);
  const carriers = carrierIds.map((id) => ({
    id,
    host: '127.0.0.1',
    port,
    system_id: id,
    password: 'unseen',
    tls: false,
  }));
  return { records: { carriers }, close: () => smsc.close() };
}

/** `hoursAgo` 0 is the hour under way. */
function hourOf(id: CarrierId, hoursAgo: number, now: number): HistoryRow | null {
  // The gateway was off for three hours last night.
  if (hoursAgo >= 9 && hoursAgo < 12) return null;
  const at = Math.floor(now / hour) * hour - hoursAgo * hour;
  const watchedMs = hoursAgo === 0 ? now - at : hour;
  const wave = 1 + Math.sin((hoursAgo / 24) * 2 * Math.PI) / 3;
  const taken = Math.round((id === 'telco-b' ? 900 : 400) * wave * (watchedMs / hour));
  const isWorse = id === 'telco-a' && hoursAgo < 8;
  const refused = Math.round(taken * (isWorse ? 0.12 : 0.004));
  const undelivered = Math.round(taken * 0.02);
  const delayMs = id === 'telco-c' && hoursAgo < 24 ? 9_000 : 1_800;
  return {
    carrierId: id,
    at,
    figures: {
      ...{
        taken,
        refused,
        undelivered,
        delivered: taken - undelivered - Math.round(taken * 0.01),
        watchedMs,
        upMs: watchedMs,
      },
      ...{
        windowUsed: Math.round(720 * 3 * wave),
        windowSize: 7_200,
        windowPeak: 9,
        queueLooks: 60,
        queued: 30,
        queuedPeak: 4,
      },
      ...(isWorse && { throttledMs: watchedMs / 4, throttled: 9, uncertain: 3, resolved: 2 }),
    },
    counts: [
      { part: 'refused', name: isWorse ? 'CARRIER_REJECTED' : 'UNREACHABLE', count: refused },
      { part: 'undelivered', name: 'UNREACHABLE', count: undelivered },
      { part: 'delay', name: String(delayBucketOf(delayMs)), count: taken },
      { part: 'delay', name: String(delayBucketOf(delayMs * 3)), count: Math.round(taken / 12) },
    ],
  };
}

/** Two days of history, and an alert that fired and ended this morning. */
export async function writeHistory(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const store = await openStore({ dataDir, role: 'node', clock: machineClock });
  const now = machineClock.now();
  const hours = Array.from({ length: 48 }, (_, hoursAgo) =>
    carrierIds.flatMap((id) => hourOf(id, hoursAgo, now) ?? []),
  );
  await store.addCarrierHistory({ rows: hours.flat(), demo: '' });
  const firedAt = now - 5 * hour;
  const alertId = createIds({ ...machineClock, now: () => firedAt }, machineRandom).next('alr_');
  const alert = {
    ...{
      alertId,
      kind: 'errors' as const,
      subject: 'telco-a',
      environment: 'live' as const,
      value: 24,
      limit: 20,
      firedAt,
    },
    ...{ detail: 'Carrier telco-a refused 24 % of 120 tries.', resolvedAt: null, isTold: true },
  };
  await store.stepAlerts([
    { step: 'fire', alert, events: [], mail: false },
    { step: 'resolve', alertId, at: firedAt + hour, events: [], mail: false },
  ]);
  await store.close();
}
