/** Carriers, from the gateway. */

import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveState } from '../../api/live';
import type { CarrierBind, CarrierShown } from '../../api/routes/carriers';

/** How often figures are fetched; the stream reports a changed link at once. */
const figuresEveryMs = 3_000;

export function useCarriers() {
  const paused = useLiveState() === 'paused';
  return useQuery({
    queryKey: ['carriers'],
    queryFn: async () => (await api.get('/carriers')).data,
    refetchInterval: paused ? false : figuresEveryMs,
  });
}

/** The state in the status vocabulary. */
export function stateOf({ enabled, paused, live }: Pick<CarrierShown, 'enabled' | 'paused' | 'live'>): string {
  if (!enabled) return 'disabled';
  if (live === null) return 'connecting';
  if (!live.status.up) return live.detail === null ? 'connecting' : 'down';
  return paused ? 'paused' : 'up';
}

/** The same for one connection, whose state is in the words of its protocol. */
export function bindStateOf(state: string): string {
  if (/^(?:bound_|reachable)/.test(state)) return 'up';
  if (state === 'stopped') return 'disabled';
  return ['lost', 'unreachable', 'waiting', 'blocked'].includes(state) ? 'down' : 'connecting';
}

/** The last sign of life of a carrier's connections, and whether it was an enquire_link; null when there is none. */
export function lastSign(binds: readonly Pick<CarrierBind, 'heardAt' | 'enquireLinkAt'>[]): LastSign | null {
  const newest = (times: (string | null)[]) =>
    times
      .filter((at) => at !== null)
      .sort()
      .at(-1) ?? null;
  const heardAt = newest(binds.map((bind) => bind.heardAt));
  const linkAt = newest(binds.map((bind) => bind.enquireLinkAt));
  if (heardAt === null) return null;
  // A busy connection sends no enquire_link: any traffic is a sign of life.
  const isLink = linkAt !== null && Date.parse(heardAt) - Date.parse(linkAt) < 1_000;
  return { at: isLink ? linkAt : heardAt, isLink };
}

export interface LastSign {
  at: string;
  isLink: boolean;
}

/** A link that waits for its next attempt, or is no longer tried. */
export function isDown({ canRetry, live }: Pick<CarrierShown, 'canRetry' | 'live'>): boolean {
  return canRetry && live !== null && !live.status.up;
}
