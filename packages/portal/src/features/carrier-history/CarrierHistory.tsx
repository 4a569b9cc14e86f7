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

const labels = labelsOf('carrierHistory');

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
              <Notice tone="warn" title={labels.summary.worse(data.name, labels.spans[data.range])}>
                {data.worse.map(worseText).join('; ')}.
              </Notice>
            )}
            <Panel
              title={labels.charts.title(labels.spans[data.range])}
              actions={
                <IconButton
                  icon={asTable ? 'usage' : 'columns'}
                  label={asTable ? labels.charts.asChart : labels.charts.asTable}
                  onPress={() => setAsTable(!asTable)}
                />
              }
            >
              <KeyFigures figures={keyFigures.map((figure) => keyFigure(figure, data))} />
              <p className={styles.told}>{labels.against(labels.spans[data.range])}</p>
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
    name: labels.figures[figure],
    about: labels.about[figure as keyof typeof labels.about],
    value: textOf(figure, figureIn(figure, now)),
    change,
  };
}

function Codes({ of: { codes, carrierId, from, until } }: { of: History }) {
  return (
    <Panel title={labels.codes.title}>
      {codes.length === 0 ? (
        <Empty title={labels.codes.none} />
      ) : (
        <>
          <Table
            caption={labels.codes.title}
            rows={codes}
            keyOf={({ part, code }) => `${part} ${code}`}
            columns={[
              { id: 'code', title: labels.codes.code, cell: ({ code }) => <ReasonLink code={code} /> },
              { id: 'part', title: labels.codes.part, cell: ({ part }) => labels.codes.parts[part] },
              { id: 'count', title: labels.codes.count, figures: true, cell: ({ count }) => <Count value={count} /> },
              { id: 'before', title: labels.codes.before, figures: true, cell: (one) => <Count value={one.before} /> },
              {
                id: 'messages',
                title: labels.codes.messages,
                cell: ({ code }) => (
                  <a href={codeLog(carrierId, code, { from, until })} aria-label={labels.codes.showOf(code)}>
                    {labels.codes.show}
                  </a>
                ),
              },
            ]}
          />
          <p className={styles.told}>{labels.codes.note}</p>
        </>
      )}
    </Panel>
  );
}
