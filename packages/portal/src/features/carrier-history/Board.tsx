/** All carriers over a period, compared with the period before: the worst change first. Any of them can be compared. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CarrierBoard, CarrierBoardRow } from '../../api/routes/carrier-history';
import type { CarrierShown } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Checkbox, Select } from '../../ui/Field';
import { sortedBy } from '../../ui/SortHead';
import { Notice, Shown } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { useAlerts } from '../alerts/alerts';
import { stateOf } from '../carriers/carriers';
import { FiringAlerts } from './CarrierAlerts';
import styles from './CarrierHistory.module.css';
import { Compare, compareMax } from './Compare';
import {
  deltaOf,
  type Figure,
  figureIn,
  isGap,
  type Order,
  orderOf,
  orders,
  sortedRows,
  textOf,
  worseText,
} from './figures';
import { type Range, ranges, useBoard, useRange } from './history';
import { Trend } from './Trend';

const labels = labelsOf('carrierHistory');

export function Board({ carriers }: { carriers: readonly CarrierShown[] }) {
  const [range, setRange] = useRange();
  const board = useBoard(range);
  const [param, sortBy] = useUrlText('sort');
  const by: Order = orders.find((one) => one === param) ?? 'worse';
  const order = (id: string): void => sortBy(id === 'worse' ? '' : id);
  return (
    <div className={styles.board} aria-busy={board.isPlaceholderData}>
      <div className={styles.above}>
        <RangeChoice range={range} onChoose={setRange} />
        <div className={styles.sort}>
          <Select
            label={labels.sort}
            value={by}
            onChange={order}
            choices={orders.map((value) => ({ value, label: orderName(value) }))}
          />
        </div>
      </div>
      <Shown of={board} rows={8}>
        {(data) => <BoardOf data={data} carriers={carriers} by={by} onSort={order} />}
      </Shown>
    </div>
  );
}

export function RangeChoice({ range, onChoose }: { range: Range; onChoose(range: Range): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend, and these are not fields
    <div role="group" aria-label={labels.choose} className={styles.ranges}>
      {ranges.map((one) => (
        <Button key={one} look="quiet" aria-pressed={one === range} onPress={() => onChoose(one)}>
          {labels.ranges[one]}
        </Button>
      ))}
    </div>
  );
}

function BoardOf({
  data,
  carriers,
  by,
  onSort,
}: {
  data: CarrierBoard;
  carriers: readonly CarrierShown[];
  by: Order;
  onSort(id: string): void;
}) {
  const [listed, setListed] = useUrlText('compare');
  const firing = useFiring();
  const rows = sortedRows(data.carriers, by);
  const compared = listed.split(',').filter((id) => rows.some(({ carrierId }) => carrierId === id));
  const [isFull, setFull] = useState(false);
  const choose = (carrierId: string, isIn: boolean): void => {
    const isTooMany = isIn && compared.length >= compareMax;
    setFull(isTooMany);
    if (!isTooMany) setListed([...compared.filter((id) => id !== carrierId), ...(isIn ? [carrierId] : [])].join(','));
  };
  const busy = rows.filter(({ now, before }) => now.tries + before.tries > 0);
  const shown =
    compared.length > 0
      ? rows.filter(({ carrierId }) => compared.includes(carrierId))
      : (busy.length > 0 ? busy : rows).slice(0, compareMax);
  return (
    <>
      <Summary data={data} />
      <Table
        caption={labels.caption(labels.spans[data.range])}
        rows={rows}
        keyOf={({ carrierId }) => carrierId}
        columns={columnsOf({ data, carriers, compared, choose, firing, by, onSort })}
      />
      <p className={styles.told}>{labels.against(labels.spans[data.range])}</p>
      <p role="status">{isFull && labels.compare.full(compareMax)}</p>
      <Compare range={data.range} rows={shown} isChosen={compared.length > 0} />
      <FiringAlerts />
    </>
  );
}

function orderName(order: Order): string {
  if (order === 'worse') return labels.sorts.worse;
  return order === 'name' ? labels.columns.carrier : labels.figures[order];
}

/** How many alerts fire about each carrier. */
function useFiring(): ReadonlyMap<string, number> {
  const { data } = useAlerts();
  const counts = new Map<string, number>();
  for (const { subject } of data?.firing ?? []) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return counts;
}

/** The result in one sentence: which carrier got worse. */
function Summary({ data: { carriers, range } }: { data: CarrierBoard }) {
  const worse = sortedRows(carriers, 'worse').filter((row) => row.worse.length > 0);
  if (carriers.every(({ now, before }) => isGap(now) && isGap(before))) {
    return <Notice tone="info" title={labels.summary.nothing} />;
  }
  if (worse.length === 0) {
    return <Notice tone="ok" title={labels.summary.well(carriers.length, labels.spans[range])} />;
  }
  return (
    <Notice tone="warn" title={labels.summary.worse(worse.map(({ name }) => name).join(', '), labels.spans[range])}>
      <ul className={styles.worse}>
        {worse.map((row) => (
          <li key={row.carrierId}>
            <HistoryLink of={row} range={range} /> {row.worse.map(worseText).join('; ')}.
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function HistoryLink({ of: { carrierId, name }, range }: { of: CarrierBoardRow; range: Range }) {
  const search = { tab: 'history', ...(range === '24h' ? {} : { range }) };
  return (
    <Link to="/carriers/$carrierId" params={{ carrierId }} search={search as never}>
      {name}
    </Link>
  );
}

interface Shows {
  data: CarrierBoard;
  carriers: readonly CarrierShown[];
  compared: readonly string[];
  choose(carrierId: string, isIn: boolean): void;
  firing: ReadonlyMap<string, number>;
  by: Order;
  onSort(id: string): void;
}

function columnsOf({ data, carriers, compared, choose, firing, by, onSort }: Shows): Column<CarrierBoardRow>[] {
  const sorts = (id: Order, title: string) =>
    sortedBy(title, orderOf(id), { isSorted: id === by, onSort: () => onSort(id) });
  const figure = (id: Figure, title: string): Column<CarrierBoardRow> => ({
    id,
    ...sorts(id, title),
    figures: true,
    cell: (row) => <Value of={row} figure={id} />,
  });
  return [
    {
      id: 'name',
      ...sorts('name', labels.columns.carrier),
      cell: (row) => (
        <span className={styles.name}>
          <span className={styles.carrier} title={row.name}>
            <HistoryLink of={row} range={data.range} />
          </span>
          <Marks
            of={row}
            carrier={carriers.find(({ carrierId }) => carrierId === row.carrierId)}
            firing={firing.get(row.carrierId) ?? 0}
          />
        </span>
      ),
    },
    { id: 'trend', title: labels.columns.trend, cell: ({ trend }) => <Trend counts={trend} /> },
    figure('throughput', labels.columns.throughput),
    figure('refusalRate', labels.columns.refusalRate),
    figure('deliveryRate', labels.columns.deliveryRate),
    figure('receiptRate', labels.columns.receiptRate),
    figure('delayP50Ms', labels.columns.delay),
    figure('uncertain', labels.columns.uncertain),
    figure('windowUse', labels.columns.windowUse),
    {
      id: 'limited',
      ...sorts('limited', labels.columns.limit),
      cell: ({ now: { limit } }) =>
        limit === null ? (
          <span className={styles.told}>{labels.factors.none}</span>
        ) : (
          <span className={styles.value} title={labels.factor(labels.factors[limit.factor], limit.share)}>
            {labels.factors[limit.factor]} <small className={styles.told}>{textOf('limited', limit.share)}</small>
          </span>
        ),
    },
    {
      id: 'compare',
      title: labels.columns.compare,
      cell: ({ carrierId, name }) => {
        const isIn = compared.includes(carrierId);
        return (
          <Checkbox
            aria-label={labels.compareOf(name)}
            isSelected={isIn}
            onChange={(wanted) => choose(carrierId, wanted)}
          >
            {''}
          </Checkbox>
        );
      },
    },
  ];
}

function Marks({ of: { worse }, carrier, firing }: { of: CarrierBoardRow; carrier?: CarrierShown; firing: number }) {
  const state = carrier === undefined ? 'up' : stateOf(carrier);
  return (
    <>
      {worse.length > 0 && (
        <span title={worse.map(worseText).join('; ')}>
          <Badge tone="bad" icon="warning" word={labels.worse} />
        </span>
      )}
      {state !== 'up' && <StatusBadge state={state} />}
      {firing > 0 && <Badge tone="bad" icon="alert" word={labels.alertsFiring(firing)} />}
    </>
  );
}

/** A figure with its change; words repeat what sign and colour show. */
function Value({ of, figure }: { of: CarrierBoardRow; figure: Figure }) {
  const delta = deltaOf(figure, of);
  const ui = labelsOf('ui').change;
  return (
    <span className={styles.value}>
      {textOf(figure, figureIn(figure, of.now))}
      {delta !== null && (
        <small className={delta.isWorse ? styles.bad : styles.told}>
          <span className="visually-hidden">{ui.before} </span>
          {delta.sign} {delta.text}
        </small>
      )}
    </span>
  );
}
