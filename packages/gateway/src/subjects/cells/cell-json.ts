/** What carriers send, as JSON between cells: bytes are base64 there. */
import type { InboundMms, InboundPart } from '../../model/delivery.ts';

export interface PartJson extends Omit<InboundPart, 'octets' | 'perhaps'> {
  octets: string | null;
}

export function partToJson({ perhaps: _, octets, ...rest }: InboundPart): PartJson {
  return { ...rest, octets: octets === null ? null : Buffer.from(octets).toString('base64') };
}

export function partFromJson({ octets, ...rest }: PartJson): InboundPart {
  return { ...rest, octets: octets === null ? null : Buffer.from(octets, 'base64') };
}

export interface MmsJson extends Omit<InboundMms, 'media'> {
  media: { contentType: string; fileName: string; bytes: string }[];
}

export function mmsToJson({ media, ...rest }: InboundMms): MmsJson {
  return { ...rest, media: media.map(({ bytes, ...medium }) => ({ ...medium, bytes: bytes.toString('base64') })) };
}

export function mmsFromJson({ media, ...rest }: MmsJson): InboundMms {
  return { ...rest, media: media.map(({ bytes, ...medium }) => ({ ...medium, bytes: Buffer.from(bytes, 'base64') })) };
}
