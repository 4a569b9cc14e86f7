/**
 * What becomes of TLVs towards a peer that takes none (interface_version 0x33 and older).
 * Source: SMPP 3.4 issue 1.2 §1.6.2, SMPP 5.0 §2.12.
 */
import type { LooseFields } from './encode.ts';
import type { EncodeFailure, Tlv } from './pdu.ts';
import { tlvByTag } from './tlvs.ts';

/** SMPP 3.4, the first version with TLVs. */
export const FIRST_VERSION_WITH_TLVS = 0x34;

/** The fields without their TLVs, or a failure when the message would say something else without one of them. */
export const withoutTlvs = (fields: LooseFields): LooseFields | EncodeFailure => {
  const tlvs = fields.tlvs as readonly Tlv[] | undefined;
  if (tlvs === undefined || tlvs.length === 0) return fields;
  for (const { tag } of tlvs) {
    const row = tlvByTag(tag);
    if (row?.essential) {
      return {
        kind: 'not_encodable',
        field: row.name,
        reason: 'the peer takes no TLVs, and this one cannot be left out',
      };
    }
  }
  return { ...fields, tlvs: [] };
};
