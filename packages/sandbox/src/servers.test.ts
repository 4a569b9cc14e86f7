import { expect, it } from 'vitest';
import { atPort } from './servers.ts';

it.each([
  ['127.0.0.1', '127.0.0.1:80'],
  ['sandbox.example', 'sandbox.example:80'],
  ['::1', '[::1]:80'],
])('%s stands in a URL as %s', (host, written) => {
  expect(atPort(host, 80)).toBe(written);
  expect(URL.parse(`http://${atPort(host, 81)}/`)?.port).toBe('81');
});
