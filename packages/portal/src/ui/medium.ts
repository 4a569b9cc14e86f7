/** How a medium of a message is shown. Pure; the gateway has the same list of types that may be shown inline. */
import type { IconName } from './icons';

/** Pixels, and frames of an animation; each only if it applies. */
interface Measures {
  width?: number;
  height?: number;
  frames?: number;
}

type Altered = 'fewer-frames' | 'still';

/** A medium as fitted for a carrier. */
export interface FittedFact extends Measures {
  /** The carrier's limit in bytes for all media of a message. */
  limit: number;
  type: string;
  size: number;
  altered?: Altered;
}

/** One medium of a message, as the API shows it. */
export interface MediumFact extends Measures {
  url: string;
  /** Detected by content where possible; '' for a medium that was not fetched. */
  type: string;
  size: number;
  name: string;
  /** This and the next two only for a sent message. */
  state?: 'fetched' | 'fitted' | 'failed' | 'skipped';
  fitted?: FittedFact[];
  altered?: Altered;
}

const shownPictures = /^image\/(jpeg|png|gif|webp)$/;

/** A picture type that every browser shows and none can execute. */
export function isShownPicture(type: string): boolean {
  return shownPictures.test(type);
}

const sentTypes = /^(image\/(jpeg|png|gif|webp)|video\/(mp4|3gpp)|audio\/(amr|mpeg)|text\/(x-)?vcard)$/;

/** Of a type that the gateway accepts for an MMS. */
export function isSentType(type: string): boolean {
  return sentTypes.test(type);
}

export function mediumIcon(type: string): IconName {
  if (type.startsWith('image/')) return 'picture';
  if (type.startsWith('audio/')) return 'sound';
  return type.startsWith('video/') ? 'film' : 'file';
}

/** The path of a medium on this gateway, whatever host its URL names; null for any other URL. */
export function ownPath(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && /^\/media\/med_/.test(parsed.pathname) ? parsed.pathname + parsed.search : null;
}

/** A file in the form in which the sandbox accepts it from a handset. */
export async function handsetFile(file: File): Promise<{ data: string; type?: string; name: string }> {
  const octets = new Uint8Array(await file.arrayBuffer());
  const data = btoa(Array.from(octets, (octet) => String.fromCharCode(octet)).join(''));
  const type = file.type.split(';')[0]!;
  // A text/plain part would be read as the text of the message.
  return { data, name: file.name, ...(!['', 'text/plain'].includes(type) && { type }) };
}

/** Base64 as hexadecimal digits, two for each octet. */
export function hexOf(base64: string): string {
  return Array.from(atob(base64), (octet) => octet.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
