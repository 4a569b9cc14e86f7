/** Default limits of a reader. Every reader accepts other values. */

export interface MmsLimits {
  /** Size of a whole message with its attachments. A 5 MB medium in base64 is just under 7 MB. */
  bytesMax: number;
  /** Size of the header of one entity. */
  headerBytesMax: number;
  /** Header fields of one entity. */
  headerFieldsMax: number;
  /** Depth of nested multiparts. MM7 uses three at most. */
  multipartDepthMax: number;
  /** Entities in the whole message, multiparts included. */
  entitiesMax: number;
  /** Addresses of one message. */
  recipientsMax: number;
  /** Octets of a line of an MM4 message, without CRLF. Source: RFC 5322 §2.1.1. */
  lineBytesMax: number;
  /** Size of the SOAP envelope, which carries no media. */
  xmlBytesMax: number;
  xmlDepthMax: number;
  /** Elements, and separately attributes, comments and sections, of one XML document. */
  xmlNodesMax: number;
}

export const defaultLimits: MmsLimits = {
  bytesMax: 8 * 1024 * 1024,
  headerBytesMax: 32 * 1024,
  headerFieldsMax: 100,
  multipartDepthMax: 4,
  entitiesMax: 64,
  recipientsMax: 100,
  lineBytesMax: 998,
  xmlBytesMax: 64 * 1024,
  xmlDepthMax: 16,
  xmlNodesMax: 1_000,
};
