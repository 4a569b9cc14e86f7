/**
 * The spellings of a message_id: carriers answer a submit in one and write the receipt in another. Pure text and
 * BigInt, never a number, because some ids have twenty digits. A caller must accept a match only if exactly one message
 * has it.
 */

/**
 * What may differ between answer and receipt. dec_to_hex: the receipt writes decimal what the answer wrote hexadecimal.
 * hex_to_dec: the reverse. Each of these two can make two messages look the same, so it is used only for a carrier
 * known to do it. signed: one side writes a number of 32 or 64 bits as negative. hyphens: one side omits them in a
 * UUID. prefix: the receipt writes 0x before a hexadecimal number.
 */
export type IdForm = 'dec_to_hex' | 'hex_to_dec' | 'signed' | 'hyphens' | 'prefix';

/** How a receipt's id corresponds to an answer's. */
export type IdMatch = 'exact' | 'case' | 'zeros' | IdForm;

export const idForms: readonly IdForm[] = Object.freeze(['dec_to_hex', 'hex_to_dec', 'signed', 'hyphens', 'prefix']);

const ID_LENGTH_MAX = 64;
const WORD_SIZES = [32, 64];

/** An id as all but exact look-ups compare it: lower case, leading zeros stripped. */
export const normalReceiptId = (id: string): string => id.toLowerCase().replace(/^0+(?=.)/, '');

/**
 * The ids of answers that a receipt's id may stand for, likeliest first, without repeats. The first is the id itself,
 * to be looked up among ids as given; all others are to be looked up among their `normalReceiptId`.
 */
export const receiptIdCandidates = (id: string, forms: readonly IdForm[] = []): string[] => {
  const others = new Set([normalReceiptId(id)]);
  if (id.length <= ID_LENGTH_MAX) {
    for (const form of forms) for (const spelling of respelled(id, form)) others.add(spelling);
  }
  return [id, ...others];
};

/** How a receipt's id corresponds to an answer's, strictest first; undefined when it does not. */
export const receiptIdMatch = (id: string, answered: string, forms: readonly IdForm[] = []): IdMatch | undefined => {
  if (id === answered) return 'exact';
  if (id.toLowerCase() === answered.toLowerCase()) return 'case';
  const normal = normalReceiptId(answered);
  if (normalReceiptId(id) === normal) return 'zeros';
  if (id.length > ID_LENGTH_MAX) return undefined;
  return forms.find((form) => respelled(id, form).includes(normal));
};

const respelled = (id: string, form: IdForm): string[] => {
  const isDecimal = /^\d+$/.test(id);
  const isHex = /^[\da-f]+$/i.test(id);
  switch (form) {
    case 'dec_to_hex':
      return isDecimal ? [BigInt(id).toString(16)] : [];
    case 'hex_to_dec':
      return isHex ? [BigInt(`0x${id}`).toString(10)] : [];
    case 'signed':
      if (/^-\d+$/.test(id)) return unsignedForms(BigInt(id));
      return [...(isDecimal ? [BigInt(id)] : []), ...(isHex ? [BigInt(`0x${id}`)] : [])].flatMap(negativeForms);
    case 'hyphens':
      return hyphenForms(id);
    case 'prefix':
      return /^0x[\da-f]+$/i.test(id) ? [normalReceiptId(id.slice(2))] : [];
  }
};

/** The other spelling of a UUID; a peer that drops the hyphens may drop leading zeros too. */
const hyphenForms = (id: string): string[] => {
  if (/^[\da-f]{1,8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return [normalReceiptId(id.replaceAll('-', ''))];
  if (!/^[\da-f]{25,32}$/i.test(id)) return [];
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(id.padStart(32, '0'))!;
  return [normalReceiptId(parts.slice(1).join('-'))];
};

const unsignedForms = (value: bigint): string[] =>
  WORD_SIZES.filter((bits) => BigInt.asIntN(bits, value) === value)
    .map((bits) => BigInt.asUintN(bits, value))
    .flatMap((each) => [each.toString(10), each.toString(16)]);

const negativeForms = (value: bigint): string[] =>
  WORD_SIZES.filter((bits) => BigInt.asUintN(bits, value) === value && BigInt.asIntN(bits, value) < 0n).map((bits) =>
    BigInt.asIntN(bits, value).toString(10),
  );
