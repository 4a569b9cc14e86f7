import { defineConfig } from 'vitest/config';

/** The long suites: crash loops, power cuts, fuzzing. `npm run test:long`; HELIO_LONG=full for the full counts. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.long.test.ts', 'test/**/*.long.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
