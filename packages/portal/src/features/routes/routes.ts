/** Routing rules as the gateway tells of them. Keeps nothing. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface Hours {
  days: Weekday[];
  from: string;
  to: string;
}

/** As the clock on the wall of the sending company shows it. */
export interface LocalTime {
  day: Weekday;
  clock: string;
}

export interface Rule {
  routeId: string;
  environment: 'sandbox' | 'live';
  prefix: string;
  number: string | null;
  kind: 'SMS' | 'MMS' | null;
  /** Left out: any. */
  campaignId?: string;
  /** Left out: always. */
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

export interface RuleVersion {
  version: number;
  at: string;
  /** '' for what was there before the first change that was kept. */
  who: string;
  routes: Omit<Rule, 'version' | 'moves'>[];
}

export interface Way {
  carrierId: string | null;
  share: number;
}

export interface Impact {
  looked: number;
  same: number;
  moves: {
    before: Way[];
    after: Way[];
    count: number;
    examples: { messageId: string; from: string; to: string; kind: string }[];
  }[];
}

/** Of all companies: a rule may ask for any of them. */
export function useAllCampaigns() {
  return useQuery({
    queryKey: ['routes', 'campaigns'],
    queryFn: async () => (await api.get<RuleCampaign[]>('/routes/campaigns')).data,
  });
}

export interface RuleCampaign {
  campaignId: string;
  name: string;
  environment: 'sandbox' | 'live';
  company: string;
}

export function useRules() {
  return useQuery({ queryKey: ['routes'], queryFn: async () => (await api.get<Rule[]>('/routes')).data });
}
