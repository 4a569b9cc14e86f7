/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { RoutedTime, RuleHours } from './messages';

export interface RoutingRule {
  routeId: string;
  environment: 'sandbox' | 'live';
  prefix: string;
  number: string | null;
  kind: 'SMS' | 'MMS' | null;
  campaignId?: string;
  hours?: RuleHours;
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
  local: RoutedTime;
  timeZone: string;
  rules: {
    routeId: string;
    route: {
      number: string | null;
      routeId: string;
      environment: 'sandbox' | 'live';
      prefix: string;
      kind: 'SMS' | 'MMS' | null;
      campaignId?: string;
      hours?: RuleHours;
      weight: number;
      priority: number;
      carrierIds: string[];
    };
    misses: ('number' | 'campaign' | 'environment' | 'prefix' | 'kind' | 'hours')[];
    share: number;
    carriers: { carrierId: string; name: string; enabled: boolean; takesKind: boolean; up: boolean; paused: boolean }[];
  }[];
  outcome: string;
}

export interface RuleCampaign {
  campaignId: string;
  name: string;
  environment: 'sandbox' | 'live';
  company: string;
}

export interface RuleVersion {
  version: number;
  at: string;
  who: string;
  routes: {
    number: string | null;
    routeId: string;
    environment: 'sandbox' | 'live';
    prefix: string;
    kind: 'SMS' | 'MMS' | null;
    campaignId?: string;
    hours?: RuleHours;
    weight: number;
    priority: number;
    carrierIds: string[];
  }[];
}

export interface RuleImpact {
  untaken: RuleUntaken[];
  looked: number;
  same: number;
  moves: {
    before: RuleCarrier[];
    after: RuleCarrier[];
    count: number;
    examples: {
      messageId: string;
      environment: 'sandbox' | 'live';
      campaignId?: string | null;
      local: RoutedTime;
      from: string;
      to: string;
      kind: string;
    }[];
  }[];
}

export interface RuleUntaken {
  routeId: string;
  prefix: string;
  kinds: ('SMS' | 'MMS')[];
}

export interface RuleCarrier {
  carrierId: string | null;
  share: number;
}

export interface RoutesRoutes {
  'GET /routes': {
    query: Record<never, never>;
    body: undefined;
    answer: RoutingRule[];
  };
  'GET /routes/campaigns': {
    query: Record<never, never>;
    body: undefined;
    answer: RuleCampaign[];
  };
  'GET /routes/history': {
    query: Record<never, never>;
    body: undefined;
    answer: RuleVersion[];
  };
  'POST /routes/draft': {
    query: Record<never, never>;
    body: { routes?: unknown; move?: unknown };
    answer: RoutingRule[];
  };
  'POST /routes/impact': {
    query: Record<never, never>;
    body: { routes?: unknown };
    answer: RuleImpact;
  };
  'POST /routes/publish': {
    query: Record<never, never>;
    body: { routes?: unknown; base?: unknown; confirmed?: unknown };
    answer: RoutingRule[];
  };
  'POST /routes/test': {
    query: Record<never, never>;
    body: { from: string; to: string; kind: 'SMS' | 'MMS'; when?: unknown };
    answer: RuleTest;
  };
}
