/** Figures of a period compared with the one before, each a link to its messages. Loaded once there are messages. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCalmly } from '../../api/calm';
import { api } from '../../api/client';
import type { HomePeriod } from '../../api/routes/home';
import { useTimeZone } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { KeyFigures } from '../../ui/KeyFigures';
import { Panel } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Chart } from './Chart';
import styles from './Figures.module.css';
import { changeOf, figureLog, figureText, type Period, periods, shown } from './figures';
import { Reasons } from './Reasons';

const labels = labelsOf('figure');

/** For messages counted shortly after their event, and for time that passes without events. */
const refreshMs = 10_000;

function useFigures(period: Period, timeZone: string) {
  const queryKey = ['home-figures', period, timeZone] as const;
  useCalmly(queryKey);
  return useQuery({
    queryKey,
    queryFn: async () => (await api.get('/home/figures', { query: { period, timeZone } })).data,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
}

export function Figures() {
  const [param, choose] = useUrlText('period');
  const period = periods.find((one) => one === param) ?? '24h';
  const zone = useTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [asTable, setAsTable] = useState(false);
  const figures = useFigures(period, zone);
  return (
    <Panel
      title={labels.periods[period]}
      actions={
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend, and these are not fields */}
          <div role="group" aria-label={labels.choose} className={styles.periods}>
            {periods.map((one) => (
              <Button
                key={one}
                look="quiet"
                aria-pressed={one === period}
                onPress={() => choose(one === '24h' ? '' : one)}
              >
                {labels.short[one]}
              </Button>
            ))}
          </div>
          <IconButton
            icon={asTable ? 'usage' : 'columns'}
            label={asTable ? labels.asChart : labels.table}
            onPress={() => setAsTable(!asTable)}
          />
        </>
      }
    >
      <div className={styles.room} aria-busy={figures.isPlaceholderData || figures.data === undefined}>
        <Shown of={figures} rows={6}>
          {(data) => <PeriodFigures data={data} timeZone={zone} asTable={asTable} />}
        </Shown>
      </div>
    </Panel>
  );
}

function PeriodFigures({ data, timeZone, asTable }: { data: HomePeriod; timeZone: string; asTable: boolean }) {
  const { total, before, from, behind } = data;
  return (
    <>
      {behind && <Notice tone="info" title={labels.behind} />}
      <KeyFigures
        figures={shown.map((figure) => ({
          id: figure,
          name: labels.names[figure],
          about: labels.about[figure],
          value: figureText(figure, total),
          change: changeOf(figure, total, before),
          to: figureLog(figure, { from }),
        }))}
      />
      <div className={styles.split}>
        <Chart data={data} timeZone={timeZone} asTable={asTable} />
        <Reasons data={data} />
      </div>
    </>
  );
}
