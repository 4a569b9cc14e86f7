/**
 * A records file as its author writes it, once it is valid and the defaults are in: one list for each kind of record.
 * Types only; `file-schema.ts` says what is valid.
 */
import type { Account, ApiKey, Campaign, CarrierRecord, Environment, Route, SmppProfile } from '../domain/records.ts';

/** A list left out of the file is empty. */
export interface RecordsFile {
  accounts: AccountEntry[];
  numbers: NumberEntry[];
  campaigns: CampaignEntry[];
  keys: KeyEntry[];
  carriers: CarrierEntry[];
  routes: RouteEntry[];
}

export interface AccountEntry extends Omit<Account, 'accountId'> {
  id: string;
}

export interface NumberEntry {
  number: string;
  account: string;
  environment: Environment;
  smsEnabled: boolean;
  /** Left out = as SMS. */
  mmsEnabled?: boolean;
  campaign: string | null;
  messagesPerSecond: number;
}

export interface CampaignEntry {
  id: string;
  account: string;
  environment: Environment;
  /** Left out = the id; so for keys and carriers. */
  name?: string;
  status: Campaign['status'];
  optOutText: string | null;
  optInText: string | null;
  helpText: string | null;
}

export interface KeyEntry extends Pick<ApiKey, 'scopes' | 'allowedIps' | 'exactShape' | 'requestsPerSecond' | 'burst'> {
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

export interface CarrierEntry extends Omit<SmppProfile, 'password'> {
  id: string;
  kind: CarrierRecord['kind'];
  name?: string;
  enabled: boolean;
  password?: string;
  /** Relative to the folder of the records file. */
  passwordFile?: string;
  passwordEnv?: string;
}

export interface RouteEntry extends Omit<Route, 'routeId' | 'carrierIds'> {
  id: string;
  /** In failover order. */
  carriers: string[];
}
