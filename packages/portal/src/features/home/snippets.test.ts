import { describe, expect, it } from 'vitest';
import { languages, masked, snippet } from './snippets';

const facts = {
  baseUrl: 'http://localhost:8088',
  bearerToken: 'bt_sbx_1',
  authToken: 'at_sbx_2',
  from: '12025550199',
  to: '12025550100',
  text: 'It\'s "here" \\ $now',
};

describe('snippets', () => {
  it.each(languages)('%s holds both credentials and the recipient', (language) => {
    const text = snippet(language, facts);
    for (const part of ['bt_sbx_1', 'at_sbx_2', '12025550100', '/SendSMS']) expect(text).toContain(part);
  });

  it('quotes for the shell', () => {
    expect(snippet('curl', facts)).toContain(String.raw`"text":"It'\''s \"here\" \\ $now"`);
  });

  it('quotes for PHP', () => {
    expect(snippet('PHP', facts)).toContain(String.raw`It\'s \\"here\\" \\\\ $now`);
  });

  it('hides all of a token but what kind it is', () => {
    expect(masked('at_sbx_5c1e2')).toBe('at_sbx_••••');
    expect(masked('nonsense')).toBe('••••');
  });
});
