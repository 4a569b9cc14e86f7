/**
 * Removes message texts from an answer for people who may not read them: each becomes null, with its length beside it.
 * Works by field name at any depth.
 */
import type { Answer } from '../exchange.ts';

/**
 * Fields that hold what a person wrote, at any depth: `text` of a message, `body` of a received webhook, `data`
 * (base64) of a reply.
 */
const textFields: ReadonlySet<string> = new Set([
  'text',
  'wireText',
  'hex',
  'body',
  'answer',
  'subject',
  'keyword',
  'data',
]);
/** Fields that link to such content. */
const listFields: ReadonlySet<string> = new Set(['mediaUrls', 'media']);

/** The answer without texts. JSON only; callers refuse other answers. */
export function withoutTexts<T>(answer: Answer<T>): Answer<T> {
  if (answer.status !== 200) return answer;
  const text = typeof answer.body === 'string' ? answer.body : answer.body.toString('utf8');
  return { ...answer, body: JSON.stringify(hidden(JSON.parse(text))) };
}

function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  const shown: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (textFields.has(name) && typeof field === 'string') {
      shown[name] = null;
      shown[`${name}Length`] = [...field].length;
    } else if (listFields.has(name) && Array.isArray(field)) {
      shown[name] = [];
      shown[`${name}Count`] = field.length;
    } else shown[name] = hidden(field);
  }
  return shown;
}
