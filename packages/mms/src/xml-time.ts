/** Times of XML Schema (part 2, §3.2.6 and §3.2.7), leniently: MM7 peers leave out zones and seconds. */

const YEAR_SECONDS = 365 * 86_400;
const MONTH_SECONDS = 30 * 86_400;

/** A dateTime; without a zone it is UTC. Null when it is none. */
export const readXmlTime = (text: string): Date | null => {
  const found = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,12})?)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text.trim());
  if (found === null) return null;
  const [, day, time = '00:00', zone = 'Z'] = found;
  const at = Date.parse(`${day}T${time}${zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`);
  return Number.isNaN(at) ? null : new Date(at);
};

/** A duration in whole seconds, a year of 365 days and a month of 30. Null when it is none. */
export const readXmlDuration = (text: string): number | null => {
  const found =
    /^P(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,15})(?:\.\d{1,9})?S)?)?$/.exec(
      text.trim(),
    );
  if (found === null || !/\d/.test(text)) return null;
  const [years, months, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return years * YEAR_SECONDS + months * MONTH_SECONDS + days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
};
