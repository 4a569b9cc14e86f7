import '../language/english';

import { expect, it } from 'vitest';
import { palettePages } from './palette-pages';

const operator = { permissions: ['read', 'readBody', 'send', 'operator', 'manageCompany'] as const, sandbox: true };
const found = (text: string, who: { permissions: readonly string[]; sandbox: boolean } = operator) =>
  palettePages(who as never)
    .filter((page) => page.text.toLowerCase().includes(text))
    .map(({ to }) => to);

it.each([
  ['backup', '/settings/backup'],
  ['about', '/settings/about'],
  ['users', '/settings/users'],
  ['security', '/settings/security'],
  ['retention', '/settings/retention'],
  ['company', '/settings/company'],
  ['profile', '/profile'],
  ['doc', '/docs'],
  ['new message', '/messages/new'],
  ['compose', '/messages/new'],
  ['inbox', '/webhooks'],
  ['unmatched', '/carriers'],
  ['tester', '/routes'],
])('%s finds %s', (text, to) => expect(found(text)).toContain(to));

it('leads nobody where they may not go', () => {
  const viewer = { permissions: ['read'], sandbox: false };
  expect(found('backup', viewer)).toEqual([]);
  expect(found('compose', viewer)).toEqual([]);
  expect(found('inbox', viewer)).toEqual([]);
});
