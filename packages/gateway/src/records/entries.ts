/**
 * A records file as its author writes it, once it is valid and the defaults are in: one list for each kind of record.
 * Types only; `file-schema.ts` says what is valid.
 */
import type { Mm7Schema } from '@heliograph/mms';
import type { QuietHours } from '../domain/quiet-hours.ts';
import type {
  Account,
  ApiKey,
  Campaign,
  Environment,
  Mm4Profile,
  Mm7Profile,
  Route,
  SmppProfile,
} from '../domain/records.ts';
import type { RouteHours } from '../domain/route-hours.ts';

/** A list left out of the file is empty. */
export interface RecordsFile {
  accounts: AccountEntry[];
  numbers: NumberEntry[];
  campaigns: CampaignEntry[];
  keys: KeyEntry[];
  carriers: CarrierEntry[];
  routes: RouteEntry[];
}

export interface AccountEntry extends Omit<Account, 'accountId' | 'quietHours'> {
  id: string;
  /** Left out = as they are on record; null = none. */
  quietHours?: QuietHours | null;
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

/** At most one of them. */
export interface PasswordSource {
  password?: string;
  /** Relative to the folder of the records file. */
  passwordFile?: string;
  passwordEnv?: string;
}

interface CommonCarrierEntry extends PasswordSource {
  id: string;
  name?: string;
  enabled: boolean;
}

export interface SmppCarrierEntry extends CommonCarrierEntry, Omit<SmppProfile, 'password'> {
  kind: 'smpp';
}

/** PEM files, relative to the folder of the records file. */
interface PemFiles {
  caCertificateFile?: string;
  clientCertificateFile?: string;
  clientKeyFile?: string;
}

type PemField = 'caCertificate' | 'clientCertificate' | 'clientKey';

export interface Mm7CarrierEntry
  extends CommonCarrierEntry,
    PemFiles,
    Omit<Mm7Profile, PemField | 'password' | 'version' | 'inbound'> {
  kind: 'mm7';
  schema: Mm7Schema;
  /** Left out = that of the schema. */
  version?: string;
  inbound: Omit<Mm7Profile['inbound'], 'password'> & PasswordSource;
}

export interface Mm4CarrierEntry
  extends CommonCarrierEntry,
    Pick<PemFiles, 'caCertificateFile'>,
    Omit<Mm4Profile, PemField | 'password'> {
  kind: 'mm4';
}

export type CarrierEntry = SmppCarrierEntry | Mm7CarrierEntry | Mm4CarrierEntry;

export interface RouteEntry extends Omit<Route, 'routeId' | 'carrierIds' | 'campaignId' | 'hours'> {
  id: string;
  campaign: string | null;
  hours: RouteHours | null;
  /** In failover order. */
  carriers: string[];
}
