/** Dates of RFC 5322 §3.3: written in UTC, read with any zone. */

const FIRST = Date.UTC(1970);
const AFTER_LAST = Date.UTC(9999);

/** True for a time with a four-digit year, so that every peer can read it. */
export const isMailDate = (date: Date): boolean => date.getTime() >= FIRST && date.getTime() < AFTER_LAST;

/** `date` must have passed `isMailDate`. */
export const writeMailDate = (date: Date): string => date.toUTCString().replace('GMT', '+0000');

/** Null when it is no date. Zones by name other than GMT, UT, UTC and Z count as UTC (RFC 5322 §4.3). */
export const readMailDate = (text: string): Date | null => {
  const found =
    /^(?:[A-Za-z]{3}, ?)?(\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d\d:\d\d(?::\d\d)?)(?: ([+-]\d{4}|[A-Za-z]{1,5}))?/.exec(
      text.trim().replaceAll(/\s{1,99}/g, ' '),
    );
  if (found === null) return null;
  const [, day, month, year, time, zone = ''] = found;
  const at = Date.parse(`${day} ${month} ${year} ${time} ${/^[+-]/.test(zone) ? zone : '+0000'}`);
  return Number.isNaN(at) ? null : new Date(at);
};
