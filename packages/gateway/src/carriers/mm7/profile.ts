/** Settings of an MMSC over MM7 (3GPP TS 23.140 §8.7), SOAP over HTTP in both directions. */
import type { CarrierProfile, CarrierRecord, MessageKind } from '../../model/records.ts';

/** Stands here, as the adapter does not import `kind.ts`, which loads it. */
export const mm7Takes: readonly MessageKind[] = ['MMS'];

export interface Mm7CarrierRecord extends CarrierRecord {
  kind: 'mm7';
  mm7: Mm7Profile;
}

export interface Mm7Profile extends CarrierProfile {
  /** Where our SubmitReq goes, http or https. */
  url: string;
  /** Checks the certificate and its name; only false when the operator says so. */
  tlsVerify: boolean;
  /** PEM of an authority to trust instead of the machine's; '' = the machine's. */
  caCertificate: string;
  /** PEM shown to the carrier (mTLS); '' = none. */
  clientCertificate: string;
  /** PEM, kept encrypted in the store; '' = none. */
  clientKey: string;
  /** HTTP Basic; '' = none. */
  username: string;
  /** Kept encrypted in the store; '' = none. */
  password: string;
  /** Last part of the namespace, e.g. `REL-6-MM7-1-4`. */
  schema: string;
  /** MM7Version; it does not follow the schema. */
  version: string;
  vaspId: string;
  vasId: string;
  serviceCode: string;
  deliveryReport: boolean;
  /** Requests without an answer. */
  window: number;
  /** Messages per second; 0 = no limit. */
  messagesPerSecond: number;
  responseTimeoutMs: number;
  /** All media of one message together, before base64. */
  mediaBytesMax: number;
  /** What the carrier must show when it sends to us. With nothing set, everything it sends is refused. */
  inbound: {
    username: string;
    /** Kept encrypted in the store. */
    password: string;
    /** Addresses or CIDR blocks; empty = any. */
    addresses: string[];
    /** SHA-256 of its certificates, lower-case hex; empty = none asked for. */
    clientCertSha256: string[];
  };
}
