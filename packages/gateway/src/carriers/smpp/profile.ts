/** Settings of an SMSC over SMPP 3.4, named as in the standard where it has a name. */
import type { CarrierProfile, CarrierRecord, MessageKind } from '../../model/records.ts';

/** Stands here, as the adapter does not import `kind.ts`, which loads it. */
export const smppTakes: readonly MessageKind[] = ['SMS'];

export interface SmppCarrierRecord extends CarrierRecord {
  kind: 'smpp';
  smpp: SmppProfile;
}

/** Of the details, those that a record of an older version lacks are what `completeSmpp` says. */
export interface SmppProfile extends Partial<SmppDetails>, CarrierProfile {
  host: string;
  port: number;
  tls: boolean;
  /** Checks the certificate and its name; only false when the operator says so. */
  tlsVerify: boolean;
  system_id: string;
  /** Kept encrypted in the store. */
  password: string;
  system_type: string;
  bindMode: 'transceiver' | 'transmitter+receiver';
  binds: number;
  /** Requests without a response per bind. */
  window: number;
  /** Parts per second over all binds; 0 = no limit. */
  messagesPerSecond: number;
  /** Of a sender that is a long number. */
  source_addr_ton: number;
  source_addr_npi: number;
  dest_addr_ton: number;
  dest_addr_npi: number;
  /** How ids of submit_sm_resp and of receipts are written; `auto` learns it from matched pairs. */
  idBase: 'auto' | 'string' | 'resp-hex' | 'receipt-hex';
  longMessage: 'udh8' | 'udh16' | 'sar' | 'payload';
  /** What data_coding 0 means to this carrier. */
  defaultAlphabet: 'gsm' | 'latin1' | 'ascii';
  registered_delivery: boolean;
  responseTimeoutMs: number;
  enquireLinkMs: number;
  interface_version: number;
}

/** The finer settings. A record written by an older version does not name them; `smppDetails` is what they are then. */
export interface SmppDetails {
  /** Type of number and numbering plan of a short code; `source_addr_*` are for a long number. */
  short_code_ton: number;
  short_code_npi: number;
  /** The same of a sender that is a name. */
  alphanumeric_ton: number;
  alphanumeric_npi: number;
  /**
   * When a text in the form of a receipt (`id:… stat:…`), which neither esm_class nor TLVs call one, counts as one: when its
   * id is that of a recent answer for the same handset, always, or never.
   */
  trustText: 'known' | 'always' | 'never';
  /** ACCEPTED in a receipt is the carrier's last word, and a good one. */
  acceptedIsFinal: boolean;
  /** National languages (`turkish`, …) in whose tables of 3GPP TS 23.038 a text may be written. */
  nationalLanguages: readonly string[];
  /** IANA name of the zone in which the carrier writes the dates of receipts. */
  receiptTimeZone: string;
  /** The first wait after a lost or failed connection, and the longest. */
  reconnectMs: number;
  reconnectMsMax: number;
  /** The same after a bind that was refused or not answered. */
  rebindMs: number;
  rebindMsMax: number;
  /** A password refused so often in a row is not tried again by itself. */
  passwordTriesMax: number;
  /** A connection that stood so long, or carried anything, is a good one: what failed before it is forgotten. */
  stableAfterMs: number;
}

/** SMPP 3.4 §5.2.5–6 for names; short codes as most carriers want them. */
export const smppDetails: Readonly<SmppDetails> = Object.freeze({
  short_code_ton: 3,
  short_code_npi: 0,
  alphanumeric_ton: 5,
  alphanumeric_npi: 0,
  trustText: 'known',
  acceptedIsFinal: false,
  nationalLanguages: [],
  receiptTimeZone: 'UTC',
  reconnectMs: 1_000,
  reconnectMsMax: 60_000,
  rebindMs: 5_000,
  rebindMsMax: 300_000,
  passwordTriesMax: 3,
  stableAfterMs: 60_000,
});

type Sender = Record<'source_addr_ton' | 'source_addr_npi', number>;

/** A record from before short codes had a type of their own: its sender type covers them too. */
export function completeSmpp<P extends Sender & Partial<SmppDetails>>(profile: P): P & SmppDetails {
  const { source_addr_ton: short_code_ton, source_addr_npi: short_code_npi } = profile;
  const isSet = short_code_ton !== 1 || short_code_npi !== 1;
  return { ...smppDetails, ...(isSet && { short_code_ton, short_code_npi }), ...withoutUndefined(profile) };
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
