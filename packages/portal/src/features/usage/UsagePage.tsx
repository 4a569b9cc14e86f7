/** Usage of a period by day and by group, with filters; budget, statements and prices. */
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button, LinkButton } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Budget } from './Budget';
import { ByDay } from './ByDay';
import { filterOf, isNarrowed } from './filter';
import { GroupTable } from './GroupTable';
import { Narrowed } from './Narrowed';
import { PeriodPicker } from './PeriodPicker';
import { PriceBook } from './PriceBook';
import { dayOf, daysOfMonth, isPeriod, lastMonths, messagesOf, monthText, presetDays } from './periods';
import styles from './Usage.module.css';
import { useDays } from './usage';

const labels = labelsOf('usage');

export function UsagePage() {
  const me = useMe();
  const today = dayOf(new Date());
  const [from] = useUrlText('from');
  const [to] = useUrlText('to');
  const [param] = useUrlText('day');
  const filter = filterOf(useLocation({ select: ({ searchStr }) => searchStr }));
  const days = isPeriod({ from, to }) ? { from, to } : presetDays('thisMonth', today);
  const day = isPeriod({ from: param, to: param }) && param >= days.from && param <= days.to ? param : null;
  const period = { days, filter };
  const range = { days: day === null ? days : { from: day, to: day }, filter };
  const report = useDays(period);
  const query = new URLSearchParams({ ...range.days, groupBy: 'day', ...filter });
  return (
    <Page title={labels.title} actions={<ApiRequest path={`/api/v1/usage?${query}`} />}>
      {me.environment === 'sandbox' && <Notice tone="info" title={labels.sandbox} />}
      <PeriodPicker days={days} today={today} />
      <Narrowed day={day} days={days} filter={filter} />
      <Shown of={report} leads>
        {({ total, currency }) =>
          messagesOf(total) === 0 && !isNarrowed(filter) ? (
            <NoTraffic today={today} />
          ) : (
            <>
              <ByDay period={period} range={range} day={day} />
              <GroupTable range={range} currency={currency} />
            </>
          )
        }
      </Shown>
      <Budget />
      <Statement today={today} />
      <PriceBook today={today} />
    </Page>
  );
}

function NoTraffic({ today }: { today: string }) {
  const me = useMe();
  const [, setFrom] = useUrlText('from');
  const year = useDays({ days: presetDays('last12', today), filter: {} });
  const last = year.data?.groups.findLast((group) => messagesOf(group) > 0);
  const month = last?.name.slice(0, 7);
  if (month === undefined) {
    const send = me.permissions.includes('send') && <LinkButton to="/messages/new">{labels.empty.send}</LinkButton>;
    return (
      <Empty title={labels.empty.title} action={send}>
        {labels.empty.next}
      </Empty>
    );
  }
  const period = daysOfMonth(month);
  return (
    <Empty
      title={labels.empty.title}
      action={<Button onPress={() => setFrom(period.from, { to: period.to })}>{labels.empty.show}</Button>}
    >
      {labels.empty.last(monthText(month))}
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
    <Panel title={labels.statement.title}>
      <p>{labels.statement.what}</p>
      <FormFault error={save.error} />
      <div className={styles.period}>
        <Select
          label={labels.statement.month}
          value={month}
          onChange={setMonth}
          choices={months.map((value) => ({ value, label: labels.statement.choice(monthText(value)) }))}
        />
        <Row>
          <LinkButton to="/usage/statement" search={{ month } as never}>
            {labels.statement.open}
          </LinkButton>
          <Button isPending={save.isPending} onPress={() => save.mutate()}>
            {labels.statement.download}
          </Button>
        </Row>
      </div>
    </Panel>
  );
}
