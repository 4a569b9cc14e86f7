// A vitest reporter: names the tests that passed only on their second try, so that a race is seen and not hidden.
import { appendFileSync } from 'node:fs';

export default class SecondTry {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky !== true) return;
    const first = test.result().errors?.[0]?.message ?? '';
    appendFileSync(process.env.SECOND_TRIES, `${test.module.relativeModuleId}: ${test.fullName}\n${first}\n`);
  }
}
