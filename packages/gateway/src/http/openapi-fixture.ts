/** Reads the OpenAPI document as a program does that resolves its references. For tests. */

/** Every reference in the document, each once. */
export function referencesIn(document: object): string[] {
  return [...new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!))];
}
