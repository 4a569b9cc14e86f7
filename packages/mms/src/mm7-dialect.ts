/**
 * The schemas of MM7 by name, as data. A schema's number and its MM7Version do not correspond; these are the pairs that
 * peers are known to accept. A profile may name any other pair.
 */
import type { Mm7Dialect } from './mm7-types.ts';

const NAMESPACE = 'http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/';
export const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/';

/** The REL-5 schemas allow only 5.3.0, whatever their release. */
const versions = {
  'REL-5-MM7-1-0': '5.3.0',
  'REL-5-MM7-1-1': '5.3.0',
  'REL-5-MM7-1-2': '5.3.0',
  'REL-5-MM7-1-3': '5.3.0',
  'REL-5-MM7-1-4': '5.3.0',
  'REL-5-MM7-1-5': '5.3.0',
  'REL-6-MM7-1-0': '6.3.0',
  'REL-6-MM7-1-1': '6.4.0',
  'REL-6-MM7-1-2': '6.5.0',
  'REL-6-MM7-1-3': '6.6.0',
  'REL-6-MM7-1-4': '6.8.0',
} as const;

export type Mm7Schema = keyof typeof versions;

export const mm7Schemas = Object.keys(versions) as Mm7Schema[];

/** `version` overrides the default of the schema. */
export const mm7Dialect = (schema: Mm7Schema, version: string = versions[schema]): Mm7Dialect => ({
  namespace: NAMESPACE + schema,
  version,
});

/** The dialect of a peer by the namespace of its element; a peer without a version gets that of its schema. */
export const dialectOf = (namespace: string, version: string): Mm7Dialect => {
  const schema = mm7Schemas.find((name) => namespace === NAMESPACE + name) ?? 'REL-6-MM7-1-4';
  return { namespace: namespace || NAMESPACE + schema, version: version || versions[schema] };
};
