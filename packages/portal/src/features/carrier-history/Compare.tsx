/** Up to four carriers in one chart of a chosen figure, and as a table. */
import { useState } from 'react';
import type { CarrierBoardRow, CarrierHistory } from '../../api/routes/carrier-history';
import { useTimeZone } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { IconButton } from '../../ui/Button';
import { ColumnSlider, linesOver } from '../../ui/ColumnLines';
import { Columns } from '../../ui/Columns';
import { Select } from '../../ui/Field';
import { useNarrow } from '../../ui/narrow';
import { Panel } from '../../ui/Page';
import { Fault, Loading } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import styles from './CarrierHistory.module.css';
import { figureIn, figures, isGap, scaleOfFigure, textOf, ticksOf, whenText } from './figures';
import { type Range, useHistories } from './history';

const labels = labelsOf('carrierHistory');

export const compareMax = 4;

export function Compare({
  range,
  rows,
  isChosen,
}: {
  range: Range;
  rows: readonly CarrierBoardRow[];
  /** A person chose these; otherwise they are the first of the board. */
  isChosen: boolean;
}) {
  const [param, choose] = useUrlText('figure');
  const [asTable, setAsTable] = useState(false);
  const figure = figures.find((one) => one === param) ?? 'refusalRate';
  const histories = useHistories(
    rows.map(({ carrierId }) => carrierId),
    range,
  );
  const found = histories.flatMap(({ data }) => data ?? []);
  const failed = histories.find(({ data, isError }) => data === undefined && isError);
  return (
    <Panel
      title={labels.compare.title}
      actions={
        <IconButton
          icon={asTable ? 'usage' : 'columns'}
          label={asTable ? labels.charts.asChart : labels.charts.asTable}
          onPress={() => setAsTable(!asTable)}
        />
      }
    >
      <div className={styles.above}>
        <p className={styles.told}>
          {labels.compare.hint(compareMax)} {isChosen ? labels.about[figure] : labels.compare.first}
        </p>
        <div className={styles.sort}>
          <Select
            label={labels.compare.figure}
            value={figure}
            onChange={(value) => choose(value === 'refusalRate' ? '' : value)}
            choices={figures.map((value) => ({ value, label: labels.figures[value] }))}
          />
        </div>
      </div>
      {failed !== undefined ? (
        <Fault error={failed.error} retry={() => void failed.refetch()} />
      ) : found.length < rows.length ? (
        <Loading rows={6} />
      ) : (
        <Compared histories={found} figure={figure} asTable={asTable} />
      )}
    </Panel>
  );
}

function Compared({
  histories,
  figure,
  asTable,
}: {
  histories: readonly CarrierHistory[];
  figure: (typeof figures)[number];
  asTable: boolean;
}) {
  const timeZone = useTimeZone();
  const isNarrow = useNarrow('(max-width: 600px)');
  const [first] = histories;
  if (first === undefined) return null;
  const { bars, range } = first;
  const title = labels.figures[figure];
  const valuesOf = ({ bars: own }: CarrierHistory) => own.map((bar) => figureIn(figure, bar));
  const at = (history: CarrierHistory, index: number): string => textOf(figure, valuesOf(history)[index] ?? null);
  if (asTable) {
    const columns: Column<{ from: string; until: string; index: number }>[] = [
      { id: 'from', title: labels.charts.from, cell: (bar) => whenText(bar, timeZone) },
      ...histories.map((history) => ({
        id: history.carrierId,
        title: history.name,
        figures: true,
        cell: ({ index }: { index: number }) => at(history, index),
      })),
    ];
    return (
      <Table
        caption={title}
        rows={bars.map((bar, index) => ({ ...bar, index })).toReversed()}
        keyOf={({ from }) => from}
        columns={columns}
      />
    );
  }
  return (
    <Columns
      label={title}
      keys={{ label: labels.charts.keys(title), Slider: ColumnSlider }}
      series={[]}
      columns={bars.map(({ from }, index) => ({
        key: from,
        values: [],
        isGap: histories.every((history) => isGap(history.bars[index]!)),
      }))}
      over={linesOver({
        scale: scaleOfFigure(figure, histories.flatMap(valuesOf)),
        textOf: (value) => textOf(figure, value),
        lines: histories.map((history) => ({ label: history.name, values: valuesOf(history) })),
      })}
      ticks={ticksOf(range, bars, { timeZone, isNarrow })}
      describe={(index) =>
        [
          whenText(bars[index]!, timeZone),
          ...histories.map((history) => labels.charts.pair(history.name, at(history, index))),
        ].join(' · ')
      }
    />
  );
}
