/** Settings of an SMSC over SMPP 3.4, named as in the standard where it has a name. */
import type { CarrierProfile, CarrierRecord, MessageKind } from '../../model/records.ts';

/** Defined here because the adapter cannot import `kind.ts`, which loads the adapter. */
export const smppTakes: readonly MessageKind[] = ['SMS'];

export interface SmppCarrierRecord extends CarrierRecord {
  kind: 'smpp';
  smpp: SmppProfile;
}

/** Details missing in a record of an older version get the values of `completeSmpp`. */
export interface SmppProfile extends Partial<SmppDetails>, CarrierProfile {
  host: string;
  port: number;
  tls: boolean;
  /** Verifies the certificate and its name; false only when the operator sets it so. */
  tlsVerify: boolean;
  system_id: string;
  /** Encrypted in the store. */
  password: string;
  system_type: string;
  bindMode: 'transceiver' | 'transmitter+receiver';
  binds: number;
  /** Requests of each bind that may wait for a response at once. */
  window: number;
  /** Parts per second over all binds; 0 = no limit. */
  messagesPerSecond: number;
  /** Type of number of senders that are long numbers. */
  source_addr_ton: number;
  source_addr_npi: number;
  dest_addr_ton: number;
  dest_addr_npi: number;
  /** How the ids in submit_sm_resp and in receipts are written; `auto` learns it from matched pairs. */
  idBase: 'auto' | 'string' | 'resp-hex' | 'receipt-hex';
  longMessage: 'udh8' | 'udh16' | 'sar' | 'payload';
  /** The meaning of data_coding 0 for this carrier. */
  defaultAlphabet: 'gsm' | 'latin1' | 'ascii';
  registered_delivery: boolean;
  responseTimeoutMs: number;
  enquireLinkMs: number;
  interface_version: number;
}

/** The finer settings. Records of older versions lack them and get `smppDetails`. */
export interface SmppDetails {
  /** Type of number and numbering plan of short codes; `source_addr_*` are for long numbers. */
  short_code_ton: number;
  short_code_npi: number;
  /** The same for senders that are names. */
  alphanumeric_ton: number;
  alphanumeric_npi: number;
  /**
   * Whether a text in the form of a receipt (`id:… stat:…`), without a mark in esm_class or TLVs, counts as a receipt:
   * when its id is that of a recent answer for the same handset, always, or never.
   */
  trustText: 'known' | 'always' | 'never';
  /** ACCEPTED in a receipt is the carrier's final state, and a success. */
  acceptedIsFinal: boolean;
  /** National languages (`turkish`, …) whose tables of 3GPP TS 23.038 a text may use. */
  nationalLanguages: readonly string[];
  /** IANA name of the time zone of the dates in receipts. */
  receiptTimeZone: string;
  /** The first and the longest wait after a lost or failed connection. */
  reconnectMs: number;
  reconnectMsMax: number;
  /** The same after a bind that was refused or not answered. */
  rebindMs: number;
  rebindMsMax: number;
  /** After this many refusals of the password in a row, the gateway stops trying by itself. */
  passwordTriesMax: number;
  /** A connection that stayed up this long, or carried anything, is stable: earlier failures no longer count. */
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

/** A record from before short codes had their own type: its sender type covers them too. */
export function completeSmpp<P extends Sender & Partial<SmppDetails>>(profile: P): P & SmppDetails {
  const { source_addr_ton: short_code_ton, source_addr_npi: short_code_npi } = profile;
  const isSet = short_code_ton !== 1 || short_code_npi !== 1;
  return { ...smppDetails, ...(isSet && { short_code_ton, short_code_npi }), ...withoutUndefined(profile) };
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
