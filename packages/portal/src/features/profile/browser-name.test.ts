import { describe, expect, it } from 'vitest';
import '../../language/english';
import { browserName } from './browser-name';

describe('the name of a browser', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0', 'Edge on Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iOS'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', null],
    ['x'.repeat(500), 'x'.repeat(60)],
  ])('of %s', (agent, name) => expect(browserName(agent)).toBe(name));
});
