/** Usage and cost of a period, by day and by group; statements and prices. */
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button, LinkButton } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Facts, Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Count } from '../../ui/Values';
import { Budget } from './Budget';
import { FiguresTable, GroupTable } from './GroupTable';
import { Outcomes } from './Outcomes';
import { PeriodPicker } from './PeriodPicker';
import { PriceBook } from './PriceBook';
import {
  busiest,
  type Days,
  dayOf,
  daysOfMonth,
  dayText,
  everyDay,
  isPeriod,
  lastMonths,
  messagesOf,
  presetDays,
} from './periods';
import styles from './Usage.module.css';
import { type Report, useDays, useKinds } from './usage';
import { useOpenDay } from './use-open-day';

const words = labelsOf('usage');

const StackedDays = lazy(() => import('./StackedDays').then((module) => ({ default: module.StackedDays })));

export function UsagePage() {
  const me = useMe();
  const today = dayOf(new Date());
  const [from] = useUrlText('from');
  const [to] = useUrlText('to');
  const days = isPeriod({ from, to }) ? { from, to } : presetDays('thisMonth', today);
  const report = useDays(days);
  return (
    <Page
      title={words.title}
      actions={<ApiRequest path={`/api/v1/usage?from=${days.from}&to=${days.to}&groupBy=day`} />}
    >
      {me.environment === 'sandbox' && <Notice tone="info" title={words.sandbox} />}
      <PeriodPicker days={days} today={today} />
      <Shown of={report}>
        {(data) =>
          messagesOf(data.total) === 0 ? (
            <NoTraffic today={today} />
          ) : (
            <>
              <Totals report={data} days={days} />
              <ByDay days={days} report={data} />
              <GroupTable days={days} currency={data.currency} />
            </>
          )
        }
      </Shown>
      <Outcomes days={days} />
      <Budget />
      <Statement today={today} />
      <PriceBook today={today} />
    </Page>
  );
}

function Totals({ report: { total, currency }, days }: { report: Report; days: Days }) {
  const kinds = useKinds(days);
  const costOf = (kind: string): string | null => kinds.data?.find(({ name }) => name === kind)?.cost ?? null;
  const priced = (cost: string | null): string => (cost === null || currency === null ? '' : `${currency} ${cost}`);
  return (
    <Panel>
      <Facts
        facts={[
          [
            words.figures.cost,
            <span key="cost" className={styles.big}>
              {total.cost === null ? '—' : `${currency ?? ''} ${total.cost}`}
            </span>,
          ],
          ...(['smsMessages', 'smsSegments', 'mmsMessages'] as const).map(
            (name) =>
              [
                words.figures[name],
                <span key={name} className={styles.figure}>
                  <span className={styles.big}>
                    <Count value={total[name]} />
                  </span>
                  {name === 'smsSegments' && <span>{priced(costOf('SMS'))}</span>}
                  {name === 'mmsMessages' && <span>{priced(costOf('MMS'))}</span>}
                </span>,
              ] as const,
          ),
        ]}
      />
      {total.cost === null && <p>{words.figures.noCost}.</p>}
      {total.cost !== null && total.unpricedMessages > 0 && <p>{words.unpriced(total.unpricedMessages)}</p>}
    </Panel>
  );
}

function ByDay({ days: { from, to }, report }: { days: Days; report: Report }) {
  const [asTable, setAsTable] = useState(false);
  const openDay = useOpenDay();
  const all = useMemo(() => everyDay({ from, to }, report.groups), [from, to, report.groups]);
  const days = useMemo(() => all.map(({ name }) => name), [all]);
  const series = useMemo(
    () => [
      { label: words.chart.sms, colour: 1 as const, values: all.map(({ smsMessages }) => smsMessages) },
      { label: words.chart.mms, colour: 4 as const, values: all.map(({ mmsMessages }) => mmsMessages) },
    ],
    [all],
  );
  const most = busiest(report.groups);
  const { smsMessages: sms, smsSegments: segments, mmsMessages: mms } = report.total;
  return (
    <Panel
      title={words.chart.title}
      actions={
        <Button onPress={() => setAsTable(!asTable)}>{asTable ? words.chart.asChart : words.chart.asTable}</Button>
      }
    >
      <p>
        {words.summary({
          sms,
          segments,
          mms,
          busiest: most === null ? null : dayText(most.name),
          most: most === null ? 0 : messagesOf(most),
        })}
      </p>
      {asTable ? (
        <FiguresTable
          by="day"
          days={{ from, to }}
          groups={all.filter((day) => messagesOf(day) > 0)}
          currency={report.currency}
        />
      ) : (
        <Suspense fallback={<p>{words.chart.loading}</p>}>
          <StackedDays
            label={words.chart.label}
            days={days}
            series={series}
            tell={(index) => {
              const day = all[index];
              return day === undefined ? '' : words.chart.day(dayText(day.name), day.smsMessages, day.mmsMessages);
            }}
            onOpen={openDay(days)}
          />
        </Suspense>
      )}
    </Panel>
  );
}

function NoTraffic({ today }: { today: string }) {
  const me = useMe();
  const [, setFrom] = useUrlText('from');
  const year = useDays(presetDays('last12', today));
  const last = year.data?.groups.findLast((group) => messagesOf(group) > 0);
  const month = last?.name.slice(0, 7);
  if (month === undefined) {
    const send = me.permissions.includes('send') && <LinkButton to="/messages/new">{words.empty.send}</LinkButton>;
    return (
      <Empty title={words.empty.title} action={send}>
        {words.empty.next}
      </Empty>
    );
  }
  const period = daysOfMonth(month);
  return (
    <Empty
      title={words.empty.title}
      action={<Button onPress={() => setFrom(period.from, { to: period.to })}>{words.empty.show}</Button>}
    >
      {words.empty.last(month)}
    </Empty>
  );
}

const monthsShown = 13;

function Statement({ today }: { today: string }) {
  const months = lastMonths(today, monthsShown);
  const [month, setMonth] = useState(months[0] ?? '');
  const save = useMutation({
    mutationFn: () => saveAnswer(`statement-${month}.csv`, `/usage/statement?month=${month}`),
  });
  return (
    <Panel title={words.statement.title}>
      <p>{words.statement.what}</p>
      <FormFault error={save.error} />
      <div className={styles.period}>
        <Select
          label={words.statement.month}
          value={month}
          onChange={setMonth}
          choices={months.map((value) => ({ value, label: value }))}
        />
        <Row>
          <Button isPending={save.isPending} onPress={() => save.mutate()}>
            {words.statement.download}
          </Button>
        </Row>
      </div>
    </Panel>
  );
}
