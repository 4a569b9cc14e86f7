/** Log entries of the wire between gateway and simulated carrier. Types and limits. */
import type { EpochMs } from '../kernel/clock.ts';
import type { MessageId } from '../kernel/ids.ts';

/** One PDU, mail or HTTP message between the gateway and the simulated carrier. */
export interface WireEntry {
  /** `pdu_` + 26 characters; sorts by time; the cursor `after`. */
  id: string;
  at: EpochMs;
  /** The carrier's kind. */
  link: string;
  direction: 'to_carrier' | 'to_gateway';
  /** `submit_sm`, `SubmitReq`, `MM4_forward.REQ`, … */
  command: string;
  /** sequence_number of a PDU, transaction id of MM7 and MM4; null when it has none. */
  sequence: string | null;
  /** Status of an answer: `ESME_ROK`, `1000`, `250`, … */
  status: string | null;
  /** The gateway's number, and the telephone; null for entries about the link itself. */
  own: string | null;
  handset: string | null;
  /** The carrier's id of the message. */
  messageId: MessageId | null;
  data_coding: number | null;
  esm_class: number | null;
  /** Its text, cut; for a receipt the receipt's text. */
  text: string | null;
  sizeBytes: number;
  /** Its first octets. */
  hex: string;
}

export const wirePageMax = 200;
export const wireWaitMsMax = 60_000;
export const wireEntryIdForm = /^pdu_[0-9A-HJKMNP-TV-Z]{26}$/;

export interface WireQuery {
  /** Only entries about this handset, and about the link itself; null = all. */
  handset: string | null;
  after?: string;
  waitMs: number;
  /** Selects our numbers; absent = all. */
  isOwn?: (sender: string) => boolean;
  signal?: AbortSignal;
}

export interface Wire {
  /**
   * Entries after the id `after`, oldest first, at most `wirePageMax`; without `after` the latest. Returns at once when
   * there is one, else waits up to `waitMs` and returns []. 'full': too many callers wait already.
   */
  list(query: WireQuery): Promise<WireEntry[] | 'full'>;
}
