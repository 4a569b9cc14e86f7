/**
 * Derives the look-up keys of a receipt's id. A carrier may answer in hexadecimal and report in decimal or vice versa,
 * and the wrong reading could match another message. So the notation is learnt from receipts that fit a recent answer
 * for the same handset in only one reading; an ambiguous id gets no key yet. The store decides the match.
 */
import { type IdForm, normalReceiptId, receiptIdCandidates } from '@heliograph/smpp';
import { createMajority, type Majority } from './majority.ts';
import type { SmppProfile } from './profile.ts';

/** Answers kept for learning: at least this many of the newest, at most twice as many. */
const answersMin = 5_000;

/**
 * A shorter id, read in another base, may match another message by chance. From here on the two messages are millions
 * apart in the carrier's count, which to one handset they hardly ever are.
 */
const distinctiveCharacters = 7;

/** Among this many hexadecimal ids, at least one almost surely has a letter, and always when they are consecutive. */
const distinctiveIds = 16;

/** The notations of ids; a carrier uses one of them. */
type Base = 'same' | 'dec_to_hex' | 'hex_to_dec';

interface Reading {
  base: Base;
  key: string;
}

/** Spellings that cannot match another id by chance: they need not be learnt. */
const unmistakable: readonly IdForm[] = ['signed', 'hyphens', 'prefix'];

const knownBases: Readonly<Record<SmppProfile['idBase'], Base | null>> = {
  auto: null,
  string: 'same',
  'resp-hex': 'dec_to_hex',
  'receipt-hex': 'hex_to_dec',
};

/** The ids of one receipt: from the TLV and, if different, from the text. */
export type NamedIds = readonly [id: string, textId?: string];

export interface ReceiptIds {
  /** The carrier answered a part for a handset with this id. */
  answered(id: string, handset: string): void;
  /** Learns from a receipt. Call once for each, before `keysOf`. */
  received(ids: NamedIds, handset: string | null): void;
  /**
   * The keys of a receipt's ids, most likely first. `handset`: null when the receipt names none. Returns null when they
   * may belong to several messages: try again when more has been learnt.
   */
  keysOf(ids: NamedIds, handset: string | null): string[] | null;
  /** Whether a recent answer for this handset had one of these ids, in any reading. Learns nothing. */
  isAnswered(ids: NamedIds, handset: string): boolean;
  /** Which address of a receipt is the handset: the source, except with carriers that do not swap the two. */
  handsetOf(ids: NamedIds, source: string, destination: string): string;
}

export function createReceiptIds(idBase: SmppProfile['idBase']): ReceiptIds {
  const known = knownBases[idBase];
  /** A TLV may be written in another base than the text next to it. */
  const learnt = { id: createMajority<Base>(), textId: createMajority<Base>() };
  const side = createMajority<'source' | 'destination'>();
  const shapes = { answers: createShape(), receipts: createShape() };
  /** Two generations: deleting the oldest entries one by one is slow in a Map of this size. */
  let answers = createAnswers(shapes.answers);
  let olderAnswers = answers;
  /** Of the last id: reading a receipt asks for them several times. */
  let last = { id: '', readings: readingsOf('') };

  function readings(id: string): Reading[] {
    if (id !== last.id) last = { id, readings: readingsOf(id) };
    return last.readings;
  }

  function isAnswer(key: string, handset: string | null): boolean {
    const answered = answers.handsetOf(key) ?? olderAnswers.handsetOf(key);
    return answered !== undefined && (handset === null || answered === handset);
  }

  function learn(id: string, handset: string | null, evidence: Majority<Base>): void {
    shapes.receipts.observe(normalReceiptId(id));
    const all = readings(id);
    const answered = all.filter(({ key }) => isAnswer(key, handset));
    if (all.length > 1 && answered.length === 1) evidence.observe(answered[0]!.base);
  }

  /** The keys before anything is learnt: those that match the answers, if any do; null when several do. */
  function unlearntKeys(readings: Reading[], handset: string | null): string[] | null {
    const answered = readings.filter(({ key }) => isAnswer(key, handset));
    if (answered.length > 1) return null;
    const likely = readings.filter(({ base, key }) => base === 'same' || isDistinctive(key, readings, handset));
    return (answered.length === 1 ? answered : likely).map(({ key }) => key);
  }

  /** The learnt reading comes first; a long id that matches an answer in another reading is no coincidence. */
  function learntKeys(readings: Reading[], base: Base, handset: string | null): string[] {
    const answered = readings.filter(({ key }) => isDistinctive(key, readings, handset) && isAnswer(key, handset));
    return [...new Set([keyIn(base, readings), ...answered.map(({ key }) => key)])];
  }

  function keysByEvidence(id: string, evidence: Majority<Base>, handset: string | null): string[] | null {
    const all = readings(id);
    const base = evidence.value();
    if (base !== null) return learntKeys(all, base, handset);
    const keys = unlearntKeys(all, handset);
    if (keys !== null) return keys;
    const seen = baseBetween(shapes);
    return seen === null ? null : [keyIn(seen, all)];
  }

  /** `base` is the configured one, or null to use the learnt one. */
  function allKeys(id: string, base: Base | null, evidence: Majority<Base>, handset: string | null): string[] | null {
    if (id === '') return [];
    const keys = base === null ? keysByEvidence(id, evidence, handset) : [keyIn(base, readings(id))];
    return keys && [...keys, ...receiptIdCandidates(id, unmistakable).slice(2)];
  }

  function allReadings(ids: NamedIds): string[] {
    return ids.flatMap((id) => (id ? readings(id) : [])).map(({ key }) => key);
  }

  function isNamed(keys: string[], handset: string): boolean {
    return keys.some((key) => isAnswer(key, handset));
  }

  return {
    answered: (id, handset) => {
      if (id === '') return;
      answers.add(id, handset);
      if (answers.size() < answersMin) return;
      olderAnswers = answers;
      answers = createAnswers(shapes.answers);
    },
    received: ([id, textId], handset) => {
      learn(id, handset, learnt.id);
      if (textId !== undefined) learn(textId, handset, learnt.textId);
    },
    keysOf: ([id, textId], handset) => {
      if (textId === undefined) return allKeys(id, known, learnt.id, handset);
      // A configured base describes the text: the TLV repeats the answer's id (3.4 §5.3.2.12).
      const ofTlv = allKeys(id, known && 'same', learnt.id, handset);
      const ofText = allKeys(textId, known, learnt.textId, handset);
      return ofTlv === null && ofText === null ? null : [...new Set([...(ofTlv ?? []), ...(ofText ?? [])])];
    },
    isAnswered: (ids, handset) => isNamed(allReadings(ids), handset),
    handsetOf: (ids, source, destination) => {
      const keys = allReadings(ids);
      const [fromSource, fromDestination] = [isNamed(keys, source), isNamed(keys, destination)];
      if (fromSource !== fromDestination) side.observe(fromSource ? 'source' : 'destination');
      const turned = fromSource === fromDestination ? side.value() !== 'destination' : fromSource;
      return turned ? source : destination;
    },
  };
}

/** Each reading of an id that gives a different key. */
function readingsOf(id: string): Reading[] {
  const readings: Reading[] = [{ base: 'same', key: normalReceiptId(id) }];
  for (const base of ['dec_to_hex', 'hex_to_dec'] as const) {
    for (const key of receiptIdCandidates(id, [base]).slice(2)) readings.push({ base, key });
  }
  return readings;
}

/** The base that the looks of both sides suggest; null while they suggest none. */
function baseBetween({ answers, receipts }: Record<'answers' | 'receipts', Shape>): Base | null {
  const [answered, received] = [answers.base(), receipts.base()];
  if (answered === null || received === null) return null;
  return answered === received ? 'same' : answered === 'hex' ? 'dec_to_hex' : 'hex_to_dec';
}

/** An id that is not a number in the base stays unchanged. */
function keyIn(base: Base, readings: Reading[]): string {
  return (readings.find((reading) => reading.base === base) ?? readings[0]!).key;
}

/**
 * Without its leading zeros a number has fewer digits in hexadecimal than in decimal. The store compares the handset
 * too, so the longer spelling is enough; where the receipt names none, both have to be long.
 */
function isDistinctive(key: string, readings: Reading[], handset: string | null): boolean {
  const lengths = [key.length, readings[0]!.key.length];
  return (handset === null ? Math.min(...lengths) : Math.max(...lengths)) >= distinctiveCharacters;
}

interface Answers {
  add(id: string, handset: string): void;
  /** Undefined when no answer has this key. */
  handsetOf(key: string): string | undefined;
  size(): number;
}

/**
 * Indexed only when a receipt comes, since many carriers send none: a Map of new strings would cost time for every
 * part.
 */
function createAnswers(shape: Shape): Answers {
  const ids: string[] = [];
  const handsets: string[] = [];
  const byKey = new Map<string, string>();
  let ordered = 0;
  return {
    add: (id, handset) => {
      ids.push(id);
      handsets.push(handset);
    },
    handsetOf: (key) => {
      for (; ordered < ids.length; ordered++) {
        const answered = normalReceiptId(ids[ordered]!);
        shape.observe(answered);
        byKey.set(answered, handsets[ordered]!);
      }
      return byKey.get(key);
    },
    size: () => ids.length,
  };
}

interface Shape {
  observe(key: string): void;
  base(): 'hex' | 'dec' | null;
}

/**
 * The base of one side's ids, judged by their look: a letter means hexadecimal, enough ids without one mean decimal.
 */
function createShape(): Shape {
  let hasHexLetters = false;
  let digitsOnly = 0;
  return {
    observe: (key) => {
      if (/^[0-9]+$/.test(key)) digitsOnly++;
      else hasHexLetters ||= /^[0-9a-f]+$/.test(key);
    },
    base: () => (hasHexLetters ? 'hex' : digitsOnly >= distinctiveIds ? 'dec' : null),
  };
}
