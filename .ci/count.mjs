// Adds up vitest's JSON reports, names what failed, and prints the closing line of a run. Exits with 1 when anything failed.
import { readFileSync } from 'node:fs';

const [failedSteps, ...files] = process.argv.slice(2);
const failures = [];
let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of files) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    skipped += report.numPendingTests + (report.numTodoTests ?? 0);
    for (const { name, status, assertionResults, message } of report.testResults) {
      // A file that failed to load has no test results to count.
      if (status === 'failed' && assertionResults.length === 0) {
        failed += 1;
        failures.push(`${name}: ${message}`);
      }
      for (const test of assertionResults) {
        if (test.status === 'failed') failures.push(`${name}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
      }
    }
  } catch (error) {
    failed += 1;
    failures.push(`${file}: ${error.message}`);
  }
}
// A failed step without a failing test (formatting, types, borders) counts as one failure.
if (failedSteps !== '' && failed === 0) failed = failedSteps.split(',').length;
if (failedSteps !== '') console.log(`failed steps: ${failedSteps}`);
for (const failure of failures) console.log(`failed: ${failure.slice(0, 2_000)}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
