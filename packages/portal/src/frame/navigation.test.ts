import '../language/english';

import { describe, expect, it } from 'vitest';
import { menuEntries, menuPathOf } from './navigation';

describe('the menu entry of a page', () => {
  it.each([
    ['/', '/'],
    ['/messages/new', '/messages'],
    ['/settings/company', '/settings/company'],
    ['/settings/users', '/settings/company'],
    ['/settings/company/api-keys', '/settings/company/api-keys'],
    ['/settings/company/api-keys/key_one', '/settings/company/api-keys'],
    ['/messagesofmine', null],
    ['/profile', null],
  ])('%s is %s, and no other', (path, menuPath) => {
    expect(menuPathOf(path)).toBe(menuPath);
  });
});

it('has the settings for everybody', () => {
  expect(menuEntries.find(({ to }) => to === '/settings/company')?.permission).toBeUndefined();
});
