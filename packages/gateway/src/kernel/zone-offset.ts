/** The offset of a time zone from UTC, derived from its local time. Caches results. */

const quarterHourMs = 15 * 60_000;

/**
 * Minutes ahead of UTC in a time zone (IANA name) when its clock shows `shown`, passed as if it were UTC. For the hour
 * repeated at the end of summer time, either offset; for the hour skipped in spring, the offset before or after.
 */
export function createZoneOffset(timeZone: string): (shown: Date) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
    ...({ hourCycle: 'h23', timeZone } as const),
  });
  let last: { quarter: number; minutes: number } | null = null;

  /** Offsets change only at quarters of an hour. */
  function aheadAt(epochMs: number): number {
    const at = Math.floor(epochMs / quarterHourMs) * quarterHourMs;
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return (Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!) - at) / 60_000;
  }

  return (shown) => {
    const quarter = Math.floor(shown.getTime() / quarterHourMs);
    if (last?.quarter !== quarter) {
      const near = aheadAt(shown.getTime());
      last = { quarter, minutes: aheadAt(shown.getTime() - near * 60_000) };
    }
    return last.minutes;
  };
}
