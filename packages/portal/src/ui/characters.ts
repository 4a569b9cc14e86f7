/** The number of characters that a reader sees: a flag, a family or a letter with its marks is one. Pure. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Above this, the exact number does not matter: code points are counted. */
const countedMax = 10_000;

export function charactersOf(text: string): number {
  if (text.length > countedMax) return [...text].length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}
