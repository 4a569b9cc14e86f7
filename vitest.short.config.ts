import { defineConfig } from 'vitest/config';
import everyday from './vitest.config.ts';

/**
 * The short forms of the crash loops, damaged files, several gateways, and cells: after a change of the store, of the
 * journal, of what gateways share, or of how messages leave.
 */
export default defineConfig({
  test: {
    ...everyday.test,
    projects: undefined,
    include: ['packages/*/src/**/*.short.test.ts', 'test/**/*.short.test.ts'],
    exclude: ['**/node_modules/**'],
    // Of each file; with three files at a time a slow machine has enough to do.
    maxConcurrency: 3,
  },
});
