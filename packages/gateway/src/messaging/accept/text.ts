/**
 * Judges the text of a message: whether it may be sent, its encoding and segments, its changes by smart encoding, and
 * the national tables that its carriers support.
 */
import { countSegments, replaceLookAlikes, type SegmentCount } from '@heliograph/text';
import { sharedLanguages } from '../../carriers/kinds.ts';
import { counted } from '../../kernel/counted.ts';
import type { Directory } from '../../model/directory.ts';
import type { Limits } from '../../model/limits.ts';
import type { MessageKind } from '../../model/records.ts';
import type { SendOutcome, SendRequest } from '../../model/send.ts';
import type { RecipientVerdict } from './recipients.ts';

/** The encoded form of a text. */
export type Body = SmsBody | { messageType: 'MMS' };

export interface SmsBody extends Omit<SmsShape, 'units'> {
  messageType: 'SMS';
}

export function judgeText(request: SendRequest, kind: MessageKind, smart: boolean, limits: Limits): Body | SendOutcome {
  if (kind === 'MMS') {
    const characters = [...request.text].length;
    if (characters > limits.mmsTextCharactersMax) {
      return tooLong(
        `The text has ${characters} characters; an MMS may carry ${limits.mmsTextCharactersMax}. Shorten it.`,
      );
    }
    return { messageType: kind };
  }
  if (request.text.trim() === '') {
    return {
      kind: 'rejected',
      reason: 'TEXT_EMPTY',
      detail: 'text is blank, and an SMS needs some text. Write a text or attach media. Nothing was sent or billed.',
    };
  }
  // No segment holds more than 160 characters, so a text longer than 160 times the limit need not be counted.
  if (request.text.length > limits.smsSegmentsMax * 160) {
    return tooLong(
      `The text needs more than ${counted(limits.smsSegmentsMax, 'segment')}, and an SMS may have no more. Shorten it or send several.`,
    );
  }
  const { encoding, segments, wireText } = shapeSms(request.text, smart);
  if (segments > limits.smsSegmentsMax) {
    return tooLong(
      `The text needs ${segments} segments in ${encoding}; an SMS may have ${limits.smsSegmentsMax}. Shorten it or send several.`,
    );
  }
  return { messageType: kind, encoding, segments, wireText };
}

function tooLong(what: string): SendOutcome {
  return { kind: 'rejected', reason: 'TEXT_TOO_LONG', detail: `${what} Nothing was sent or billed.` };
}

/** A UCS-2 text whose carriers all support a suitable national table is sent, and counted, as GSM-7. */
export function withTables(
  body: Body,
  text: string,
  smart: boolean,
  verdicts: readonly RecipientVerdict[],
  directory: Directory,
): Body {
  if (body.messageType === 'MMS' || body.encoding !== 'UCS-2') return body;
  const lanes = new Set(verdicts.flatMap((verdict) => (verdict.kind === 'ready' ? [verdict.lane] : [])));
  const languages = sharedLanguages([...lanes].map((lane) => directory.carrier(lane)));
  if (languages.length === 0) return body;
  const { encoding, segments, wireText } = shapeSms(text, smart, languages);
  return { ...body, encoding, segments, wireText };
}

export interface SmsShape extends Pick<SegmentCount, 'encoding' | 'segments' | 'units'> {
  /** What goes on the wire when that differs from the text, else null. */
  wireText: string | null;
}

/**
 * `smart`: typographic characters become GSM look-alikes when that makes the whole text GSM-7. `languages`: the
 * national tables that every carrier of the text supports.
 */
export function shapeSms(text: string, smart: boolean, languages: readonly string[] = []): SmsShape {
  const replaced = smart ? replaceLookAlikes(text).text : text;
  const { encoding, segments, units } = countSegments(replaced, { languages });
  return { encoding, segments, units, wireText: replaced === text ? null : replaced };
}
