/** The `files` of a reply from a sandbox handset. */
import type { HandsetContent } from '@heliograph/sandbox/handsets';

/** The form that the writers of both protocols accept. */
const typeForm = /^[a-z0-9-]{1,60}\/[a-z0-9.+_-]{1,60}$/;
/** Types that the gateway reads as the message itself, not as a file in it. */
const structural = /^(multipart\/.*|application\/smil|text\/plain)$/;
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const nameCharactersMax = 200;

/** The files, or the sentence about their fault. */
export function readHandsetFiles(value: unknown): HandsetContent[] | string {
  if (!Array.isArray(value)) return 'The field files must be an array of objects such as {"data":"…"}, or left out.';
  const files: HandsetContent[] = [];
  for (const [index, one] of value.entries()) {
    const file = readFile(one);
    if (typeof file === 'string') return `files[${index}] ${file}`;
    files.push(file);
  }
  return files;
}

function readFile(value: unknown): HandsetContent | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object.';
  const { data, type, name } = value as Readonly<Record<string, unknown>>;
  if (typeof data !== 'string' || data === '' || !base64Form.test(data)) {
    return 'has no data: the bytes of the file in base64 (of RFC 4648 §4, with padding).';
  }
  const contentType = type ?? 'application/octet-stream';
  if (typeof contentType !== 'string' || !typeForm.test(contentType) || structural.test(contentType)) {
    return 'has a type that no file of an MMS has. Send one such as audio/amr, or leave it out; a text goes into text.';
  }
  const fileName = name ?? '';
  if (typeof fileName !== 'string' || fileName.length > nameCharactersMax || !fileName.isWellFormed()) {
    return `has a name that is no text of at most ${nameCharactersMax} characters.`;
  }
  return { contentType, fileName, bytes: Buffer.from(data, 'base64') };
}
