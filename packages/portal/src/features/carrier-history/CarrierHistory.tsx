/** One carrier over a period: its figures compared with the period before, charts, codes, and alerts. */
import { useState } from 'react';
import type { CarrierHistory as History } from '../../api/routes/carrier-history';
import { labelsOf } from '../../language/labels';
import { IconButton } from '../../ui/Button';
import type { Change } from '../../ui/change';
import { type KeyFigure, KeyFigures } from '../../ui/KeyFigures';
import { Panel } from '../../ui/Page';
import { Empty, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Count, ReasonLink } from '../../ui/Values';
import { RangeChoice } from './Board';
import { AlertsOf } from './CarrierAlerts';
import styles from './CarrierHistory.module.css';
import { Charts } from './Charts';
import { codeLog, deltaOf, type Figure, figureIn, figures, textOf, worseText } from './figures';
import { useAlertsOf, useHistoryOf, useRange } from './history';

const words = labelsOf('carrierHistory');

export function CarrierHistory({ carrierId }: { carrierId: string }) {
  const [range, setRange] = useRange();
  const history = useHistoryOf(carrierId, range);
  const { data: alerts = [] } = useAlertsOf(carrierId);
  const [asTable, setAsTable] = useState(false);
  return (
    <div className={styles.board} aria-busy={history.isPlaceholderData}>
      <RangeChoice range={range} onChoose={setRange} />
      <Shown of={history} rows={8}>
        {(data) => (
          <>
            {data.worse.length > 0 && (
              <Notice tone="warn" title={words.summary.worse(data.name, words.spans[data.range])}>
                {data.worse.map(worseText).join('; ')}.
              </Notice>
            )}
            <Panel
              title={words.charts.title(words.spans[data.range])}
              actions={
                <IconButton
                  icon={asTable ? 'usage' : 'columns'}
                  label={asTable ? words.charts.asChart : words.charts.asTable}
                  onPress={() => setAsTable(!asTable)}
                />
              }
            >
              <KeyFigures figures={keyFigures.map((figure) => keyFigure(figure, data))} />
              <p className={styles.told}>{words.against(words.spans[data.range])}</p>
              <Charts of={data} alerts={alerts} asTable={asTable} />
            </Panel>
            <Codes of={data} />
          </>
        )}
      </Shown>
      <AlertsOf carrierId={carrierId} />
    </div>
  );
}

const keyFigures = figures.filter((figure) => figure !== 'limited');

function keyFigure(figure: Figure, { now, before, worse }: History): KeyFigure {
  const delta = deltaOf(figure, { now, before, worse });
  const change: Change | null = delta === null ? null : { sign: delta.sign, text: delta.text, isWorse: delta.isWorse };
  return {
    id: figure,
    name: words.figures[figure],
    about: words.about[figure as keyof typeof words.about],
    value: textOf(figure, figureIn(figure, now)),
    change,
  };
}

function Codes({ of: { codes, carrierId, from, until } }: { of: History }) {
  return (
    <Panel title={words.codes.title}>
      {codes.length === 0 ? (
        <Empty title={words.codes.none} />
      ) : (
        <>
          <Table
            caption={words.codes.title}
            rows={codes}
            keyOf={({ part, code }) => `${part} ${code}`}
            columns={[
              { id: 'code', title: words.codes.code, cell: ({ code }) => <ReasonLink code={code} /> },
              { id: 'part', title: words.codes.part, cell: ({ part }) => words.codes.parts[part] },
              { id: 'count', title: words.codes.count, figures: true, cell: ({ count }) => <Count value={count} /> },
              { id: 'before', title: words.codes.before, figures: true, cell: (one) => <Count value={one.before} /> },
              {
                id: 'messages',
                title: words.codes.messages,
                cell: ({ code }) => (
                  <a href={codeLog(carrierId, code, { from, until })} aria-label={words.codes.showOf(code)}>
                    {words.codes.show}
                  </a>
                ),
              },
            ]}
          />
          <p className={styles.told}>{words.codes.note}</p>
        </>
      )}
    </Panel>
  );
}
