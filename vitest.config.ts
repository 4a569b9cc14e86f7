import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Every process and thread that a test starts reads what an earlier one compiled: a third of the CPU of opening a store.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compile', import.meta.url));

/** What takes longest. On a fresh checkout no durations are known, and small files that do much would come last. */
const longest = [
  'packages/gateway/src/store/sqlite.test.ts',
  'test/browser/frame.test.ts',
  'test/browser/messages.test.ts',
  'test/browser/handsets.test.ts',
  'test/contract/carrier-faults.test.ts',
  'packages/gateway/src/store/postgres.test.ts',
  'test/contract/portal-isolation.test.ts',
  'test/crash/',
  'test/browser/',
];

/** The longest first, so that all workers end together; the others as their durations say, once they are known. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.includes(`/${name}`));
      return found < 0 ? longest.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** The everyday suite: every package's tests and the whole-system tests, without the crash loops and their short forms. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts', '**/*.short.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Much of it waits for disks, clocks and browsers: two cores are busy for two thirds of the time with two files at a
    // time; the default there is one.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
