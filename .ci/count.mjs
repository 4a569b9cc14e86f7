// Adds up vitest's JSON reports and prints the closing line of a run. Exits with 1 when anything failed.
import { readFileSync } from 'node:fs';

const [failedSteps, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of files) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    skipped += report.numPendingTests + (report.numTodoTests ?? 0);
    // A file that could not even be loaded has no tests to count.
    failed += report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    ).length;
  } catch {
    failed += 1;
  }
}
// A step that failed without a failing test (formatting, types, borders) counts as one.
if (Number(failedSteps) > 0 && failed === 0) failed = Number(failedSteps);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
