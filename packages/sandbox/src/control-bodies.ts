/** The bodies of the control API: JSON to replies, settings and faults, or one sentence about what is wrong. Pure. */
import {
  answerAfterMsMax,
  autoReplyAfterMsMax,
  autoReplyCharactersMax,
  type HandsetSettings,
  noFaults,
  ordinarySettings,
  receiptAfterMsMax,
  type SandboxFaults,
  throttlePerSecondMax,
} from './faults.ts';
import { type HandsetContent, handsetMediaMax, type ReplyFromHandset } from './handsets.ts';

type Fields = Readonly<Record<string, unknown>>;
/** The value, or a sentence about what is wrong. */
type Read<T> = T | string;

/** The form that the writers of MM7 and MM4 accept. */
export const typeForm = /^[a-z0-9-]{1,60}\/[a-z0-9.+_-]{1,60}$/;
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
export const numberForm = /^[1-9][0-9]{2,14}$/;
const receiptAfterMsUsual = 400;
const autoReplyAfterMsUsual = 1_000;

export function readReply(body: unknown): Read<ReplyFromHandset> {
  const fields = fieldsOf(body, ['text', 'to', 'media', 'via']);
  if (typeof fields === 'string') return fields;
  const { text = '', to, media = [], via } = fields;
  if (!isText(text)) return 'text must be a string.';
  if (to !== undefined && !(typeof to === 'string' && numberForm.test(to)))
    return 'to must be a number of 3–15 digits.';
  if (via !== undefined && via !== 'mm7' && via !== 'mm4') return 'via must be mm7 or mm4.';
  if (!Array.isArray(media) || media.length > handsetMediaMax) {
    return `media must be an array of at most ${handsetMediaMax} objects.`;
  }
  const contents: HandsetContent[] = [];
  for (const [i, one] of media.entries()) {
    const content = readMedium(one, i);
    if (typeof content === 'string') return `media[${i}]: ${content}`;
    contents.push(content);
  }
  if (text === '' && contents.length === 0) return 'A message needs a text or media.';
  return { text, media: contents, ...(to !== undefined && { to }), ...(via !== undefined && { via }) };
}

function readMedium(value: unknown, index: number): Read<HandsetContent> {
  const fields = fieldsOf(value, ['contentType', 'fileName', 'base64']);
  if (typeof fields === 'string') return fields;
  const { contentType, fileName = `media-${index + 1}`, base64 } = fields;
  if (typeof contentType !== 'string' || !typeForm.test(contentType))
    return 'contentType must be one such as image/png.';
  if (!isText(fileName) || fileName.length > 200) return 'fileName must be a string of at most 200 characters.';
  if (typeof base64 !== 'string' || base64 === '' || !base64Form.test(base64))
    return 'base64 must be its bytes in base64.';
  return { contentType, fileName, bytes: Buffer.from(base64, 'base64') };
}

/** Missing fields mean ordinary behaviour. */
export function readBehaviour(body: unknown): Read<HandsetSettings> {
  const fields = fieldsOf(body, Object.keys(ordinarySettings));
  if (typeof fields === 'string') return fields;
  const { power = 'on', inbox = 'space', receipt = null, autoReply = null } = fields;
  if (power !== 'on' && power !== 'off') return 'power must be on or off.';
  if (inbox !== 'space' && inbox !== 'full') return 'inbox must be space or full.';
  const read = receipt === null ? null : readReceipt(receipt);
  if (typeof read === 'string') return `receipt: ${read}`;
  const reply = autoReply === null ? null : readAutoReply(autoReply);
  if (typeof reply === 'string') return `autoReply: ${reply}`;
  return { power, inbox, receipt: read, autoReply: reply };
}

function readReceipt(value: unknown): Read<NonNullable<HandsetSettings['receipt']>> {
  const fields = fieldsOf(value, ['outcome', 'afterMs']);
  if (typeof fields === 'string') return fields;
  const { outcome, afterMs = receiptAfterMsUsual } = fields;
  if (outcome !== 'DELIVRD' && outcome !== 'UNDELIV' && outcome !== 'EXPIRED' && outcome !== 'none') {
    return 'outcome must be DELIVRD, UNDELIV, EXPIRED or none.';
  }
  return isCount(afterMs, receiptAfterMsMax) ? { outcome, afterMs } : wrongCount('afterMs', receiptAfterMsMax);
}

function readAutoReply(value: unknown): Read<NonNullable<HandsetSettings['autoReply']>> {
  const fields = fieldsOf(value, ['text', 'afterMs']);
  if (typeof fields === 'string') return fields;
  const { text, afterMs = autoReplyAfterMsUsual } = fields;
  if (!isText(text) || text === '' || text.length > autoReplyCharactersMax) {
    return `text must have 1 to ${autoReplyCharactersMax} characters.`;
  }
  return isCount(afterMs, autoReplyAfterMsMax) ? { text, afterMs } : wrongCount('afterMs', autoReplyAfterMsMax);
}

/** Missing fields are off. */
export function readFaults(body: unknown): Read<SandboxFaults> {
  const fields = fieldsOf(body, Object.keys(noFaults));
  if (typeof fields === 'string') return fields;
  const faults: Fields = { ...noFaults, ...fields };
  for (const name of ['refuseBind', 'duplicateReceipts', 'receiptFirst']) {
    if (typeof faults[name] !== 'boolean') return `${name} must be true or false.`;
  }
  for (const name of ['loseReceiptsPercent', 'errorPercent']) {
    if (!isCount(faults[name], 100)) return wrongCount(name, 100);
  }
  if (!isCount(faults.answerAfterMs, answerAfterMsMax)) return wrongCount('answerAfterMs', answerAfterMsMax);
  if (faults.throttlePerSecond !== null && !isCount(faults.throttlePerSecond, throttlePerSecondMax)) {
    return wrongCount('throttlePerSecond', throttlePerSecondMax);
  }
  return faults as unknown as SandboxFaults;
}

/** An object with only these fields: a misspelt one would otherwise be ignored silently. */
function fieldsOf(value: unknown, names: readonly string[]): Read<Fields> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object.';
  const other = Object.keys(value).find((name) => !names.includes(name));
  return other === undefined ? (value as Fields) : `${JSON.stringify(other)} is none of ${names.join(', ')}.`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

function isCount(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

function wrongCount(name: string, max: number): string {
  return `${name} must be a whole number from 0 to ${max}.`;
}
