/**
 * Replaces named schemas and answers by references (`$ref`), and resolves references. Operations are built from the
 * same objects that validate requests.
 */

type Json = unknown;

/** Components by kind (`schemas`, `responses`, …) and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Both with references. Drops components that nothing refers to. */
export function withReferences(
  parts: Readonly<Record<string, object>>,
  components: Components,
): { parts: Record<string, unknown>; components: Record<string, Record<string, unknown>> } {
  const named = Object.entries(components).flatMap(([kind, entries]) =>
    Object.entries(entries).map(([name, value]) => ({ kind, name, value, text: JSON.stringify(value) })),
  );
  const byText = new Map(named.map((one) => [one.text, one]));
  const used = new Map<string, unknown>();

  function refer(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const component = byText.get(JSON.stringify(value));
    if (component === undefined) return inside(value);
    const ref = `#/components/${component.kind}/${component.name}`;
    if (!used.has(ref)) {
      used.set(ref, null);
      used.set(ref, inside(component.value));
    }
    return { $ref: ref };
  }

  function inside(value: object): unknown {
    if (Array.isArray(value)) return value.map(refer);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, refer(one)]));
  }

  const referring = inside(parts) as Record<string, unknown>;
  const kept: Record<string, Record<string, unknown>> = {};
  for (const { kind, name } of named) {
    const component = used.get(`#/components/${kind}/${name}`);
    if (component !== undefined) kept[kind] = { ...kept[kind], [name]: component };
  }
  return { parts: referring, components: kept };
}

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
