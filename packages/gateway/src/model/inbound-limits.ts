/** Size limits of MMS from handsets. Larger ones are refused temporarily, never truncated. */

export interface InboundMmsLimits {
  /** Of a message as it comes, in its transfer encoding. */
  messageBytesMax: number;
  /** Most bytes of one stored part. */
  partBytesMax: number;
}

const mebibyte = 1_024 * 1_024;

/** A peer's message holds memory until it is stored: 20 at a time over MM4, 16 over MM7. */
export const inboundMmsLimits: InboundMmsLimits = { messageBytesMax: 10 * mebibyte, partBytesMax: 10 * mebibyte };
