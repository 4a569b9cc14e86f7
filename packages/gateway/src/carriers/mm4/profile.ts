/** Settings of an MMSC over MM4 (3GPP TS 23.140 §8.4), SMTP in both directions. */
import type { CarrierProfile, CarrierRecord, MessageKind } from '../../model/records.ts';

/** Defined here because the adapter cannot import `kind.ts`, which loads the adapter. */
export const mm4Takes: readonly MessageKind[] = ['MMS'];

export interface Mm4CarrierRecord extends CarrierRecord {
  kind: 'mm4';
  mm4: Mm4Profile;
}

export interface Mm4Profile extends CarrierProfile {
  host: string;
  port: number;
  /** `starttls`: required; `opportunistic`: used when the peer offers it; `implicit`: TLS from the first byte. */
  tls: 'none' | 'opportunistic' | 'starttls' | 'implicit';
  tlsVerify: boolean;
  caCertificate: string;
  /** SMTP AUTH; '' = none. */
  username: string;
  /** Encrypted in the store; '' = none. */
  password: string;
  /** The peer's domain: `+1…/TYPE=PLMN@domain`. */
  domain: string;
  /** Our domain, in sender addresses and in X-Mms-Originator-System. */
  ownDomain: string;
  /** X-Mms-3GPP-MMS-Version. */
  version: string;
  deliveryReport: boolean;
  /** Sends read reports to senders who request them; absent = true. */
  readReports?: boolean;
  /** Requests MM4_forward.RES and waits for it before a message counts as sent. */
  acknowledgement: boolean;
  ackTimeoutMs: number;
  connections: number;
  /** Messages that may wait for an answer at once. */
  window: number;
  messagesPerSecond: number;
  responseTimeoutMs: number;
  mediaBytesMax: number;
  /** Our side: an SMTP server for this carrier only. */
  inbound: {
    host: string;
    /** 0 = any free port. */
    port: number;
    /** Addresses or CIDR blocks of the peers; an empty list refuses everybody. */
    addresses: string[];
    /** Refuses mail on a connection without TLS. */
    requireTls: boolean;
  };
}
