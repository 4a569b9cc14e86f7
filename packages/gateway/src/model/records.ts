/**
 * The records: accounts, numbers, campaigns, key pairs, carriers, routes; and the operator's alert rules. Sandbox seed,
 * `helio apply` and the portal edit the same ones. Plain data.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, KeyId } from '../kernel/ids.ts';
import type { AlertRule } from './alert.ts';
import type { Environment } from './environment.ts';
import type { EventType } from './event-type.ts';
import type { Evidence } from './evidence.ts';
import type { QuietHours } from './quiet-hours.ts';
import type {
  Brand,
  CampaignHistoryEntry,
  CampaignStatus,
  CarrierStatuses,
  Pacing,
  Registration,
  SubmittedVersion,
} from './registration.ts';
import type { RepeatLimits } from './repeats.ts';
import type { RouteHours } from './route-hours.ts';
import type { SecondFactorRule } from './second-factor-rule.ts';

export type { Environment } from './environment.ts';
export type { CampaignStatus } from './registration.ts';

export type MessageKind = 'SMS' | 'MMS';

export interface Account extends RepeatLimits {
  accountId: AccountId;
  name: string;
  status: 'active' | 'suspended';
  /** ISO 3166-1 alpha-2 codes that may be texted, or ['*'] for all. */
  destinations: string[];
  /** The destinations that the company's own people may choose from, set by the operator; absent = `destinations`. */
  destinationsMax?: string[];
  /** Whether messages to premium-rate and known fraud ranges are stopped; absent = on. */
  fraudGuard?: 'on' | 'off';
  /** Whether the company's people may turn the guard off; absent = false, and then it is on. */
  fraudGuardOptional?: boolean;
  /** What happens to an `uncertain` message without a receipt: sent again (marked dupRisk) or held for a person. */
  uncertainPolicy: 'resend' | 'hold';
  /** Typographic characters are replaced by GSM look-alikes when that makes the whole text GSM-7. */
  smartEncoding: boolean;
  /** Requests per second over all keys of the account; 0 = no limit. */
  requestsPerSecond: number;
  /**
   * How long its messages may wait for a carrier, in seconds; while the estimate is above it, nothing more is accepted.
   * 0 = no limit, absent = the operator's.
   */
  waitingSecondsMax?: number;
  /** What happens to an MMS whose recipient cannot take one: nothing, or its text and links are sent as an SMS. */
  mmsFallback: 'none' | 'links';
  /** What happens to an animation that fits its carrier only as a still picture; absent = it is sent as one. */
  animations?: 'still' | 'refuse';
  /** Where recipients get help, as sent in the answer to HELP (telephone, e-mail or web address). */
  supportContact: string;
  /** Prices, in any order; none = usage without cost. */
  rates?: Rate[];
  /** How long messages are kept; absent = the defaults of retention.ts. */
  retention?: Retention;
  /**
   * The most it wants to spend in a calendar month (UTC), in the currency of its rates: decimal text. It only causes a
   * warning.
   */
  monthlyBudget?: string;
  /** IANA name: the time zone for people who chose none; absent = the browser's. */
  timeZone?: string;
  /** Which roles need a second factor to sign in; absent = none. */
  secondFactor?: SecondFactorRule;
  /** When its messages wait; absent = never. */
  quietHours?: QuietHours;
  /** Minimum length of passwords that its people choose from now on; absent = `passwordCharacters.min`. */
  passwordCharactersMin?: number;
  /** The default of `exactShape` for new key pairs; absent = false. */
  exactShapeDefault?: boolean;
}

/** In days since a message was accepted. Messages that are not final stay. */
export interface Retention {
  /** After this, texts and media addresses are deleted. */
  bodyDays: number;
  /** After this, the message and everything about it is deleted. Not less than `bodyDays`. */
  metadataDays: number;
}

/** Prices of messages from a day on, until a later rate begins. */
export interface Rate {
  /** UTC day, `YYYY-MM-DD`. */
  from: string;
  /** ISO 4217; the same for all rates of an account. */
  currency: string;
  /** Decimal text with at most six decimal places. */
  smsPerSegment: string;
  mmsPerMessage: string;
}

export interface SendingNumber {
  /** E.164 digits without plus, a short code of 5–6 digits, or a name. */
  number: string;
  accountId: AccountId;
  environment: Environment;
  smsEnabled: boolean;
  mmsEnabled: boolean;
  campaignId: string | null;
  /**
   * Of a toll-free number or short code: the carriers have verified it, or provisioned its program, so it sends without
   * a campaign. An operator records it.
   */
  verified?: boolean;
  /** Of a name: where it may send, ISO 3166-1 codes. It needs no campaign, takes no MMS, and gets no replies. */
  countries?: string[];
  /** Recipients per second accepted for this number; a request above it is refused with RATE_LIMITED. 0 = no limit. */
  messagesPerSecond: number;
  /** For people. */
  name?: string;
}

export interface Campaign {
  campaignId: string;
  accountId: AccountId;
  environment: Environment;
  name: string;
  status: CampaignStatus;
  /** Registered answers to keywords; null = the product's template, filled with the account's name and support contact. */
  optOutText: string | null;
  optInText: string | null;
  helpText: string | null;
  /** The data registered with the carriers; none = the campaign came from a records file or an earlier version. */
  registration?: Registration;
  /** How fast its messages may be sent; none = no limit. */
  pacing?: Pacing;
  carriers?: CarrierStatuses;
  /** Oldest first. */
  history?: CampaignHistoryEntry[];
  /** Oldest first. */
  versions?: SubmittedVersion[];
  /** Oldest first. */
  evidence?: Evidence[];
  /** When it was last edited in the portal; absent = it was not, or by an earlier version. */
  changedAt?: EpochMs;
}

export type KeyScope = 'send' | 'read' | 'admin';

/** The part of a token that may be shown to recognise it. Gives no access. */
export interface TokenHint {
  /** Everything before its secret part, such as `bt_sbx_0123456789`. */
  prefix: string;
  last4: string;
}

/** A pair of credentials that belong together. Only their hashes are stored. */
export interface ApiKey {
  keyId: KeyId;
  accountId: AccountId;
  environment: Environment;
  name: string;
  /** SHA-256 of the Bearer Token and of the Auth Token, lower-case hex. */
  bearerHash: string;
  authHash: string;
  /** Absent: created before hints existed, or chosen by hand. */
  bearerHint?: TokenHint;
  authHint?: TokenHint;
  scopes: KeyScope[];
  /** Sending numbers it may send from; absent or empty = all of the account. */
  numbers?: string[];
  /** Messages accepted in a UTC day; absent or 0 = no cap. */
  dailyCap?: number;
  /** Addresses or CIDR blocks from which the pair may be used; empty = anywhere. */
  allowedIps: string[];
  /** Answers hold only the contract's fields. */
  exactShape: boolean;
  /** Requests per second and burst of this key; 0 = no limit. */
  requestsPerSecond: number;
  burst: number;
  createdAt: EpochMs;
  /** E-mail address of the person who created it; absent = a records file or the gateway did. */
  createdBy?: string;
  /** The pair stops working at this time; null = never. */
  expiresAt: EpochMs | null;
  revokedAt: EpochMs | null;
  /** After a rotation: the pair that replaces this one. */
  replacedBy?: string;
  /** After a rotation: the first pair of the row, whose daily count all of them share. */
  countsWith?: KeyId;
}

/** The settings that every kind of carrier has. */
export interface CarrierProfile extends RepeatLimits {
  /**
   * Requests that may wait for an answer at once: for each bind where connections stay open, else over all connections.
   */
  window: number;
  /** Parts or messages per second over all connections; 0 = no limit. */
  messagesPerSecond: number;
  /** Of several cells: what this one does not use of that rate it lends to others, and borrows theirs. */
  lendRate?: boolean;
  responseTimeoutMs: number;
}

/** The part shared by all kinds; each kind keeps its own settings in the field named after it. */
export interface CarrierRecord {
  carrierId: string;
  environment: Environment;
  name: string;
  enabled: boolean;
  /** One of `carriers/kinds.ts`. */
  kind: string;
}

/** The kinds of message that a carrier takes; `carriers/kinds.ts` knows it by the carrier's kind. */
export type TakenBy = (carrier: CarrierRecord) => readonly MessageKind[];

export function profileOf(record: CarrierRecord): CarrierProfile {
  return (record as unknown as Readonly<Record<string, CarrierProfile>>)[record.kind]!;
}

/** One routing rule. The longest matching prefix wins, then the most conditions, then `priority` (low first). */
export interface Route {
  routeId: string;
  environment: Environment;
  /** The first digits of the recipient; '' matches all. */
  prefix: string;
  /** Only for this sending number; null = any. */
  number: string | null;
  /** Only for this kind; null = any. */
  kind: MessageKind | null;
  /** Only for numbers of this campaign; absent = any. */
  campaignId?: string;
  /** Only at these times, in the time zone of the sending account; absent = always. */
  hours?: RouteHours;
  /** Share among equal rules. */
  weight: number;
  priority: number;
  /** Carriers in failover order. */
  carrierIds: string[];
}

/** A secret that signs webhooks, `whsec_…`, encrypted in the store. */
export interface EndpointSecret {
  secret: string;
  /** It stops signing at this time; null = never. */
  expiresAt: EpochMs | null;
  /** It signs from this time on; absent in records of earlier versions: since the endpoint was created. */
  since?: EpochMs;
}

/** A destination of webhooks. */
export interface Endpoint {
  /** `ep_…` */
  endpointId: string;
  accountId: AccountId;
  environment: Environment;
  /** For people. */
  name: string;
  url: string;
  /** Types sent here; null = all. */
  types: EventType[] | null;
  /** `standard`: Standard Webhooks, `{type, timestamp, data}`; `flat`: the one object of older clients. */
  format: 'standard' | 'flat';
  /** Only events of this sending number; null = any. */
  number: string | null;
  /** Only events of this campaign's numbers; null = any. */
  campaignId: string | null;
  /** Sent with every attempt; the value is encrypted in the store. */
  header: { name: string; value: string } | null;
  /**
   * How long an attempt waits for its answer; null, or absent in records of earlier versions:
   * `webhookTimeoutMs.default`.
   */
  timeoutMs?: number | null;
  /** Newest first; at least one. */
  secrets: EndpointSecret[];
  createdAt: EpochMs;
  /** Null while it is enabled. While disabled, its deliveries wait, at most 30 days. */
  disabled: null | { at: EpochMs; why: 'by hand' | 'failing' | 'gone' };
  /** A deleted endpoint stays as a row, but gets no events and is never shown. */
  deletedAt: EpochMs | null;
}

/** All records at one moment. `version` increases with each change. */
export interface Records {
  version: number;
  accounts: Account[];
  brands: Brand[];
  numbers: SendingNumber[];
  campaigns: Campaign[];
  apiKeys: ApiKey[];
  carriers: CarrierRecord[];
  routes: Route[];
  endpoints: Endpoint[];
  /** Only rules that an operator changed: `alertRules`. */
  alerts: AlertRule[];
}

export function noRecords(): Omit<Records, 'version'> {
  return {
    accounts: [],
    brands: [],
    numbers: [],
    campaigns: [],
    apiKeys: [],
    carriers: [],
    routes: [],
    endpoints: [],
    alerts: [],
  };
}
