/** `GET /home/figures`: the figures of a period, compared with the one before, from outcomes counted by the hour. */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { ownerOf } from '../../http/owner.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import { isTimeZone } from '../../model/company.ts';
import type { UsageStore } from '../usage/store/module.ts';
import { homePeriod } from './home-shapes.ts';
import { summedPeriod } from './period-figures.ts';
import { type Period, periods, spansOf } from './spans.ts';

/**
 * The least lag in the event log that counts as behind. A busy gateway lags a few seconds; one with an older log must
 * first count that.
 */
const behindMin = 50_000;
const zoneLength = 64;

export function homeFiguresRoutes({
  store,
}: {
  store: Pick<UsageStore, 'hourlyCountedTo' | 'hourlyOutcomes'>;
}): PortalModule {
  return (routes, { clock }) => {
    routes.add({
      method: 'GET',
      path: '/home/figures',
      access: 'read',
      query: textQueries({
        period: '`24h` (when left out), `7d` or `30d`, until now.',
        timeZone: 'Whose days are shown, `Europe/Berlin`; UTC when left out.',
      }),
      answer: answers(homePeriod, 'What became of the messages accepted in the period'),
      work: async (call) => {
        const { period = null, timeZone = null } = call.query;
        if (period !== null && !isPeriod(period)) {
          return rejection('INVALID_FIELD', 'The query parameter period must be 24h, 7d or 30d.');
        }
        const zone = timeZone ?? 'UTC';
        if (zone.length > zoneLength || !isTimeZone(zone)) {
          return rejection('INVALID_FIELD', 'The query parameter timeZone must be a time zone like Europe/Berlin.');
        }
        const { bars, whole, before } = spansOf(period ?? '24h', clock.now(), zone);
        const [sums, { mark, last }] = await Promise.all([
          store.hourlyOutcomes({ ...ownerOf(call), spans: [...bars, before] }),
          store.hourlyCountedTo(),
        ]);
        const summed = summedPeriod(sums, bars.length);
        const { sent, delivered, failed } = summed.total;
        return success(`${sent} sent, ${delivered} delivered, ${failed} failed.`, {
          period: period ?? '24h',
          from: isoTime(whole.from),
          until: isoTime(whole.until),
          beforeFrom: isoTime(before.from),
          beforeUntil: isoTime(before.until),
          behind: last - mark > behindMin,
          ...summed,
          bars: summed.bars.map((bar, i) => ({
            from: isoTime(bars[i]!.from),
            until: isoTime(bars[i]!.until),
            ...bar,
          })),
        });
      },
    });
  };
}

function isPeriod(text: string): text is Period {
  return periods.some((one) => one === text);
}
