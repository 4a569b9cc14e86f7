/**
 * The schema of carriers in a records file, built from each kind's settings. `docs/carriers.md` describes the same
 * fields.
 */
import type { CarrierKind } from '../../carriers/kind.ts';
import { carrierKinds as allKinds, defaultKind, kindNames } from '../../carriers/kinds.ts';
import { fileFields, isRequired } from '../../carriers/setting.ts';
import { identifier, label, oneOf, onOff, type Property, withDefault } from '../../kernel/property.ts';

export interface Entry {
  required: string[];
  properties: Record<string, Property>;
}

function entryOf(kind: CarrierKind): Entry {
  const named = oneOf(kind.name);
  const properties: Record<string, Property> = {
    kind: kind === defaultKind ? withDefault(named, kind.name) : named,
    id: identifier,
    name: label,
    enabled: withDefault(onOff, true),
  };
  const inner = new Map<string, Record<string, Property>>();
  for (const [name, schema] of kind.settings.flatMap(fileFields)) {
    const [outer, within] = name.split('.') as [string, string?];
    if (within === undefined) properties[outer] = schema;
    else inner.set(outer, { ...inner.get(outer), [within]: schema });
  }
  for (const [outer, fields] of inner) properties[outer] = inside(fields);
  const required = kind.settings.filter(isRequired).map(({ name }) => name);
  return { required: ['id', ...(kind === defaultKind ? [] : ['kind']), ...required], properties };
}

/** An object within an entry; when it is left out, each of its fields takes its default. */
function inside(properties: Record<string, Property>): Property {
  return { type: 'object', additionalProperties: false, properties, default: {}, allowed: 'an object' };
}

export const carrierKinds: Readonly<Record<string, Entry>> = Object.fromEntries(
  allKinds.map((kind) => [kind.name, entryOf(kind)]),
);

const unknownKind = { properties: { id: identifier, kind: oneOf(...kindNames) }, required: ['id'] };

/** Applies only the rules of the named kind. For an unknown kind, nothing else is reported about the entry. */
export const carrierSchema: Property = {
  type: 'object',
  allowed: 'an object',
  ...allKinds.reduceRight<object>(
    (others, kind) => ({
      if: {
        properties: { kind: { const: kind.name } },
        ...(kind !== defaultKind && { required: ['kind'] }),
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { type: 'object', additionalProperties: false, allowed: 'an object', ...carrierKinds[kind.name] },
      else: others,
    }),
    unknownKind,
  ),
};
