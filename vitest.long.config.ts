import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Every process and thread that a test starts reads what an earlier one compiled: a third of the CPU of opening a store.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compile', import.meta.url));

/** The long suites: crash loops, power cuts, fuzzing. `npm run test:long`; HELIO_LONG=full for the full counts. */
export default defineConfig({
  test: {
    globalSetup: 'test/built-portal.ts',
    include: ['packages/*/src/**/*.long.test.ts', 'test/**/*.long.test.ts'],
    testTimeout: process.env.HELIO_LONG === 'full' ? 10_800_000 : 600_000,
    hookTimeout: 180_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
