/** Times on a command line: `500ms`, `10s`, `2m`, or a number of seconds. */
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Null when it is not a time. */
export function durationMs(text: string): number | null {
  const [, figure, unit = 's'] = /^([0-9]{1,6})(ms|s|m)?$/.exec(text) ?? [];
  return figure === undefined ? null : Number(figure) * unitMs[unit]!;
}
