/** Carriers as the gateway tells of them. Keeps nothing. */

import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveState } from '../../api/live';

export interface Bind {
  state: string;
  detail: string | null;
  window: number;
  inFlight: number;
  /** What it sent against its protocol since the start; absent where that is not counted. */
  protocolErrors?: number;
  /** Null where every connection is alike. */
  kind: 'transceiver' | 'transmitter' | 'receiver' | null;
  /** When it was bound, or lost; null where that is not told. */
  since: string | null;
  /** Null where no sign of life is told. */
  heardAt: string | null;
  enquireLinkAt: string | null;
}

/** What the carrier showed when a connection was last made. */
export interface Certificate {
  subject: string;
  issuer: string;
  names: string;
  validFrom: string;
  validTo: string;
  fingerprint256: string;
  /** Null while nobody needs to be warned; negative when it has ended. */
  daysLeft: number | null;
}

export interface Live {
  status: {
    up: boolean;
    binds: Bind[];
    certificate: Certificate | null;
    /** Shown on a connection that was refused for it; null once one stands. */
    refusedCertificate: Certificate | null;
    listening?: { host: string; port: number } | null;
  };
  since: string;
  detail: string | null;
  inFlight: number;
  outPerSecond: number;
  inPerSecond: number;
  outHistory: number[];
  accepted: number;
  receipts: number;
  /** Over a sample of parts taken a minute ago or longer; null while there are none. */
  reported: { looked: number; share: number; p50Ms: number | null } | null;
  responseP95Ms: number | null;
}

export interface Carrier {
  carrierId: string;
  name: string;
  kind: string;
  /** Of the kind, as people call it. */
  kindTitle: string;
  takes: ('SMS' | 'MMS')[];
  environment: 'sandbox' | 'live';
  enabled: boolean;
  isSimulated: boolean;
  settings: Record<string, unknown>;
  secrets: Record<string, boolean>;
  version: string;
  paused: boolean;
  live: Live | null;
  queue: { waiting: number; oldestAt: string | null };
  limit: string;
  usesTls: boolean;
  /** Where they are not asked for, none that is missing says anything. */
  asksForReceipts: boolean;
  /** It keeps connections that can be tried at once. */
  canRetry: boolean;
  log: { until: string | null } | null;
}

/** Figures are looked at this often; a changed link is told by the stream at once. */
const figuresEveryMs = 3_000;

export function useCarriers() {
  const paused = useLiveState() === 'paused';
  return useQuery({
    queryKey: ['carriers'],
    queryFn: async () => (await api.get<Carrier[]>('/carriers')).data,
    refetchInterval: paused ? false : figuresEveryMs,
  });
}

/** One word of the status vocabulary. */
export function stateOf({ enabled, paused, live }: Pick<Carrier, 'enabled' | 'paused' | 'live'>): string {
  if (!enabled) return 'disabled';
  if (live === null) return 'connecting';
  if (!live.status.up) return live.detail === null ? 'connecting' : 'down';
  return paused ? 'paused' : 'up';
}

/** The same for one connection, of which a carrier tells in the words of its protocol. */
export function bindStateOf(state: string): string {
  if (/^(?:bound_|reachable)/.test(state)) return 'up';
  if (state === 'stopped') return 'disabled';
  return ['lost', 'unreachable', 'waiting', 'blocked'].includes(state) ? 'down' : 'connecting';
}

/** The last sign of life of a carrier's connections, and whether it was an enquire_link; null where none is told. */
export function lastSign(binds: readonly Pick<Bind, 'heardAt' | 'enquireLinkAt'>[]): LastSign | null {
  const newest = (times: (string | null)[]) =>
    times
      .filter((at) => at !== null)
      .sort()
      .at(-1) ?? null;
  const heardAt = newest(binds.map((bind) => bind.heardAt));
  const linkAt = newest(binds.map((bind) => bind.enquireLinkAt));
  if (heardAt === null) return null;
  // On a busy connection nobody asks: whatever comes is a sign.
  const isLink = linkAt !== null && Date.parse(heardAt) - Date.parse(linkAt) < 1_000;
  return { at: isLink ? linkAt : heardAt, isLink };
}

export interface LastSign {
  at: string;
  isLink: boolean;
}

/** A link that waits for its next try, or is not tried any more. */
export function isDown({ canRetry, live }: Pick<Carrier, 'canRetry' | 'live'>): boolean {
  return canRetry && live !== null && !live.status.up;
}
