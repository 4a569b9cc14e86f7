/** PDUs and requests on the wire, as passed to a listener. */

/** The sender's number at the gateway, and the handset; null for traffic of the link itself. */
export interface WirePair {
  own: string | null;
  handset: string | null;
}

export const noPair: WirePair = { own: null, handset: null };

/** Missing fields do not apply. */
export interface Said extends Partial<WirePair> {
  link: 'smpp' | 'mm7' | 'mm4';
  direction: 'to_carrier' | 'to_gateway';
  /** `submit_sm`, `SubmitReq`, `MM4_forward.REQ`, … */
  command: string;
  /** sequence_number of a PDU, transaction id of MM7 and MM4. */
  sequence?: string | null;
  /** Status of an answer: `ESME_ROK`, `1000`, `250`, … */
  status?: string | null;
  /** The carrier's id of the message. */
  messageId?: string | null;
  data_coding?: number | null;
  esm_class?: number | null;
  /** The text; for a receipt the receipt's text. */
  text?: string | null;
  bytes?: Uint8Array;
}

export interface WireListener {
  add(message: Said): void;
}
