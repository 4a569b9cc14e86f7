/** Size limits of MMS from handsets. Larger ones are refused temporarily, never truncated. */

export interface InboundMmsLimits {
  /** Size of a message on the wire, in its transfer encoding. */
  messageBytesMax: number;
  /** Most bytes of one stored part. */
  partBytesMax: number;
}

const mebibyte = 1_024 * 1_024;

/** Each message is in memory until it is stored: at most 20 at a time over MM4, 16 over MM7. */
export const inboundMmsLimits: InboundMmsLimits = { messageBytesMax: 10 * mebibyte, partBytesMax: 10 * mebibyte };
