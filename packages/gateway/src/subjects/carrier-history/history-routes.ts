/**
 * `/carrier-history`, for operators: all carriers over a period, compared with the period before, and one carrier bar
 * by bar.
 */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import { counted } from '../../kernel/counted.ts';
import type { HistoryService } from './history-service.ts';
import { historyBoard, historyOfCarrier } from './history-shapes.ts';
import { type Range, ranges, type Times } from './ranges.ts';

const query = textQueries({ range: '`1h`, `6h`, `24h` (when left out), `7d` or `30d`, until now.' });

export function carrierHistoryRoutes(history: HistoryService): PortalModule {
  return (routes) => {
    routes.add({
      method: 'GET',
      path: '/carrier-history',
      access: 'operator',
      query,
      answer: answers(historyBoard, 'All carriers, with the time before'),
      work: async (call) => {
        const range = rangeOf(call.query.range);
        if (range === null) return noRange;
        const { times, rows } = await history.board(range);
        const worse = rows.filter((row) => row.worse.length > 0).length;
        return success(`${counted(rows.length, 'carrier')}, ${worse} got worse.`, {
          ...shownTimes(range, times),
          carriers: rows.map(({ record: { carrierId, name, environment, enabled }, ...row }) => ({
            ...{ carrierId, name, environment, enabled },
            ...row,
          })),
        });
      },
    });

    routes.add({
      method: 'GET',
      path: '/carrier-history/:carrierId',
      access: 'operator',
      query,
      answer: answers(historyOfCarrier, 'One carrier over time'),
      work: async (call) => {
        const range = rangeOf(call.query.range);
        if (range === null) return noRange;
        const answer = await history.carrier(param(call, 'carrierId'), range);
        if (answer === null) return rejection('NOT_FOUND', 'There is no carrier with this id.');
        const { times, found } = answer;
        const { record, now, before, worse, bars, codes } = found;
        const { carrierId, name } = record;
        return success(`${now.taken} taken, ${now.refused} refused.`, {
          ...shownTimes(range, times),
          ...{ carrierId, name, now, before, worse, codes },
          bars: bars.map((figures, i) => ({
            from: isoTime(times.from + i * times.widthMs),
            until: isoTime(times.from + (i + 1) * times.widthMs),
            ...figures,
          })),
        });
      },
    });
  };
}

const noRange = rejection('INVALID_FIELD', `The query parameter range must be ${ranges.join(', ')}.`);

function rangeOf(text: string | null): Range | null {
  return text === null ? '24h' : (ranges.find((one) => one === text) ?? null);
}

function shownTimes(range: Range, { from, until, beforeFrom }: Times) {
  const [start, end, earlier] = [isoTime(from), isoTime(until), isoTime(beforeFrom)];
  return { range, from: start, until: end, beforeFrom: earlier, beforeUntil: start };
}
