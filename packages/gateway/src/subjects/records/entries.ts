/**
 * A valid records file with defaults filled in: one list for each kind of record. Types only; `file-schema.ts` has the
 * rules.
 */
import type { AlertRule } from '../../model/alert.ts';
import type { QuietHours } from '../../model/quiet-hours.ts';
import type { Account, ApiKey, Campaign, Environment, Route } from '../../model/records.ts';
import type { RouteHours } from '../../model/route-hours.ts';

/** A list left out of the file is empty. */
export interface RecordsFile {
  /** The code that confirms this file's removals, as `helio apply` shows it. */
  confirm?: string;
  accounts: AccountEntry[];
  numbers: NumberEntry[];
  campaigns: CampaignEntry[];
  keys: KeyEntry[];
  carriers: CarrierEntry[];
  routes: RouteEntry[];
  alerts: AlertEntry[];
}

export interface AccountEntry extends Omit<Account, 'accountId' | 'quietHours' | 'waitingSecondsMax'> {
  id: string;
  /** Left out = unchanged; null = none. */
  quietHours?: QuietHours | null;
  /** Left out = unchanged; null = the operator's. */
  waitingSecondsMax?: number | null;
}

export interface NumberEntry {
  number: string;
  account: string;
  environment: Environment;
  smsEnabled: boolean;
  /** Left out = the same as SMS. */
  mmsEnabled?: boolean;
  campaign: string | null;
  /** Left out = unchanged. */
  verified?: boolean;
  /** Of a name; left out = unchanged. */
  countries?: string[];
  messagesPerSecond: number;
}

export interface CampaignEntry {
  id: string;
  account: string;
  environment: Environment;
  /** Left out = the id; the same for keys and carriers. */
  name?: string;
  status: Campaign['status'];
  optOutText: string | null;
  optInText: string | null;
  helpText: string | null;
}

export interface KeyEntry extends Pick<ApiKey, 'scopes' | 'allowedIps' | 'exactShape' | 'requestsPerSecond' | 'burst'> {
  numbers: string[];
  dailyCap: number;
  id: string;
  account: string;
  environment: Environment;
  name?: string;
  bearerToken?: string;
  authToken?: string;
  generate: boolean;
  /** ISO 8601 with time zone. */
  expiresAt: string | null;
  revoked: boolean;
}

/** The settings of its kind are beside these fields, as in `carrier-schema.ts`; nested ones in an object. */
export interface CarrierEntry {
  readonly id: string;
  readonly name?: string;
  readonly kind: string;
  readonly enabled: boolean;
  readonly [setting: string]: unknown;
}

/** `id` is the kind; fields that are left out take the default. */
export interface AlertEntry extends Partial<Omit<AlertRule, 'alertId'>> {
  id: AlertRule['alertId'];
}

export interface RouteEntry extends Omit<Route, 'routeId' | 'carrierIds' | 'campaignId' | 'hours'> {
  id: string;
  campaign: string | null;
  hours: RouteHours | null;
  /** In failover order. */
  carriers: string[];
}
