/** Settings of an MMSC over MM4 (3GPP TS 23.140 §8.4), SMTP in both directions. */
import type { CarrierProfile, CarrierRecord, MessageKind } from '../../model/records.ts';

/** Stands here, as the adapter does not import `kind.ts`, which loads it. */
export const mm4Takes: readonly MessageKind[] = ['MMS'];

export interface Mm4CarrierRecord extends CarrierRecord {
  kind: 'mm4';
  mm4: Mm4Profile;
}

export interface Mm4Profile extends CarrierProfile {
  host: string;
  port: number;
  /** `starttls`: refused when the peer does not offer it; `opportunistic`: used when it does; `implicit`: TLS from the first byte. */
  tls: 'none' | 'opportunistic' | 'starttls' | 'implicit';
  tlsVerify: boolean;
  caCertificate: string;
  /** SMTP AUTH; '' = none. */
  username: string;
  /** Kept encrypted in the store; '' = none. */
  password: string;
  /** The peer's domain: `+1…/TYPE=PLMN@domain`. */
  domain: string;
  /** Ours, in senders and in X-Mms-Originator-System. */
  ownDomain: string;
  /** X-Mms-3GPP-MMS-Version. */
  version: string;
  deliveryReport: boolean;
  /** Tells senders who ask for it that their message was read; absent = true. */
  readReports?: boolean;
  /** Asks for MM4_forward.RES and waits for it before a message counts as sent. */
  acknowledgement: boolean;
  ackTimeoutMs: number;
  connections: number;
  /** Messages without an answer. */
  window: number;
  messagesPerSecond: number;
  responseTimeoutMs: number;
  mediaBytesMax: number;
  /** Our side: an SMTP server for this carrier alone. */
  inbound: {
    host: string;
    /** 0 = any free port. */
    port: number;
    /** Addresses or CIDR blocks of the peers; with none, everybody is refused. */
    addresses: string[];
    /** Refuses mail on a connection without TLS. */
    requireTls: boolean;
  };
}
