/** The outcomes of the period's messages: by day, number or campaign, with a column for each outcome. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { api } from '../../api/client';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Panel, Row } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Count, Phone } from '../../ui/Values';
import { messagesSearch } from './messages-search';
import {
  columnStates,
  deliveredShare,
  groupedOutcomes,
  type OutcomeColumn,
  type OutcomeGroup,
  type OutcomeRow,
  type OutcomesBy,
  outcomeColumns,
  outcomesByDay,
  outcomesCsv,
} from './outcomes';
import { type Days, daysOf, dayText } from './periods';
import styles from './Usage.module.css';
import { useOpenDay } from './use-open-day';

const usageWords = labelsOf('usage');

const words = usageWords.outcomes;
const choices: readonly OutcomesBy[] = ['day', 'number', 'campaign'];

const StackedDays = lazy(() => import('./StackedDays').then((module) => ({ default: module.StackedDays })));

export function Outcomes({ days }: { days: Days }) {
  const { environment } = useMe();
  const [asked, setBy] = useUrlText('outcomes');
  const by = choices.find((choice) => choice === asked) ?? 'day';
  const [asTable, setAsTable] = useState(false);
  const found = useQuery({
    queryKey: ['usage', environment, 'outcomes', days.from, days.to],
    queryFn: async () => (await api.get('/usage/outcomes', { query: { from: days.from, to: days.to } })).data,
  });
  return (
    <Panel
      title={words.title}
      actions={
        <>
          <Select
            label={words.by.label}
            value={by}
            onChange={(value) => setBy(value)}
            choices={choices.map((value) => ({ value, label: words.by[value] }))}
          />
          {by === 'day' && (
            <span className={styles.low}>
              <Button aria-label={asTable ? words.asChart : words.asTable} onPress={() => setAsTable(!asTable)}>
                {asTable ? usageWords.chart.asChart : usageWords.chart.asTable}
              </Button>
            </span>
          )}
        </>
      }
    >
      <p>{words.what}</p>
      <Shown of={found}>
        {({ looked, whole, rows }) =>
          rows.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <>
              {!whole && <p>{words.partly(looked)}</p>}
              {by === 'day' && !asTable ? (
                <OutcomesChart days={days} rows={rows} />
              ) : (
                <OutcomesTable by={by} rows={rows} days={days} />
              )}
              <Row>
                <Button
                  onPress={() =>
                    saveText(
                      `outcomes-${by}-${days.from}-${days.to}.csv`,
                      outcomesCsv(groupedOutcomes(rows, by), by),
                      'text/csv;charset=utf-8',
                    )
                  }
                >
                  {words.exportCsv}
                </Button>
              </Row>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

const colours = { delivered: 1, undelivered: 2, failed: 3, expired: 5, unconfirmed: 4, open: 6 } as const;

function OutcomesChart({ days: { from, to }, rows }: { days: Days; rows: readonly OutcomeRow[] }) {
  const openDay = useOpenDay();
  const { days, counts, series } = useMemo(() => {
    const days = daysOf({ from, to });
    const counts = outcomesByDay(rows, days);
    const series = outcomeColumns.map((column) => ({
      label: words.columns[column],
      colour: colours[column],
      values: counts.map((day) => day[column]),
    }));
    return { days, counts, series };
  }, [from, to, rows]);
  return (
    <Suspense fallback={<p>{usageWords.chart.loading}</p>}>
      <StackedDays
        label={words.chart}
        days={days}
        series={series}
        tell={(index) => {
          const day = counts[index];
          const named = outcomeColumns.flatMap((column): [string, number][] =>
            day !== undefined && day[column] > 0 ? [[words.columns[column], day[column]]] : [],
          );
          return words.day(days[index] === undefined ? '' : dayText(days[index]), named);
        }}
        onOpen={openDay(days)}
      />
    </Suspense>
  );
}

function OutcomesTable({ by, rows, days }: { by: OutcomesBy; rows: readonly OutcomeRow[]; days: Days }) {
  const navigate = useNavigate();
  const groups = useMemo(() => groupedOutcomes(rows, by), [rows, by]);
  const searchOf = ({ name, numbers }: OutcomeGroup, column?: OutcomeColumn): string | null =>
    messagesSearch(by === 'day' ? { from: name, to: name } : days, {
      numbers: by === 'day' ? [] : numbers,
      states: column === undefined ? [] : columnStates[column],
    });
  const columns: Column<OutcomeGroup>[] = [
    { id: 'name', title: words.by[by], cell: ({ name }) => <Name by={by} name={name} /> },
    {
      id: 'all',
      title: words.all,
      figures: true,
      cell: (group) => <Messages count={group.all} q={searchOf(group)} of={group.name} />,
    },
    ...outcomeColumns.map(
      (column): Column<OutcomeGroup> => ({
        id: column,
        title: words.columns[column],
        figures: true,
        cell: (group) => (
          <Messages count={group[column]} q={searchOf(group, column)} of={`${group.name}, ${words.columns[column]}`} />
        ),
      }),
    ),
    { id: 'share', title: words.share, figures: true, cell: (group) => deliveredShare(group) ?? '—' },
  ];
  return (
    <Table
      caption={words.caption(words.by[by])}
      rows={groups}
      keyOf={({ name }) => name}
      columns={columns}
      onOpen={(group) => {
        const q = searchOf(group);
        if (q !== null) void navigate({ to: '/messages', search: { q } as never });
      }}
    />
  );
}

/** A count with a link to its messages. */
function Messages({ count, q, of }: { count: number; q: string | null; of: string }) {
  if (count === 0 || q === null) return <Count value={count} />;
  return (
    <Link to="/messages" search={{ q } as never} aria-label={words.messages(count, of)}>
      <Count value={count} />
    </Link>
  );
}

function Name({ by, name }: { by: OutcomesBy; name: string }) {
  if (by === 'day') return dayText(name);
  if (name === '') return words.noCampaign;
  return by === 'number' ? (
    <Link to="/numbers/$number" params={{ number: name }}>
      <Phone digits={name} />
    </Link>
  ) : (
    <Link to="/campaigns/$campaignId" params={{ campaignId: name }}>
      {name}
    </Link>
  );
}
