/**
 * The interface of a carrier adapter. An adapter turns submissions into its protocol and returns the carrier's answers;
 * it knows neither store nor HTTP, and messaging decides what an outcome means.
 */

import type { EpochMs } from '../kernel/clock.ts';
import type { MessageId } from '../kernel/ids.ts';
import type { CarrierAnswer, CarrierRequest } from '../model/carrier-http.ts';
import type { InboundMms, InboundPart, ReadMessage, Receipt } from '../model/delivery.ts';
import type { LoggedPdu } from '../model/logged-pdu.ts';
import type { MediumType } from '../model/medium.ts';
import type { PeerCertificate } from '../model/peer-certificate.ts';
import type { OutcomeCode } from '../model/reason.ts';
import type { MessageKind } from '../model/records.ts';
import type { DoubtCause } from '../model/repeats.ts';
import type { Spanned } from '../model/spans.ts';

/** One medium of an MMS, already of an allowed type and fitted for this carrier. */
export interface SubmittedMedium {
  type: MediumType;
  sizeBytes: number;
  /**
   * Loads its bytes when they are needed. Null when the disk lost them (the attempt is refused with GATEWAY_ERROR,
   * `later`); `away` while the media store is unreachable (refused, and not counted as an attempt).
   */
  load(): Promise<Buffer | null | 'away'>;
}

/** One attempt at handing a delivery to the carrier. Committed as `sending` before `submit` is called. */
export type Submission = SmsSubmission | MmsSubmission;

export interface SmsSubmission extends AnySubmission {
  kind: 'SMS';
  /** Concatenation reference, 0–65,535. */
  concatReference: number;
  /** Parts that the carrier accepted in an earlier attempt (from 1). Not sent again. */
  partsAccepted: number[];
}

export interface MmsSubmission extends AnySubmission {
  kind: 'MMS';
  /** In the order of the request. */
  media: SubmittedMedium[];
}

interface AnySubmission {
  messageId: MessageId;
  attempt: number;
  from: string;
  to: string;
  text: string;
  /** The end of its validity period; absent = the carrier's default. */
  expiresAt?: EpochMs;
}

export interface AcceptedPart extends Spanned {
  /** As the carrier wrote it; '' when it gave none, and then no receipt can be matched. */
  carrierMessageId: string;
}

/** How an attempt ended. Every submission is answered exactly once. `parts` are those accepted in this attempt. */
export type SubmissionOutcome =
  | { kind: 'accepted'; parts: AcceptedPart[] }
  | {
      kind: 'refused';
      /** `later`: temporary, try again. `never`: permanent for this message. */
      retry: 'later' | 'never';
      /** Outcome code of the catalogue. */
      code: OutcomeCode;
      /**
       * The carrier's own code and words, such as `ESME_RINVDSTADR (0x0000000B)`; null when the carrier did not give
       * the answer.
       */
      carrierCode: string | null;
      detail: string;
      /** Wait at least this many ms (a throttle); absent = the usual backoff. */
      afterMs?: number;
      /** False when the attempt says nothing about the message: throttled, or no byte of it was sent. */
      countsAttempt: boolean;
      parts: AcceptedPart[];
    }
  /** Bytes may have been sent and no answer came: the carrier may or may not have the message. */
  | { kind: 'uncertain'; cause: DoubtCause; detail: string; parts: AcceptedPart[] };

export type Refused = Extract<SubmissionOutcome, { kind: 'refused' }>;

/** No session could take the message or its next part: this says nothing about the message. */
export const unavailable: Refused = {
  kind: 'refused',
  retry: 'later',
  code: 'CARRIER_UNAVAILABLE',
  carrierCode: null,
  detail: 'Not connected to the carrier: nothing was sent.',
  countsAttempt: false,
  parts: [],
};

/** A refusal of the gateway itself: nothing was sent to the carrier. */
export function ownRefusal(code: OutcomeCode, detail: string): Refused {
  return { kind: 'refused', retry: 'never', code, carrierCode: null, detail, countsAttempt: true, parts: [] };
}

export interface SubmissionResult {
  /** The same object that was submitted, so that the caller can recognise it. */
  submission: Submission;
  outcome: SubmissionOutcome;
}

/**
 * What an adapter reports to messaging. `receipts` and `inbound` resolve after the commit: only then may the adapter
 * acknowledge them to the carrier.
 */
export interface CarrierSink {
  /**
   * Outcomes of submissions, in batches (one for each socket read). Their slots are free again: no `ready` follows for
   * them.
   */
  results(results: SubmissionResult[]): void;
  /** Capacity may have grown: a session was bound, or a window slot or a rate token became free. */
  ready(): void;
  /** Whether the carrier can be reached; `detail` is for people. */
  link(up: boolean, detail: string): void;
  /**
   * Rejects when nothing could be stored, or with SomeNotStored: answer the carrier with a temporary error. The same holds for
   * the two below.
   */
  receipts(receipts: Receipt[]): Promise<void>;
  inbound(parts: InboundPart[]): Promise<void>;
  /** A message that the same peer repeats is stored once. */
  inboundMms(message: InboundMms): Promise<void>;
  /**
   * Passes on a peer's answer to a message of another node; resolves when it is stored for that node. Absent where this
   * node sends.
   */
  answeredElsewhere?(answer: PeerAnswer): Promise<void>;
}

/** Of a batch only some could be stored, and only those may be acknowledged. */
export class SomeNotStored extends Error {
  /** Places in the batch. */
  readonly places: ReadonlySet<number>;
  constructor(places: ReadonlySet<number>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SomeNotStored';
    this.places = places;
  }
}

/** An answer that came to another node than the one that waits for it. */
export interface PeerAnswer {
  /** A repeated answer has the same id. */
  id: string;
  /** The argument of `Carrier.answered`. */
  body: string;
}

export interface BindStatus {
  state: string;
  detail: string | null;
  window: number;
  inFlight: number;
  /** The type of bind; absent where all connections are alike. */
  kind?: 'transceiver' | 'transmitter' | 'receiver';
  /** When it was bound or lost; null before the first time, absent where this is unknown. */
  since?: EpochMs | null;
  /** Protocol errors of the peer since the start; absent where they are not counted. */
  protocolErrors?: number;
  /** When the peer last sent anything, and when it last answered an enquire_link; absent where unknown. */
  heardAt?: EpochMs | null;
  enquireLinkAt?: EpochMs | null;
}

/**
 * True when bound (SMPP) or when the peer is reachable (MM7, MM4). An idle MM4 session counts as up: it was closed on
 * purpose, and the next mail opens it again.
 */
export function isBindUp({ state }: Pick<BindStatus, 'state'>): boolean {
  return /^(bound|reachable)/.test(state);
}

export interface CarrierStatus {
  carrierId: string;
  up: boolean;
  /**
   * One entry for each bind (`bound_trx`, `connecting`, …) with its last error; a single `reachable` or `unreachable`
   * for kinds without binds.
   */
  binds: BindStatus[];
  /** The peer's certificate on the newest TLS connection; null without TLS, or before the first connection. */
  certificate?: PeerCertificate | null;
  /** The certificate of a connection that was refused because of it; null once a connection succeeds. */
  refusedCertificate?: PeerCertificate | null;
  /** Parts per second that may be sent now, where cells lend each other their rates; absent = what its record says. */
  perSecond?: number;
  /** Where the adapter listens for the carrier, if it listens itself (MM4). */
  listening?: { host: string; port: number } | null;
}

/** The PDUs on the wire, recorded for a while when a person asks for it. Costs nothing while it is off. */
export interface CarrierLog {
  /** The end of the recording; null while it is off. */
  until(): EpochMs | null;
  /** Records PDUs until then; null stops it. Earlier entries stay readable. */
  keep(until: EpochMs | null): void;
  /** Oldest first; the newest 2,000. */
  entries(): LoggedPdu[];
  /** Takes over the entries and the end of the earlier log, after the carrier was reopened. */
  goOn(from: Pick<CarrierLog, 'until' | 'entries'>): void;
}

export interface Carrier {
  readonly carrierId: string;
  readonly abilities: {
    kinds: readonly MessageKind[];
    /** Total size of all media of a message, before any transfer encoding; 0 when the carrier takes none. */
    mediaBytesMax: number;
  };
  start(sink: CarrierSink): void;
  /** How many more deliveries may be submitted now; 0 while nothing is bound. Messaging never submits more. */
  capacity(): number;
  submit(batch: readonly Submission[]): void;
  /** Takes no more submissions, waits at most `drainMs` for answers, then reports the rest as uncertain and closes. */
  stop(drainMs: number): Promise<void>;
  status(): CarrierStatus;
  /**
   * Reconnects at once instead of waiting for the next attempt, or for a person. Present where something stays
   * connected.
   */
  retry?(): void;
  /**
   * Sends a read report to the sender at some later time; it may be lost. Present where the protocol and the record
   * allow it.
   */
  reportRead?(message: ReadMessage): void;
  /**
   * Takes an answer that reached another node; false when nothing waits for it. Present where answers come on
   * connections of the peer.
   */
  answered?(body: string): boolean;
  /** Present where the adapter can record its PDUs. */
  readonly log?: CarrierLog;
  /** Present when the carrier sends to us over HTTP. Never rejects: faults are answered in the carrier's protocol. */
  http?(request: CarrierRequest): Promise<CarrierAnswer>;
}
