/** Routing rules as the gateway tells of them. Keeps nothing. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

export interface Rule {
  routeId: string;
  environment: 'sandbox' | 'live';
  prefix: string;
  number: string | null;
  kind: 'SMS' | 'MMS' | null;
  weight: number;
  priority: number;
  carrierIds: string[];
  version: string;
  moves: { up: boolean; down: boolean };
}

export interface RuleTest {
  environment: 'sandbox' | 'live';
  isKnownSender: boolean;
  rules: {
    routeId: string;
    route: Omit<Rule, 'version' | 'moves'>;
    misses: ('environment' | 'prefix' | 'number' | 'kind')[];
    share: number;
    carriers: { carrierId: string; enabled: boolean; takesKind: boolean; up: boolean; paused: boolean }[];
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

export function useRules() {
  return useQuery({ queryKey: ['routes'], queryFn: async () => (await api.get<Rule[]>('/routes')).data });
}
