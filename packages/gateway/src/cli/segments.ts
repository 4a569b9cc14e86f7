/** `helio segments TEXT`: how a text is encoded and how many segments it costs, without contacting a gateway. */
import { type ForcingCharacter, replaceLookAlikes, segment } from '@heliograph/text';
import { counted } from '../kernel/counted.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export function segments(text: string, flags: { json?: boolean }, terminal: Terminal): number {
  const { encoding, units, segments: count, unitsLeft, perPart, parts, forcing } = segment(text);
  if (flags.json === true) {
    const texts = parts.map((part) => part.text);
    terminal.out(
      `${JSON.stringify({ encoding, segments: count, units, unitsLeft, perPart, parts: texts, forcing })}\n`,
    );
    return exitCodes.ok;
  }
  terminal.out(
    `${encoding}   ${counted(count, 'segment')}   ${units} units, ${perPart} in a segment, ${unitsLeft} left\n`,
  );
  if (count > 1) for (const [i, part] of parts.entries()) terminal.out(`  ${i + 1}  ${JSON.stringify(part.text)}\n`);
  if (forcing.length > 0) {
    terminal.out('Not in GSM-7:\n');
    for (const character of forcing) terminal.out(`  ${described(character)}\n`);
    const smart = segment(replaceLookAlikes(text).text);
    if (smart.encoding === 'GSM-7') terminal.out(`With smart encoding: GSM-7, ${counted(smart.segments, 'segment')}\n`);
  }
  return exitCodes.ok;
}

function described({ text, codePoints, indexes, lookAlike }: ForcingCharacter): string {
  const points = codePoints.map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
  const like = lookAlike === undefined ? '' : `   looks like ${JSON.stringify(lookAlike)}`;
  return `${JSON.stringify(text)} ${points}   at ${indexes.map((index) => index + 1).join(', ')}${like}`;
}
