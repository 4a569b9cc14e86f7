/**
 * An independent reader for our MM7: xmllint, with the schemas in `mm7-schema/`. Where xmllint is not installed
 * (Debian: libxml2-utils) it says so, and the tests that need it are skipped.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mm7Dialect, mm7Schemas } from './mm7-dialect.ts';

export const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;
if (!hasXmllint)
  console.warn('xmllint is not installed: MM7 is NOT checked against its schema (Debian: libxml2-utils)');

export interface SchemaCheck {
  /** xmllint's complaints about the envelopes; '' when there are none. */
  complaints(schema: string, envelopes: readonly string[]): string;
  close(): void;
}

const source = (name: string): string => readFileSync(new URL(`mm7-schema/${name}`, import.meta.url), 'utf8');

/** Writes the schemas into a folder of its own until `close`. */
export const openSchemaCheck = (): SchemaCheck => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-mm7-'));
  writeFileSync(join(folder, 'soap-envelope.xsd'), source('soap-envelope.xsd'));
  for (const schema of mm7Schemas) {
    // One text serves all schemas of a release: they differ only in their name.
    const release = schema.slice(0, 5);
    const text = source(`mm7-${release.toLowerCase()}.xsd`).replaceAll(/REL-[56]-MM7-1-\d/g, schema);
    writeFileSync(join(folder, `${schema}.xsd`), text);
    writeFileSync(join(folder, `whole-${schema}.xsd`), wholeOf(schema));
  }
  return {
    complaints: (schema, envelopes) => {
      const files = envelopes.map((text, i) => {
        const file = join(folder, `${schema}-${i}.xml`);
        writeFileSync(file, text);
        return file;
      });
      const args = ['--noout', '--nonet', '--schema', join(folder, `whole-${schema}.xsd`), ...files];
      const { status, stderr } = spawnSync('xmllint', args, { encoding: 'utf8' });
      return status === 0 ? '' : stderr;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** xmllint accepts one schema, so this one has both namespaces. */
const wholeOf = (schema: string): string =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    <xs:import namespace="http://schemas.xmlsoap.org/soap/envelope/" schemaLocation="soap-envelope.xsd"/>
    <xs:import namespace="${mm7Dialect(schema as 'REL-6-MM7-1-4').namespace}" schemaLocation="${schema}.xsd"/>
  </xs:schema>`;

/** The SOAP part of an HTTP body. */
export const envelopeIn = (body: Buffer): string => /<\?xml.*<\/env:Envelope>/s.exec(body.toString('utf8'))![0];
