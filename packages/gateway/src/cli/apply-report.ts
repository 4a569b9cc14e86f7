/**
 * The output of `helio apply`: the changes, and the tokens of new pairs, which are shown only now. Text and JSON only.
 */
import type { ApplyReport, RecordsRefused, Unconfirmed } from '../subjects/records/apply.ts';

export interface ReportFlags {
  dryRun?: boolean;
  verbose?: boolean;
}

export function applyReport(report: ApplyReport, flags: ReportFlags): string {
  const { lines, untouched, warnings } = report;
  const left = flags.verbose === true ? untouched.map((record) => `= ${record} (not in the file, left as it is)`) : [];
  const warned = warnings.map((warning) => `! ${warning}`);
  const count = summary(lines.length, flags.dryRun === true);
  const needsConfirmation = flags.dryRun === true && report.unconfirmed !== null;
  const confirm = needsConfirmation ? [`${needed}\n${howToConfirm(report.unconfirmed!)}`] : [];
  return `${[...left, ...lines, ...warned, count, ...confirm, newPairs(report)].join('\n').trimEnd()}\n`;
}

const needed = 'Lines that begin with - take something away: without a confirmation nothing is applied.';

export function howToConfirm({ code }: { code: string }): string {
  return `To apply it: npx helio apply FILE --yes, or write "confirm": "${code}" into the file, which holds for exactly these changes.`;
}

/** The entries of its records file that a start left out, in the form of the diff. */
export function leftOutReport({ leftOut, code }: Unconfirmed): string {
  const lines = leftOut.map((line) => `  ${line}`).join('\n');
  return `\nLeft out of HELIO_CONFIG, as it takes something away:\n${lines}\n${howToConfirm({ code })}\n`;
}

/** The same as one JSON document; `applied` is false when nothing was written. */
export function applyDocument(
  report: ApplyReport,
  { dryRun = false, applied }: { dryRun?: boolean; applied: boolean },
) {
  return document({
    applied,
    dryRun,
    changes: report.changes.map(({ noun, id, isNew, fields }) => ({
      change: isNew ? 'added' : 'changed',
      record: noun,
      id,
      fields: fields.map(({ word, before, after, hidden, takesAway }) => ({
        name: word,
        ...(hidden ? { secret: true } : { before: before ?? null, after: after ?? null }),
        takesAway,
      })),
    })),
    confirm: report.unconfirmed?.code ?? null,
    warnings: report.warnings,
    untouched: report.untouched,
    credentials: report.generated.map(({ keyId, bearerToken, authToken }) => ({
      key: keyId,
      bearerToken: bearerToken.reveal(),
      authToken: authToken.reveal(),
    })),
  });
}

export function refusedDocument({ problems }: RecordsRefused): string {
  return document({ applied: false, problems });
}

function document(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The tokens of the pairs created in this run; '' when there are none. */
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
