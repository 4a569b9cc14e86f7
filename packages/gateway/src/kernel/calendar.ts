/**
 * Whether day and hour of a written time (`2026-11-20`, `2026-11-20T14:30Z`) exist. `Date` reads 30 February as 2 March,
 * and 24:00 as the next day.
 */
export function isOnCalendar(time: string): boolean {
  const day = time.slice(0, 10);
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) && time.slice(11, 13) !== '24';
}
