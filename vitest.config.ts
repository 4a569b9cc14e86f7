import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Every process and thread that a test starts reads what an earlier one compiled: a third of the CPU of opening a store.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compile', import.meta.url));

/** The everyday suite: every package's tests and the whole-system tests, minus the long ones (*.long.test.ts). */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Much of it waits for disks, clocks and browsers; the default on two cores is one file at a time.
    maxWorkers: 2,
  },
});
