/** Reads the OpenAPI documents like a program that resolves their references. For tests. */
import { refusalsOf } from './openapi-parts.ts';

/** Every reference in the document, each once. */
export function referencesIn(document: object): string[] {
  return [...new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!))];
}

/** The answer of an operation for a status: its own, or `default` if that names the status. */
export function answerWith<T extends { description?: string }>(
  responses: Readonly<Record<string, T>>,
  status: number,
): T {
  const { [status]: own, default: others } = responses;
  if (own !== undefined) return own;
  if (others === undefined || !(status in refusalsOf(others.description ?? '')))
    throw new Error(`${status} is not described`);
  return others;
}
