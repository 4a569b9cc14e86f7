import { expect, it } from 'vitest';
import { knownLanguages } from '../packages/gateway/src/subjects/people/mail-texts.ts';

it('a profile may have each language that the portal offers, and mails are in it', async () => {
  // Its types need a browser's.
  const portal = new URL('../packages/portal/src/language/language.ts', import.meta.url);
  const { languageNames } = await import(portal.href);
  expect(knownLanguages).toEqual(Object.keys(languageNames));
});
