/** Settings of an MMSC over MM7 (3GPP TS 23.140 §8.7), SOAP over HTTP in both directions. */
import type { CarrierProfile, CarrierRecord, MessageKind } from '../../model/records.ts';

/** Defined here because the adapter cannot import `kind.ts`, which loads the adapter. */
export const mm7Takes: readonly MessageKind[] = ['MMS'];

export interface Mm7CarrierRecord extends CarrierRecord {
  kind: 'mm7';
  mm7: Mm7Profile;
}

export interface Mm7Profile extends CarrierProfile {
  /** Where we send SubmitReq, http or https. */
  url: string;
  /** Verifies the certificate and its name; false only when the operator sets it so. */
  tlsVerify: boolean;
  /** PEM of an authority to trust instead of the machine's; '' = the machine's. */
  caCertificate: string;
  /** PEM shown to the carrier (mTLS); '' = none. */
  clientCertificate: string;
  /** PEM, encrypted in the store; '' = none. */
  clientKey: string;
  /** HTTP Basic; '' = none. */
  username: string;
  /** Encrypted in the store; '' = none. */
  password: string;
  /** Last part of the namespace, such as `REL-6-MM7-1-4`. */
  schema: string;
  /** MM7Version; it does not follow from the schema. */
  version: string;
  vaspId: string;
  vasId: string;
  serviceCode: string;
  deliveryReport: boolean;
  /** Requests that may wait for an answer at once. */
  window: number;
  /** Messages per second; 0 = no limit. */
  messagesPerSecond: number;
  responseTimeoutMs: number;
  /** Total size of all media of a message, before base64. */
  mediaBytesMax: number;
  /** What the carrier must present when it sends to us. If nothing is set, everything from it is refused. */
  inbound: {
    username: string;
    /** Encrypted in the store. */
    password: string;
    /** Addresses or CIDR blocks; empty = any. */
    addresses: string[];
    /** SHA-256 of its certificates, lower-case hex; empty = no certificate required. */
    clientCertSha256: string[];
  };
}
