/**
 * Judges the text of a message: whether it may be sent, its encoding and segments as its carriers cut it, and its changes by
 * smart encoding.
 */
import { countSegments, replaceLookAlikes, type SegmentCount, type SegmentOptions } from '@heliograph/text';
import { cutsOf } from '../../carriers/kinds.ts';
import { counted } from '../../kernel/counted.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { Limits } from '../../model/limits.ts';
import type { MessageKind } from '../../model/records.ts';
import type { SendOutcome, SendRequest } from '../../model/send.ts';

/** The encoded form of a text. */
export type Body = SmsBody | { messageType: 'MMS' };

export interface SmsBody extends Omit<SmsShape, 'units'> {
  messageType: 'SMS';
}

/** What can be said before the carriers are known; null = nothing. */
export function refuseText(request: SendRequest, kind: MessageKind, limits: Limits): SendOutcome | null {
  if (kind === 'MMS') {
    const characters = [...request.text].length;
    if (characters <= limits.mmsTextCharactersMax) return null;
    return tooLong(
      `The text has ${characters} characters; an MMS may carry ${limits.mmsTextCharactersMax}. Shorten it.`,
    );
  }
  if (request.text.trim() !== '') return null;
  return {
    kind: 'rejected',
    reason: 'TEXT_EMPTY',
    detail: 'text is blank, and an SMS needs some text. Write a text or attach media. Nothing was sent or billed.',
  };
}

/** Look-alikes make no text that people write shorter than that part. */
const shorterAtMost = 4;

/** An SMS as the carriers of these lanes send it. */
export function shapeFor(
  text: string,
  lanes: readonly LaneId[],
  { smart, directory, limits }: { smart: boolean; directory: Directory; limits: Limits },
): SmsBody | SendOutcome {
  const most = limits.smsSegmentsMax;
  // No segment holds more than 160 characters, so a longer text need not be counted.
  const charactersMax = most * 160;
  const isEndless = text.length > charactersMax * shorterAtMost;
  const wire = isEndless ? text : wireOf(text, smart);
  if (wire.length > charactersMax) {
    return tooLong(
      `The text needs more than ${counted(most, 'segment')}, and an SMS may have no more. Shorten it or send several.`,
    );
  }
  const cuts = lanes.length === 0 ? [{}] : cutsOf([...new Set(lanes)].map((lane) => directory.carrier(lane)));
  const { encoding, segments, wireText } = shaped(text, wire, cuts);
  if (segments > most) {
    return tooLong(
      `The text needs ${segments} segments in ${encoding}; an SMS may have ${most}. Shorten it or send several.`,
    );
  }
  return { messageType: 'SMS', encoding, segments, wireText };
}

function tooLong(what: string): SendOutcome {
  return { kind: 'rejected', reason: 'TEXT_TOO_LONG', detail: `${what} Nothing was sent or billed.` };
}

export interface SmsShape extends Pick<SegmentCount, 'encoding' | 'segments' | 'units'> {
  /** What goes on the wire when that differs from the text, else null. */
  wireText: string | null;
}

/** `smart`: typographic characters become GSM look-alikes when that makes the whole text GSM-7. */
export function shapeSms(text: string, smart: boolean, cuts: readonly SegmentOptions[]): SmsShape {
  return shaped(text, wireOf(text, smart), cuts);
}

const wireOf = (text: string, smart: boolean): string => (smart ? replaceLookAlikes(text).text : text);

/** Of the ways in which its carriers cut it, the one with the most segments: no carrier is sent more than was told. */
function shaped(text: string, wire: string, cuts: readonly SegmentOptions[]): SmsShape {
  const { encoding, segments, units } = cuts
    .map((cut) => countSegments(wire, cut))
    .reduce((most, one) => (one.segments > most.segments ? one : most));
  return { encoding, segments, units, wireText: wire === text ? null : wire };
}
