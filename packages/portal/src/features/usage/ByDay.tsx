/** The figures of the period and its chart: messages by day, by outcome or by kind, with the delivery rate; or as a table. */
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { OutcomeCounts, Outcomes, Usage } from '../../api/routes/usage';
import { numberText, percentText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { ColumnSlider, linesOver } from '../../ui/ColumnLines';
import { Columns } from '../../ui/Columns';
import { countChange, shareChange } from '../../ui/change';
import { scaleOfShares } from '../../ui/column-lines';
import { type KeyFigure, KeyFigures } from '../../ui/KeyFigures';
import { Panel } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Count } from '../../ui/Values';
import { costChange, outcomesOf, rateOf, rateText, totalOf } from './figures';
import { messagesSearch, withSet } from './filter';
import { useGrouping } from './GroupTable';
import { daysOf, daysText, dayText, dayTicks, everyDay, type Figures, messagesOf } from './periods';
import styles from './Usage.module.css';
import { type Range, useDays, useOutcomes } from './usage';

const labels = labelsOf('usage');

interface Day extends Figures {
  name: string;
  outcomes: OutcomeCounts;
}

const splits = ['outcome', 'kind'] as const;
type Split = (typeof splits)[number];

/** `range`: the days of the figures, which may be one chosen day of the chart's period. */
export function ByDay({ period, range, day }: { period: Range; range: Range; day: string | null }) {
  const [param, setSplit] = useUrlText('columns');
  const split: Split = param === 'kind' ? 'kind' : 'outcome';
  const [asTable, setAsTable] = useState(false);
  const [by] = useGrouping();
  const days = useDays(period);
  const outcomes = useOutcomes(period, by);
  return (
    <Panel
      title={labels.chart.title}
      actions={
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and these are no fields */}
          <div role="group" aria-label={labels.chart.split} className={styles.choices}>
            {splits.map((one) => (
              <Button
                key={one}
                look="quiet"
                aria-pressed={one === split}
                onPress={() => setSplit(one === 'outcome' ? '' : one)}
              >
                {labels.chart.splits[one]}
              </Button>
            ))}
          </div>
          <IconButton
            icon={asTable ? 'usage' : 'columns'}
            label={asTable ? labels.chart.asChart : labels.chart.asTable}
            onPress={() => setAsTable(!asTable)}
          />
        </>
      }
    >
      <KeyOf range={range} />
      <Shown of={days} rows={6}>
        {(usage) => (
          <Shown of={outcomes} rows={6} leads>
            {(became) => {
              const all = daysTogether(period, usage, became);
              if (asTable) return <AsTable days={all} currency={usage.currency} />;
              return <Chart days={all} split={split} chosen={day} />;
            }}
          </Shown>
        )}
      </Shown>
    </Panel>
  );
}

function daysTogether({ days }: Range, usage: Usage, became: Outcomes): Day[] {
  const counted = outcomesOf(daysOf(days), became.days);
  return everyDay(days, usage.groups).map((day, i) => ({ ...day, outcomes: counted[i]! }));
}

/** Names the days of the comparison. */
function KeyOf({ range }: { range: Range }) {
  const [by] = useGrouping();
  const days = useDays(range);
  const outcomes = useOutcomes(range, by);
  const pending = days.data === undefined || outcomes.data === undefined;
  if (pending) return <div className={styles.room} aria-busy="true" />;
  return (
    <>
      <KeyFigures figures={figuresOf(range, days.data, outcomes.data)} />
      {days.data.before !== null && <p className={styles.told}>{labels.compared(daysText(days.data.before))}</p>}
      {days.data.total.cost !== null && days.data.total.unpricedMessages > 0 && (
        <p>{labels.unpriced(days.data.total.unpricedMessages)}</p>
      )}
    </>
  );
}

function figuresOf({ days, filter }: Range, { total, before, currency }: Usage, outcomes: Outcomes): KeyFigure[] {
  const now = totalOf(outcomes.days);
  const log = (states: readonly string[] = []): { to?: string } => {
    const q = messagesSearch(days, filter, states);
    return q === null ? {} : { to: `/messages?${new URLSearchParams({ q })}` };
  };
  // Without any earlier message there is nothing to compare with.
  const past = before === null || messagesOf(before.total) === 0 ? null : before.total;
  const count = (name: 'smsSegments' | 'mmsMessages'): KeyFigure => ({
    id: name,
    name: labels.figures[name],
    value: numberText(total[name]),
    change: countChange(total[name], past?.[name] ?? null),
  });
  return [
    {
      id: 'messages',
      name: labels.figures.messages,
      about: labels.period.utc,
      value: numberText(messagesOf(total)),
      change: countChange(messagesOf(total), past === null ? null : messagesOf(past)),
      ...log(),
    },
    {
      id: 'rate',
      name: labels.figures.rate,
      about: labels.figures.rateOf,
      value: rateText(rateOf(now)),
      change: shareChange(rateOf(now), rateOf(outcomes.before)),
      ...log(['delivered']),
    },
    {
      id: 'failed',
      name: labels.figures.failed,
      about: labels.figures.failedOf,
      value: numberText(now.failed),
      change: countChange(
        now.failed,
        past === null && outcomes.before.failed === 0 ? null : outcomes.before.failed,
        '↑',
      ),
      ...log(['failed', 'undelivered', 'expired']),
    },
    count('smsSegments'),
    count('mmsMessages'),
    {
      id: 'cost',
      name: labels.figures.cost,
      about: total.cost === null ? labels.figures.noCost : undefined,
      value: total.cost === null ? '—' : `${currency ?? ''} ${total.cost}`,
      change: costChange(total.cost, past?.cost ?? null, labelsOf('ui').change),
    },
  ];
}

const series = {
  outcome: [
    { label: labels.series.delivered, tone: 'main' },
    { label: labels.series.waiting, tone: 'idle' },
    { label: labels.series.failed, tone: 'bad' },
  ],
  kind: [
    { label: labels.series.sms, tone: 'main' },
    { label: labels.series.mms, tone: 'second' },
  ],
} as const;

function Chart({ days, split, chosen }: { days: readonly Day[]; split: Split; chosen: string | null }) {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const rates = days.map(({ outcomes }) => rateOf(outcomes));
  return (
    <Columns
      label={labels.chart.title}
      keys={{ label: labels.chart.label, Slider: ColumnSlider }}
      series={series[split]}
      columns={days.map(({ name, outcomes: { delivered, waiting, failed }, smsMessages, mmsMessages }) => ({
        key: name,
        values: split === 'kind' ? [smsMessages, mmsMessages] : [delivered, waiting, failed],
        href: withSet({ pathname: '/usage', search }, { day: name === chosen ? '' : name }),
      }))}
      over={linesOver({
        scale: scaleOfShares(rates),
        textOf: (share) => percentText(share),
        lines: [{ label: labels.figures.rate, values: rates }],
      })}
      ticks={dayTicks(days.map(({ name }) => name))}
      chosen={chosen === null ? null : days.findIndex(({ name }) => name === chosen)}
      describe={(index) => {
        const day = days[index];
        if (day === undefined) return '';
        const { name, outcomes, smsMessages, mmsMessages } = day;
        const counts =
          split === 'kind'
            ? labels.chart.kinds(smsMessages, mmsMessages)
            : labels.chart.outcomes(outcomes.delivered, outcomes.waiting, outcomes.failed);
        return labels.chart.day(dayText(name), counts, rates[index] == null ? null : rateText(rates[index]));
      }}
    />
  );
}

function AsTable({ days, currency }: { days: readonly Day[]; currency: string | null }) {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const some = days.filter((day) => messagesOf(day) > 0 || Object.values(day.outcomes).some((count) => count > 0));
  if (some.length === 0) return <p>{labels.none.groups}</p>;
  const outcome = (name: keyof OutcomeCounts): Column<Day> => ({
    id: name,
    title: labels.outcomes[name],
    figures: true,
    cell: ({ outcomes }) => <Count value={outcomes[name]} />,
  });
  const figure = (name: 'smsMessages' | 'smsSegments' | 'mmsMessages'): Column<Day> => ({
    id: name,
    title: labels.figures[name],
    figures: true,
    cell: (day) => <Count value={day[name]} />,
  });
  return (
    <Table
      caption={labels.caption(labels.by.day)}
      rows={some.toReversed()}
      keyOf={({ name }) => name}
      columns={[
        {
          id: 'day',
          title: labels.by.day,
          cell: ({ name }) => (
            <Link to={withSet({ pathname: '/usage', search }, { day: name }) as '/'}>{dayText(name)}</Link>
          ),
        },
        ...(['delivered', 'waiting', 'failed'] as const).map(outcome),
        { id: 'rate', title: labels.figures.rate, figures: true, cell: ({ outcomes }) => rateText(rateOf(outcomes)) },
        ...(['smsMessages', 'smsSegments', 'mmsMessages'] as const).map(figure),
        ...(currency === null
          ? []
          : [
              {
                id: 'cost',
                title: `${labels.figures.cost} (${currency})`,
                figures: true,
                cell: ({ cost }: Day) => cost ?? '—',
              },
            ]),
      ]}
    />
  );
}
