/** Each reason of the gateway's catalogue, with all its causes, has texts in every language of the portal. */
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reasons } from '../packages/gateway/src/model/reason.ts';

type Texts = Record<string, Record<string, { title: string; cause: string[]; fix: string[] }>>;

const folder = new URL('../packages/portal/src/features/reasons/', import.meta.url);
const languages = globSync('texts.*.ts', { cwd: folder });

/** Codes, fields and addresses are in backquotes: they are the same in every language. */
const named = (sentences: readonly string[]): string[] => sentences.join(' ').match(/`[^`]+`/g) ?? [];

describe('words of reasons', () => {
  it('are found', () => expect(languages).toEqual(['texts.es.ts']));

  it.each(languages)('are complete in %s, with the same names in them', async (file) => {
    const { reasonTexts } = (await import(new URL(file, folder).href)) as { reasonTexts: Texts };
    const found = Object.entries(reasonTexts).flatMap(([scope, codes]) =>
      Object.entries(codes).map(([code, { title, cause, fix }]) => ({
        code: `${scope} ${code}`,
        title: title !== '',
        causes: cause.length,
        fixes: fix.length,
        names: new Set([...named(cause), ...named(fix)]),
      })),
    );
    const wanted = reasons.map(({ scope, code, cause, fix }) => ({
      code: `${scope} ${code}`,
      title: true,
      causes: cause.length,
      fixes: fix.length,
      names: new Set([...named(cause), ...named(fix)]),
    }));
    expect(found).toEqual(wanted);
  });
});
