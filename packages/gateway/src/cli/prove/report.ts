/** The output at the end of a run: one table, a sentence, or one JSON document. Pure. */
import { counted } from '../../kernel/counted.ts';
import { type FaultName, faultTitles } from './faults.ts';
import type { Verdict } from './judge.ts';

export interface PlayedRound {
  fault: FaultName;
  /** Time from the start of the processes; null for a round without a start. */
  readyMs: number | null;
  /** The gateway exited by itself. */
  endedItself: boolean;
}

export interface Skipped {
  fault: FaultName;
  why: string;
}

export interface RunResult {
  gateway: string;
  /** Whether the gateway reports which messages may have been sent twice. */
  hasFlags: boolean;
  seconds: number;
  rounds: readonly PlayedRound[];
  skipped: readonly Skipped[];
  /** Why the gateway could not be restarted, or its records not be read at the end; null = it worked. */
  failure: string | null;
  /** Answers that acknowledged nothing, by status; 0 = no answer. */
  others: Readonly<Record<string, number>>;
  /** The verdict on all rounds with this fault; null: on all rounds. */
  verdictOf(fault: FaultName | null): Verdict;
}

interface Row {
  fault: FaultName | 'all';
  rounds: number;
  acknowledged: number;
  arrived: number;
  /** Acknowledged, never sent, but ended or held with a recorded reason. */
  endedWithReason: number;
  lost: number;
  doubled: number;
  /** How many duplicates were flagged; null for a gateway without flags. */
  flagged: number | null;
  /** The longest start. */
  readyMs: number | null;
}

export interface Report {
  gateway: string;
  seconds: number;
  faults: Row[];
  total: Row;
  skipped: readonly Skipped[];
  /** Answers that acknowledged nothing, by status; `0` = no answer. */
  otherAnswers: Readonly<Record<string, number>>;
  endedByItself: number;
  failure: string | null;
  /** Destinations, each with the gateway's record. */
  lost: string[];
  doubledWithoutFlag: string[];
  passed: boolean;
  verdict: string;
}

/** Entries in the document; the table shows fewer. Further ones are only counted. */
const listedMax = 20;
const shownMax = 5;

export function reportOf(result: RunResult): Report {
  const faults = [...new Set(result.rounds.map(({ fault }) => fault))];
  const whole = result.verdictOf(null);
  const total = rowOf('all', result, whole);
  const isWell = total.acknowledged > 0 && total.lost === 0 && whole.unflaggedDuplicates.length === 0;
  return {
    gateway: result.gateway,
    seconds: result.seconds,
    faults: faults.map((fault) => rowOf(fault, result, result.verdictOf(fault))),
    total,
    skipped: result.skipped,
    otherAnswers: result.others,
    endedByItself: result.rounds.filter(({ endedItself }) => endedItself).length,
    failure: result.failure,
    lost: whole.lost.slice(0, listedMax),
    doubledWithoutFlag: whole.unflaggedDuplicates.slice(0, listedMax),
    passed: result.failure === null && isWell,
    verdict: sentenceOf(result, total, whole),
  };
}

function rowOf(fault: Row['fault'], { rounds, hasFlags, failure }: RunResult, verdict: Verdict): Row {
  const own = rounds.filter((round) => fault === 'all' || round.fault === fault);
  const ready = own.flatMap(({ readyMs }) => (readyMs === null ? [] : [Math.round(readyMs)]));
  const { acknowledged, accountedFor, lost, doubled, unflaggedDuplicates } = verdict;
  return {
    fault,
    rounds: own.length,
    acknowledged,
    arrived: acknowledged - accountedFor - lost.length,
    endedWithReason: accountedFor,
    lost: lost.length,
    doubled,
    flagged: hasFlags && failure === null ? doubled - unflaggedDuplicates.length : null,
    readyMs: ready.length === 0 ? null : Math.max(...ready),
  };
}

function sentenceOf(
  { failure, hasFlags, gateway }: RunResult,
  { acknowledged, lost, doubled, flagged }: Row,
  verdict: Verdict,
): string {
  // If the gateway does not run, its flags cannot be read.
  const without = failure !== null && hasFlags ? 0 : verdict.unflaggedDuplicates.length;
  const parts = [
    ...(failure === null ? [] : [`The gateway failed: ${ended(failure)}`]),
    ...(acknowledged === 0 ? ['Nothing was acknowledged, so nothing is proved.'] : []),
    ...(lost > 0 ? [`Of ${counted(acknowledged, 'acknowledged message')}, ${lost} did not arrive.`] : []),
    ...(without > 0 ? [`${counted(without, 'message')} arrived more than once without a flag.`] : []),
    ...(without > 0 && !hasFlags ? [`A run cannot ask ${gateway} for flags, so each of them counts.`] : []),
  ];
  if (parts.length > 0) return parts.join(' ');
  const doubles = doubled === 0 ? 'nothing arrived twice' : `each of the ${counted(flagged ?? 0, 'double')} is flagged`;
  return `Nothing acknowledged was lost, and ${doubles}.`;
}

/** What a program prints last may be a sentence of its own, or a word. */
function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const head = ['fault', 'rounds', 'acknowledged', 'arrived', 'lost', 'doubled', 'flagged', 'ready again'];

/** Lines, each ending in a newline. */
export function tableOf(report: Report): string {
  const { faults, total, skipped, lost, doubledWithoutFlag } = report;
  const rows = [head, ...faults.map((row) => cells(row, faultTitles[row.fault as FaultName])), cells(total, 'all')];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('   '),
  );
  const other = Object.entries(report.otherAnswers).map(([status, count]) =>
    status === '0' ? `${count} without an answer` : `${count} answered ${status}`,
  );
  const notes = [
    ...skipped.map(({ fault, why }) => `Skipped: ${faultTitles[fault]}: ${why}.`),
    ...(other.length === 0 ? [] : [`Requests that acknowledged nothing: ${other.join(', ')}.`]),
    ...(total.endedWithReason === 0 ? [] : [`Not sent, with a reason on record: ${total.endedWithReason}.`]),
    ...(report.endedByItself === 0
      ? []
      : [`The gateway ended by itself in ${counted(report.endedByItself, 'round')}.`]),
    ...lost.slice(0, shownMax).map((one) => `Lost: ${one}`),
    ...(total.lost > shownMax ? [`Lost: and ${total.lost - shownMax} more`] : []),
    ...(total.flagged === null
      ? []
      : doubledWithoutFlag.slice(0, shownMax).map((one) => `Doubled without a flag: ${one}`)),
  ];
  const place = `${report.gateway}, ${report.seconds} s`;
  return `${[place, '', ...lines, '', ...notes, ...(notes.length === 0 ? [] : ['']), report.verdict].join('\n')}\n`;
}

function cells(row: Row, name: string): string[] {
  const { rounds, acknowledged, arrived, lost, doubled, flagged, readyMs } = row;
  return [
    name,
    ...[rounds, acknowledged, arrived, lost, doubled].map(String),
    flagged === null ? 'not told' : String(flagged),
    readyMs === null ? '–' : `${(readyMs / 1_000).toFixed(1)} s`,
  ];
}
