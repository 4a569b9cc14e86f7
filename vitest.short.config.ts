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
    // Its files start several gateways each: three files, and three tests of each, are enough for a slow machine.
    maxWorkers: 3,
    maxConcurrency: 3,
  },
});
