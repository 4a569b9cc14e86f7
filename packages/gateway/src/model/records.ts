/**
 * An account's records: accounts, numbers, campaigns, key pairs, carriers, routes; and the operator's rules of alerts. Sandbox seed, `helio apply` and the
 * portal edit the same ones. Plain data.
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
  /** What of `destinations` its own people may choose from, set by the operator; absent = what the operator chose there. */
  destinationsMax?: string[];
  /** Whether premium-rate and known fraud ranges are stopped; absent = on. */
  fraudGuard?: 'on' | 'off';
  /** The operator lets its people turn the guard off; absent = false, and then it is on. */
  fraudGuardOptional?: boolean;
  /** What becomes of an `uncertain` message when no receipt proves it: sent again (marked dupRisk) or held for a person. */
  uncertainPolicy: 'resend' | 'hold';
  /** Typographic characters are replaced by GSM look-alikes when that makes the whole text GSM-7. */
  smartEncoding: boolean;
  /** Requests per second over all keys of the account; 0 = no limit. */
  requestsPerSecond: number;
  /** Above it nothing more is accepted: how long its messages may wait for a carrier, in seconds; 0 = no limit, absent = the operator's. */
  waitingSecondsMax?: number;
  /** What becomes of an MMS whose recipient cannot take one: nothing more, or its text with the links as an SMS. */
  mmsFallback: 'none' | 'links';
  /** What becomes of an animation that fits its carrier only as a still picture; absent = it is sent as one. */
  animations?: 'still' | 'refuse';
  /** Where recipients get help, as written in the answer to HELP (telephone, e-mail or web address). */
  supportContact: string;
  /** Prices, in any order; none = usage without cost. */
  rates?: Rate[];
  /** How long messages are kept; absent = the defaults of retention.ts. */
  retention?: Retention;
  /** What it means to spend in a calendar month (UTC) at most, in the currency of its rates: decimal text. It only warns. */
  monthlyBudget?: string;
  /** IANA name: in which times are shown to people who chose none; absent = the browser's. */
  timeZone?: string;
  /** Whose sign-in needs a second factor; absent = nobody's. */
  secondFactor?: SecondFactorRule;
  /** When what it sends waits; absent = never. */
  quietHours?: QuietHours;
  /** Of the passwords its people choose from now on; absent = `passwordCharacters.min`. */
  passwordCharactersMin?: number;
  /** What new key pairs begin with; absent = false. */
  exactShapeDefault?: boolean;
}

/** In days since a message was accepted. Nothing goes of a message that is not final. */
export interface Retention {
  /** Then texts and media addresses go. */
  bodyDays: number;
  /** Then the message itself goes, with everything that is known of it. Not less than `bodyDays`. */
  metadataDays: number;
}

/** What messages cost from a day on, until a later rate begins. */
export interface Rate {
  /** UTC day, `YYYY-MM-DD`. */
  from: string;
  /** ISO 4217; one for all rates of an account. */
  currency: string;
  /** Decimal text with at most six digits behind the point. */
  smsPerSegment: string;
  mmsPerMessage: string;
}

export interface SendingNumber {
  /** E.164 digits without plus, or a short code of 5–6 digits. */
  number: string;
  accountId: AccountId;
  environment: Environment;
  smsEnabled: boolean;
  mmsEnabled: boolean;
  campaignId: string | null;
  /** Recipients per second accepted for this number; above it a request is refused with RATE_LIMITED. 0 = no limit. */
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
  /** What is written down for the carriers; none = it was made by a records file, or by an earlier version. */
  registration?: Registration;
  /** How fast its messages may go; none = not limited. */
  pacing?: Pacing;
  carriers?: CarrierStatuses;
  /** Oldest first. */
  history?: CampaignHistoryEntry[];
  /** Oldest first. */
  versions?: SubmittedVersion[];
  /** Oldest first. */
  evidence?: Evidence[];
}

export type KeyScope = 'send' | 'read' | 'admin';

/** What of a token may be shown to tell it from others. Opens nothing. */
export interface TokenHint {
  /** Everything before its secret part, such as `bt_sbx_0123456789`. */
  prefix: string;
  last4: string;
}

/** A pair of credentials that belong together. Only hashes are kept. */
export interface ApiKey {
  keyId: KeyId;
  accountId: AccountId;
  environment: Environment;
  name: string;
  /** SHA-256 of the Bearer Token and of the Auth Token, lower-case hex. */
  bearerHash: string;
  authHash: string;
  /** Absent: made before hints were kept, or chosen by hand. */
  bearerHint?: TokenHint;
  authHint?: TokenHint;
  scopes: KeyScope[];
  /** Sending numbers it may send from; absent or empty = all of the account. */
  numbers?: string[];
  /** Messages accepted in a UTC day; absent or 0 = no cap. */
  dailyCap?: number;
  /** Addresses or CIDR blocks the pair works from; empty = anywhere. */
  allowedIps: string[];
  /** Answers hold only the contract's fields. */
  exactShape: boolean;
  /** Requests per second and burst of this key; 0 = no limit. */
  requestsPerSecond: number;
  burst: number;
  createdAt: EpochMs;
  /** E-mail address of the person who made it; absent = a records file or the gateway did. */
  createdBy?: string;
  /** The pair stops working at this time; null = never. */
  expiresAt: EpochMs | null;
  revokedAt: EpochMs | null;
  /** Of a rotation: the pair that takes this one's place. */
  replacedBy?: string;
}

/** The settings that every kind of carrier has. */
export interface CarrierProfile extends RepeatLimits {
  /** Requests without an answer: per bind where several stay connected, else over all connections. */
  window: number;
  /** Parts or messages per second over all connections; 0 = no limit. */
  messagesPerSecond: number;
  responseTimeoutMs: number;
}

/** The part that all kinds share; a kind keeps its own settings beside it, in the field that has the name of the kind. */
export interface CarrierRecord {
  carrierId: string;
  environment: Environment;
  name: string;
  enabled: boolean;
  /** One of `carriers/kinds.ts`. */
  kind: string;
}

/** What a carrier takes; `carriers/kinds.ts` says it by its kind. */
export type TakenBy = (carrier: CarrierRecord) => readonly MessageKind[];

export function profileOf(record: CarrierRecord): CarrierProfile {
  return (record as unknown as Readonly<Record<string, CarrierProfile>>)[record.kind]!;
}

/** One routing rule. The longest matching prefix wins, then the most conditions, then `priority` (low first). */
export interface Route {
  routeId: string;
  environment: Environment;
  /** Digits the recipient begins with; '' matches all. */
  prefix: string;
  /** Only for this sending number; null = any. */
  number: string | null;
  /** Only for this kind; null = any. */
  kind: MessageKind | null;
  /** Only for numbers of this campaign; absent = any. */
  campaignId?: string;
  /** Only at these times, by the time zone of the sending account; absent = always. */
  hours?: RouteHours;
  /** Share among equal rules. */
  weight: number;
  priority: number;
  /** Carriers in failover order. */
  carrierIds: string[];
}

/** A secret that signs webhooks, `whsec_…`, kept encrypted in the store. */
export interface EndpointSecret {
  secret: string;
  /** It signs no more from this time on; null = for good. */
  expiresAt: EpochMs | null;
  /** It signs from this time on; left out by earlier versions: since the endpoint was made. */
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
  /** Sent with every attempt; the value is kept encrypted. */
  header: { name: string; value: string } | null;
  /** How long an attempt waits for its answer; null, or left out by earlier versions: `webhookTimeoutMs.default`. */
  timeoutMs?: number | null;
  /** Newest first; at least one. */
  secrets: EndpointSecret[];
  createdAt: EpochMs;
  /** Null while it is enabled. Its deliveries wait, at most 30 days. */
  disabled: null | { at: EpochMs; why: 'by hand' | 'failing' | 'gone' };
  /** A deleted endpoint is kept as a row, and gets and shows nothing any more. */
  deletedAt: EpochMs | null;
}

/** Everything the records hold at one moment. `version` grows with each change. */
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
  /** Only what an operator changed: `alertRules`. */
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
