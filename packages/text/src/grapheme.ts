// The borders of graphemes (what a reader calls a character, UAX #29).

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

export interface Grapheme {
  readonly segment: string;
  /** UTF-16 offset of its first unit. */
  readonly index: number;
}

export function graphemes(text: string): Iterable<Grapheme> {
  return SEGMENTER.segment(text);
}

/**
 * Two neighbouring UTF-16 units that certainly belong to two graphemes, except CR LF: Latin, Greek, Cyrillic, Hebrew
 * and Arabic letters, punctuation, CJK ideographs, Hangul syllables. No mark, joiner, jamo or surrogate is among them.
 * With it most texts skip the segmenter, which costs more than all other work.
 */
const APART =
  /^[\0-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0620-\u064a\u2010-\u2027\u20a0-\u20bf\u3400-\u9fff\uac00-\ud7a3]{2}$/;

/** True when a grapheme border is certainly before `index`; false means "use the segmenter". 0 < index < length. */
export function surelyApart(text: string, index: number): boolean {
  const pair = text.slice(index - 1, index + 1);
  return pair !== '\r\n' && APART.test(pair);
}

/**
 * Finds the grapheme that covers an index. Indexes must not decrease from call to call: the text is scanned once,
 * whatever the number of calls, so that a hostile text (an endless row of flags) costs no more than another.
 */
export function graphemeFinder(text: string): (index: number) => Grapheme {
  let walk: Iterator<Grapheme> | undefined;
  let current: Grapheme = { segment: '', index: 0 };
  return (index) => {
    walk ??= graphemes(text)[Symbol.iterator]();
    while (current.index + current.segment.length <= index) {
      const next = walk.next();
      if (next.done) throw new RangeError(`index ${index} is beyond the text`);
      current = next.value;
    }
    return current;
  };
}
