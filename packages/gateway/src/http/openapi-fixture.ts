/** Reads the OpenAPI document as a program does that resolves its references. For tests. */

type Json = unknown;

/** The document with every reference replaced by what it names. Throws for one that names nothing. */
export function resolved<T = { paths: never }>(document: object): T {
  const seen = new Map<string, Json>();

  function lookUp(ref: string): Json {
    if (!seen.has(ref)) {
      const steps = ref.replace(/^#\//, '').split('/');
      const found = steps.reduce<Json>((value, step) => (value as Record<string, Json> | undefined)?.[step], document);
      if (found === undefined) throw new Error(`${ref} names nothing`);
      seen.set(ref, resolve(found));
    }
    return seen.get(ref);
  }

  function resolve(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    if ('$ref' in value) return lookUp(value.$ref as string);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]));
  }

  return resolve(document) as T;
}

/** Every reference in the document, each once. */
export function referencesIn(document: object): string[] {
  return [...new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!))];
}
