/** Computes the encoding and segments of an SMS, and what smart encoding changes in its text. */
import { countSegments, replaceLookAlikes, type SegmentCount } from '@heliograph/text';

export interface SmsShape extends Pick<SegmentCount, 'encoding' | 'segments' | 'units'> {
  /** What goes on the wire when that differs from the text, else null. */
  wireText: string | null;
}

/**
 * `smart`: typographic characters become GSM look-alikes when that makes the whole text GSM-7. `languages`: whose national
 * tables every carrier of the text takes.
 */
export function shapeSms(text: string, smart: boolean, languages: readonly string[] = []): SmsShape {
  const replaced = smart ? replaceLookAlikes(text).text : text;
  const { encoding, segments, units } = countSegments(replaced, { languages });
  return { encoding, segments, units, wireText: replaced === text ? null : replaced };
}
