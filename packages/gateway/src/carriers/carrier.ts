/**
 * The interface of a carrier adapter. An adapter turns submissions into its protocol and returns what the carrier
 * says; it knows neither store nor HTTP, and messaging decides what an outcome means.
 */

import type { EpochMs } from '../kernel/clock.ts';
import type { MessageId } from '../kernel/ids.ts';
import type { CarrierAnswer, CarrierRequest } from '../model/carrier-http.ts';
import type { InboundMms, InboundPart, ReadMessage, Receipt } from '../model/delivery.ts';
import type { MediumType } from '../model/medium.ts';
import type { LoggedPdu } from '../model/pdu-words.ts';
import type { PeerCertificate } from '../model/peer-certificate.ts';
import type { OutcomeCode } from '../model/reason.ts';
import type { MessageKind } from '../model/records.ts';
import type { DoubtCause } from '../model/repeats.ts';
import type { Spanned } from '../model/spans.ts';

/** One medium of an MMS, already of a listed type and fitted for this carrier. */
export interface SubmittedMedium {
  type: MediumType;
  sizeBytes: number;
  /**
   * Its bytes, read when they are needed; null when the disk lost them (the try is refused with GATEWAY_ERROR, `later`), `away`
   * while the media store cannot be asked (refused, and not counted as a try).
   */
  load(): Promise<Buffer | null | 'away'>;
}

/** One try at handing a delivery to the carrier. Committed as `sending` before `submit` is called. */
export type Submission = SmsSubmission | MmsSubmission;

export interface SmsSubmission extends AnySubmission {
  kind: 'SMS';
  /** Concatenation reference, 0–65,535. */
  concatReference: number;
  /** Parts an earlier try already handed over (from 1). Not sent again. */
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
  /** The end of its validity; absent = the carrier's own. */
  expiresAt?: EpochMs;
}

export interface AcceptedPart extends Spanned {
  /** As the carrier wrote it; '' when it gave none (then no receipt can be matched). */
  carrierMessageId: string;
}

/** How a try ended. Every submission is answered exactly once. `parts` are those accepted in this try. */
export type SubmissionOutcome =
  | { kind: 'accepted'; parts: AcceptedPart[] }
  | {
      kind: 'refused';
      /** `later`: temporary, try again. `never`: permanent for this message. */
      retry: 'later' | 'never';
      /** Outcome code of the catalogue. */
      code: OutcomeCode;
      /** The carrier's own code and words, e.g. `ESME_RINVDSTADR (0x0000000B)`; null when it did not come from the carrier. */
      carrierCode: string | null;
      detail: string;
      /** Not before this many ms (a throttle); absent = the usual backoff. */
      afterMs?: number;
      /** False when the try says nothing about the message: throttled, or no byte of it left. */
      countsAttempt: boolean;
      parts: AcceptedPart[];
    }
  /** Bytes may have left and no answer came: the carrier may or may not have it. */
  | { kind: 'uncertain'; cause: DoubtCause; detail: string; parts: AcceptedPart[] };

export type Refused = Extract<SubmissionOutcome, { kind: 'refused' }>;

/** No part of it, or no further part, could be handed to a session: says nothing about the message. */
export const unavailable: Refused = {
  kind: 'refused',
  retry: 'later',
  code: 'CARRIER_UNAVAILABLE',
  carrierCode: null,
  detail: 'Not connected to the carrier: nothing was sent.',
  countsAttempt: false,
  parts: [],
};

/** A refusal of our own: the carrier was not asked. */
export function ownRefusal(code: OutcomeCode, detail: string): Refused {
  return { kind: 'refused', retry: 'never', code, carrierCode: null, detail, countsAttempt: true, parts: [] };
}

export interface SubmissionResult {
  /** The very object that was submitted, by which it is known again. */
  submission: Submission;
  outcome: SubmissionOutcome;
}

/** What an adapter tells the flow. `receipts` and `inbound` resolve after the commit: only then may the carrier be acknowledged. */
export interface CarrierSink {
  /** Outcomes of submissions, in batches (one socket read, one batch). Their slots are free again: no `ready` follows for them. */
  results(results: SubmissionResult[]): void;
  /** Capacity may have grown: a session was bound, a window slot or a rate token came free. */
  ready(): void;
  /** The carrier can or cannot be reached; `detail` is for people. */
  link(up: boolean, detail: string): void;
  /**
   * Rejects when nothing could be stored, or with SomeNotStored: answer the carrier with a temporary error. The same holds for
   * the two below.
   */
  receipts(receipts: Receipt[]): Promise<void>;
  inbound(parts: InboundPart[]): Promise<void>;
  /** The same message from the same peer twice is stored once. */
  inboundMms(message: InboundMms): Promise<void>;
  /** The peer's answer to what another node handed over: resolves when it is stored for that one. Absent where this node sends. */
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
  /** The same for the same answer. */
  id: string;
  /** For `Carrier.answered`. */
  body: string;
}

export interface BindStatus {
  state: string;
  detail: string | null;
  window: number;
  inFlight: number;
  /** What it was opened for; absent where every connection is alike. */
  kind?: 'transceiver' | 'transmitter' | 'receiver';
  /** When it was bound, or lost; null before the first time, absent where it is not told. */
  since?: EpochMs | null;
  /** What it sent against its protocol since the start; absent where that is not counted. */
  protocolErrors?: number;
  /** When the peer last sent anything, and when it last answered an enquire_link; absent where unknown. */
  heardAt?: EpochMs | null;
  enquireLinkAt?: EpochMs | null;
}

/** Bound (SMPP), or its peer is reachable (MM7, MM4); an idle MM4 session was closed on purpose and is opened again by the next mail. */
export function isBindUp({ state }: Pick<BindStatus, 'state'>): boolean {
  return /^(bound|reachable)/.test(state);
}

export interface CarrierStatus {
  carrierId: string;
  up: boolean;
  /** One per bind: `bound_trx`, `connecting`, … with the last error; one `reachable` or `unreachable` where nothing stays bound. */
  binds: BindStatus[];
  /** What the peer showed when a connection with TLS was last made; null without TLS, or while none was made. */
  certificate?: PeerCertificate | null;
  /** What it showed on a connection that was refused for it; null once one stands again. */
  refusedCertificate?: PeerCertificate | null;
  /** Where the adapter takes what the carrier sends, when it listens itself (MM4). */
  listening?: { host: string; port: number } | null;
}

/** What goes over the wire, kept for a while when a person asks. Off, it costs nothing. */
export interface CarrierLog {
  /** Null while nothing is kept. */
  until(): EpochMs | null;
  /** Keeps PDUs until then; null ends it. What was kept before stays to be read. */
  keep(until: EpochMs | null): void;
  /** Oldest first; the newest 2,000. */
  entries(): LoggedPdu[];
  /** Takes over the entries of the earlier log, and its end, after the carrier was reopened. */
  goOn(from: Pick<CarrierLog, 'until' | 'entries'>): void;
}

export interface Carrier {
  readonly carrierId: string;
  readonly abilities: {
    kinds: readonly MessageKind[];
    /** All media of one message together, before any transfer encoding; 0 when it takes none. */
    mediaBytesMax: number;
  };
  start(sink: CarrierSink): void;
  /** How many more deliveries may be handed over now; 0 while nothing is bound. The flow adds nothing above it. */
  capacity(): number;
  submit(batch: readonly Submission[]): void;
  /** Takes no more, waits at most `drainMs` for answers, then reports the rest as uncertain and closes. */
  stop(drainMs: number): Promise<void>;
  status(): CarrierStatus;
  /** Tries at once what it would try later, or not by itself. Present where something stays connected. */
  retry?(): void;
  /** Tells the sender, some time, that the message was read; may be lost. Present where the protocol can and the record allows. */
  reportRead?(message: ReadMessage): void;
  /** An answer that came to another node; false when nothing waits for it. Present where answers come on connections of the peer. */
  answered?(body: string): boolean;
  /** Present where the adapter can show its PDUs. */
  readonly log?: CarrierLog;
  /** Present when the carrier sends to us over HTTP. Never rejects: whatever is wrong is said in the protocol's words. */
  http?(request: CarrierRequest): Promise<CarrierAnswer>;
}
