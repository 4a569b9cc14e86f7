import '../language/english';

import { describe, expect, it } from 'vitest';
import { allPlaces, placeOf } from './navigation';

describe('the place of a page', () => {
  it.each([
    ['/', '/'],
    ['/messages/new', '/messages'],
    ['/settings/company', '/settings/company'],
    ['/settings/users', '/settings/company'],
    ['/settings/company/api-keys', '/settings/company/api-keys'],
    ['/settings/company/api-keys/key_one', '/settings/company/api-keys'],
    ['/messagesofmine', null],
    ['/profile', null],
  ])('%s is %s, and no other', (path, place) => {
    expect(placeOf(path)).toBe(place);
  });
});

it('has the settings for everybody', () => {
  expect(allPlaces.find(({ to }) => to === '/settings/company')?.permission).toBeUndefined();
});
