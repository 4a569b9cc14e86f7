/** Every word that the gateway writes into the audit log has a plain sentence in the portal. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditLabels } from '../packages/portal/src/features/audit/labels.en.ts';

const source = join(import.meta.dirname, '../packages/gateway/src');
/**
 * The folders that write the audit log. Elsewhere dotted words are event types; in `-rules` files they are names of
 * rules.
 */
const places = [
  ...['people', 'operator', 'registration', 'keys', 'company', 'conversations', 'message-log', 'upkeep'],
  ...['webhooks/webhook-portal-routes', 'request-log', 'consent', 'home', 'usage', 'live', 'audit', 'media', 'alerts'],
].map((subject) => `subjects/${subject}`);
const texts = places
  .flatMap((place) => globSync(`{${place}/**/*.ts,${place}.ts}`, { cwd: source }))
  .concat(globSync('http/portal/**/*.ts', { cwd: source }))
  .filter((file) => !/(?:\.test|-fixture|-rules)\.ts$/.test(file))
  .map((file) => readFileSync(join(source, file), 'utf8'));

const found = (form: RegExp): string[] => texts.flatMap((text) => [...text.matchAll(form)].map(([, word]) => word!));

/** Words like `campaign.submitted`; not file names. */
const dotted = found(/'([a-z]+(?:_[a-z]+)*\.[a-z]+(?:[_-][a-z]+)*)'/g).filter((word) => !word.endsWith('.html'));
/** Audit words on the records of the API's routes. */
const ofRoutes = globSync('subjects/**/*.ts', { cwd: source })
  .filter((file) => !/(?:\.test|-fixture)\.ts$/.test(file))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .flatMap((text) => [...text.matchAll(/audit: '([a-z_.]+)'/g)].map(([, word]) => word!));
const single = found(/\{ what: '([a-z_]+)',/g);
/** Audit words that the code composes from parts. List new ones here by hand. */
const composed: Readonly<Record<string, readonly string[]>> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are looked for in the source
  'message.${path}': ['message.cancel', 'message.release'],
  'message.bulk-${action}': ['message.bulk-cancel', 'message.bulk-resend'],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above
};
const all = [...new Set([...dotted, ...single, ...Object.values(composed).flat(), ...ofRoutes])];

describe('audited words', () => {
  it('are found in the source', () => {
    expect(all.length).toBeGreaterThan(70);
    expect(all).toEqual(expect.arrayContaining(['two_factor.on', 'sign_in', 'endpoint.tested', 'number.erased']));
    expect(found(/what: `([^`]+)`/g).toSorted()).toEqual(Object.keys(composed).toSorted());
  });

  it('have a sentence each', () => expect(all.filter((word) => auditLabels.done[word] === undefined)).toEqual([]));

  it('are of an area the filter knows', () =>
    expect(all.filter((word) => auditLabels.areas[word.split('.')[0]!] === undefined)).toEqual([]));

  it('are all there is a sentence for', () =>
    expect(Object.keys(auditLabels.done).filter((word) => !all.includes(word))).toEqual([]));
});
