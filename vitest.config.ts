import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { storeThreads } from './test/store-threads/plugin.ts';

// Every process and thread that a test starts reads what an earlier one compiled: a third of the CPU of opening a store.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compile', import.meta.url));

/** What takes longest. On a fresh checkout no durations are known, and small files that do much would come last. */
const longest = [
  'test/crash/journal.short',
  'test/crash/postgres-away.short',
  'test/simulation/',
  'test/house/trials.short',
  'test/outside/outside.short',
  'packages/gateway/src/store/sqlite.test.ts',
  'test/contract/cells',
  'test/contract/alerts',
  'packages/gateway/src/store/postgres.test.ts',
  'test/browser/frame.test.ts',
  'test/browser/messages.test.ts',
  'test/browser/handsets.test.ts',
  'test/contract/carrier-faults.test.ts',
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

const notHere = ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts', '**/*.short.test.ts'];
const all = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];

/** These replace a module, or listen to what the whole process does: each has a worker of its own. */
const alone = ['**/form-kinds.test.ts', '**/gateway/src/{media/files,app/mms}.test.ts', '**/goldens/goldens.test.ts'];

/** Pages in a real browser: `npm run test:browser`. The first minutes of a newcomer are in the everyday suite too. */
const browser = ['test/browser/**/*.test.ts'];
const firstMinutes = 'test/browser/first-minutes.test.ts';

/** Every package's tests and the whole-system tests, without the crash loops and their short forms. `npm test` leaves out `browser`. */
export default defineConfig({
  plugins: [storeThreads()],
  test: {
    globalSetup: 'test/built-portal.ts',
    projects: [
      {
        extends: true,
        // They share workers, each of which loads a module once.
        test: { name: 'shared', include: all, exclude: [...notHere, ...alone, '**/browser/**'], isolate: false },
      },
      { extends: true, test: { name: 'first minutes', include: [firstMinutes], exclude: notHere } },
      { extends: true, test: { name: 'browser', include: browser, exclude: [...notHere, firstMinutes] } },
      { extends: true, test: { name: 'alone', include: alone, exclude: notHere } },
    ],
    // On a machine with much else to do; a test that hangs is rare.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is polled is often a process beside this one, which needs the CPU too.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    pool: 'forks',
    // Some of it waits for disks, clocks and browsers: four files at a time keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
});
