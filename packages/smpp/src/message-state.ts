/**
 * message_state: the ten states, their numbers in the TLV, their words in a receipt's text, and which of them are
 * final. Source: SMPP 3.4 issue 1.2 §5.2.28 and appendix B; SMPP 5.0 §4.7.15; extra words as seen in the field.
 */

const rows = [
  { state: 'SCHEDULED', word: 'SCHEDLD', final: false },
  { state: 'ENROUTE', word: 'ENROUTE', final: false },
  { state: 'DELIVERED', word: 'DELIVRD', final: true },
  { state: 'EXPIRED', word: 'EXPIRED', final: true },
  { state: 'DELETED', word: 'DELETED', final: true },
  { state: 'UNDELIVERABLE', word: 'UNDELIV', final: true },
  // Final by the standard; many carriers use it for "passed on".
  { state: 'ACCEPTED', word: 'ACCEPTD', final: false },
  { state: 'UNKNOWN', word: 'UNKNOWN', final: false },
  { state: 'REJECTED', word: 'REJECTD', final: true },
  { state: 'SKIPPED', word: 'SKIPPED', final: true },
] as const;

export type MessageState = (typeof rows)[number]['state'];

const numbers: ReadonlyMap<MessageState, number> = new Map(rows.map(({ state }, number) => [state, number]));

const states: ReadonlyMap<string, MessageState> = new Map<string, MessageState>([
  ...rows.map(({ word, state }) => [word, state] as const),
  ...rows.map(({ state }) => [state, state] as const),
  ['BUFFRED', 'ENROUTE'],
  ['BUFFERD', 'ENROUTE'],
  ['BUFFERED', 'ENROUTE'],
  ['ACKED', 'ACCEPTED'],
  ['FAILED', 'UNDELIVERABLE'],
  ['UNDELIVERED', 'UNDELIVERABLE'],
  ['UNDELIVRD', 'UNDELIVERABLE'],
]);

const standardWords: ReadonlySet<string> = new Set(rows.map(({ word }) => word));

/** The fewest letters by which a truncated word is still recognised. */
const CUT_WORD_LETTERS_MIN = 4;

/** The state of a message_state TLV's number, or undefined for an unknown number. */
export const stateOfNumber = (message_state: number): MessageState | undefined => rows[message_state]?.state;

/** A state's number in the message_state TLV. */
export const numberOfState = (state: MessageState): number => numbers.get(state)!;

/** A state's word of seven letters in a receipt's text. */
export const wordOfState = (state: MessageState): string => rows[numberOfState(state)]!.word;

/** Whether no further receipt follows a state. ACCEPTED is final only if the carrier uses it so. */
export const isFinalState = (state: MessageState, acceptedIsFinal = false): boolean =>
  state === 'ACCEPTED' ? acceptedIsFinal : rows[numberOfState(state)]!.final;

/** Whether a word is one of the standard's ten, in its exact spelling. */
export const isStandardWord = (word: string): boolean => standardWords.has(word);

/** The standard's words that no person writes. */
const ABBREVIATIONS = /\b(?:SCHEDLD|DELIVRD|UNDELIV|ACCEPTD|REJECTD)\b/;

/** Whether a text contains a state in the standard's spelling that is no word of a person. */
export const hasStateWord = (text: string): boolean => ABBREVIATIONS.test(text);

/**
 * The state for a word of a receipt's text, in any case, possibly truncated, or followed by a reason ("FAILED:Mob.");
 * undefined for an unknown or ambiguous word.
 */
export const stateOfWord = (word: string): MessageState | undefined => {
  const upper = /^[A-Z]+(?![A-Z0-9_])/i.exec(word)?.[0].toUpperCase() ?? '';
  const whole = states.get(upper);
  if (whole !== undefined || upper.length < CUT_WORD_LETTERS_MIN) return whole;
  const possible = new Set<MessageState>();
  for (const [known, state] of states) if (known.startsWith(upper)) possible.add(state);
  return possible.size === 1 ? [...possible][0] : undefined;
};
