/** Routing rules from the gateway. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface Hours {
  days: Weekday[];
  from: string;
  to: string;
}

/** In the local time of the sending company. */
export interface LocalTime {
  day: Weekday;
  clock: string;
}

export type MessageKind = 'SMS' | 'MMS';

export interface Rule {
  routeId: string;
  environment: 'sandbox' | 'live';
  prefix: string;
  number: string | null;
  kind: MessageKind | null;
  /** Absent: any. */
  campaignId?: string;
  /** Absent: always. */
  hours?: Hours;
  weight: number;
  priority: number;
  carrierIds: string[];
  version: string;
  moves: { up: boolean; down: boolean };
}

export interface RuleTest {
  environment: 'sandbox' | 'live';
  isKnownSender: boolean;
  campaignId: string | null;
  local: LocalTime;
  timeZone: string;
  rules: {
    routeId: string;
    route: Omit<Rule, 'version' | 'moves'>;
    misses: ('environment' | 'prefix' | 'number' | 'kind' | 'campaign' | 'hours')[];
    share: number;
    carriers: { carrierId: string; name: string; enabled: boolean; takesKind: boolean; up: boolean; paused: boolean }[];
  }[];
  outcome: string;
}

/** Whether a carrier of the rule is enabled and takes such a message. */
export function canTake({ carriers }: Pick<RuleTest['rules'][number], 'carriers'>): boolean {
  return carriers.some(({ enabled, takesKind }) => enabled && takesKind);
}

/** `part`: some of the rules that share it refuse it. */
export function refusalOf({ rules }: Pick<RuleTest, 'rules'>): 'none' | 'part' | 'all' {
  const chosen = rules.filter(({ share }) => share > 0);
  const taking = chosen.filter(canTake).length;
  if (taking === 0) return 'all';
  return taking < chosen.length ? 'part' : 'none';
}

export interface RuleVersion {
  version: number;
  at: string;
  /** '' for the state before the first recorded change. */
  who: string;
  routes: Omit<Rule, 'version' | 'moves'>[];
}

export interface Way {
  carrierId: string | null;
  share: number;
}

/** A rule for these kinds, none of which its carriers take. */
export interface Untaken {
  routeId: string;
  prefix: string;
  kinds: MessageKind[];
}

export interface Impact {
  untaken: Untaken[];
  looked: number;
  same: number;
  moves: {
    before: Way[];
    after: Way[];
    count: number;
    examples: { messageId: string; from: string; to: string; kind: string }[];
  }[];
}

/** Over all companies: a rule may name any of them. */
export function useAllCampaigns() {
  return useQuery({
    queryKey: ['routes', 'campaigns'],
    queryFn: async () => (await api.get('/routes/campaigns')).data,
  });
}

export function useRules() {
  return useQuery({ queryKey: ['routes'], queryFn: async () => (await api.get('/routes')).data });
}

/**
 * The gateway's check before rules are published, shown while they are edited. A kind that no carrier of the
 * environment takes is not the rule's fault.
 */
export function untakenBy(
  { environment, kind, carrierIds }: { environment: string; kind: string; carrierIds: readonly string[] },
  carriers: readonly { carrierId: string; environment: string; takes: readonly MessageKind[] }[],
): MessageKind[] {
  const there = carriers.filter((carrier) => carrier.environment === environment);
  const own = there.filter(({ carrierId }) => carrierIds.includes(carrierId));
  const isTaken = (by: typeof there, one: MessageKind) => by.some(({ takes }) => takes.includes(one));
  if (own.length === 0) return [];
  return (['SMS', 'MMS'] as const).filter(
    (one) => (kind === '' || kind === one) && isTaken(there, one) && !isTaken(own, one),
  );
}
