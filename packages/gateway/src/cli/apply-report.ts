/** What `helio apply` tells: the changes, and the tokens of new pairs, which are shown this once. Text only. */
import type { ApplyReport } from '../records/apply.ts';

export function applyReport(report: ApplyReport, flags: { dryRun?: boolean; verbose?: boolean }): string {
  const { lines, untouched, warnings } = report;
  const left = flags.verbose === true ? untouched.map((record) => `= ${record} (not in the file, left as it is)`) : [];
  const told = warnings.map((warning) => `! ${warning}`);
  const count = summary(lines.length, flags.dryRun === true);
  return `${[...left, ...lines, ...told, count, newPairs(report)].join('\n').trimEnd()}\n`;
}

/** The tokens of the pairs made in this run; '' when none was. */
function newPairs({ generated }: Pick<ApplyReport, 'generated'>): string {
  if (generated.length === 0) return '';
  const pairs = generated.flatMap(({ keyId, bearerToken, authToken }) => [
    `  key ${keyId}   Bearer Token   ${bearerToken.reveal()}`,
    `  key ${keyId}   Auth Token     ${authToken.reveal()}`,
  ]);
  return ['', 'New credentials, shown this once:', '', ...pairs, ''].join('\n');
}

function summary(count: number, dryRun: boolean): string {
  if (count === 0) return 'no changes';
  const changes = count === 1 ? '1 change' : `${count} changes`;
  return dryRun ? `${changes} to make; nothing was written (--dry-run)` : `${changes} made`;
}
