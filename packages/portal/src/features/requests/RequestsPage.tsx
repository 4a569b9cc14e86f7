/** API calls: filtered by the URL, live, as an export; and the number of calls that were only counted. */
import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { query } from '../../api/client';
import type { ApiCallKept, UnkeptCalls } from '../../api/routes/requests';
import { useMe } from '../../api/session';
import { timeZone as zoneShown } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { curlOf } from '../../ui/ApiRequest';
import { Button } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Choices, Page, Row } from '../../ui/Page';
import { SearchForm } from '../../ui/SearchForm';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Code, momentText, ReasonLink, Time } from '../../ui/Values';
import { useKeys } from '../keys/keys';
import { useReasons } from '../reasons/reasons';
import { CallStatus } from './CallStatus';
import styles from './Requests.module.css';
import { isPeriod, type Period, paramsOf, periodMs, type RequestFilter, useRequests } from './requests';

const labels = labelsOf('requests');

/** Minutes listed one by one; the others share a line. */
const minutesShown = 3;

type Setter = (value: string, others?: Readonly<Record<string, string>>) => void;

export function RequestsPage() {
  const [q, setQ] = useUrlText('q');
  const [status, setStatus] = useUrlText('status');
  const [reason, setReason] = useUrlText('reason');
  const [key, setKey] = useUrlText('key');
  const [period, setPeriod] = useUrlText('since');
  const [before, setBefore] = useUrlText('before');
  const router = useRouter();
  const filter = { q, status, reason, key, period };
  const found = useRequests(filter, before);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const clear = () => setQ('', { status: '', reason: '', key: '', since: '', before: '' });
  return (
    <Page title={labels.title} actions={<ExportMenu of={filter} />}>
      <p>{labels.intro}</p>
      <SearchForm key={q} value={q} onFind={(text) => setQ(text, { before: '' })} labels={labels} mono />
      <Filters filter={filter} set={{ status: setStatus, reason: setReason, key: setKey, period: setPeriod }} />
      {isFiltered && (
        <Chips
          filter={filter}
          set={{ q: setQ, status: setStatus, reason: setReason, key: setKey, period: setPeriod }}
          onClear={clear}
        />
      )}
      <Shown of={found}>
        {({ calls, unkept, next }) => (
          <>
            <UnkeptNotice of={unkept} />
            {calls.length > 0 && (
              <Table
                caption={labels.caption}
                columns={columns}
                rows={calls}
                keyOf={({ requestId }) => requestId}
                onOpen={({ requestId }) => void router.navigate({ to: '/requests/$requestId', params: { requestId } })}
              />
            )}
            {calls.length === 0 && (isFiltered || before !== '' ? <NoMatch onClear={clear} /> : <NoCall />)}
            <Row>
              {before !== '' && <Button onPress={() => setBefore('')}>{labels.newest}</Button>}
              {next !== null && <Button onPress={() => setBefore(next)}>{labels.older}</Button>}
            </Row>
          </>
        )}
      </Shown>
    </Page>
  );
}

function Filters({
  filter,
  set,
}: {
  filter: RequestFilter;
  set: Readonly<Record<'status' | 'reason' | 'key' | 'period', Setter>>;
}) {
  const keys = useKeys();
  const reasons = useReasons();
  const known = (name: string, choices: { value: string; label: string }[], value: string) => [
    { value: '', label: name },
    ...(value === '' || choices.some((one) => one.value === value) ? [] : [{ value, label: value }]),
    ...choices,
  ];
  const codes = (reasons.data ?? []).filter(({ scope }) => scope === 'request').map(({ code }) => code);
  return (
    <Choices>
      <Select
        label={labels.status}
        value={filter.status}
        onChange={(value) => set.status(value, { before: '' })}
        choices={known(
          labels.anyStatus,
          Object.entries(labels.statuses).map(([value, label]) => ({ value, label })),
          filter.status,
        )}
      />
      <Select
        label={labels.reason}
        value={filter.reason}
        onChange={(value) => set.reason(value, { before: '' })}
        choices={known(
          labels.anyReason,
          codes.map((value) => ({ value, label: value })),
          filter.reason,
        )}
      />
      <Select
        label={labels.key}
        value={filter.key}
        onChange={(value) => set.key(value, { before: '' })}
        choices={known(
          labels.anyKey,
          (keys.data ?? []).map(({ keyId, name }) => ({ value: keyId, label: name })),
          filter.key,
        )}
      />
      <Select
        label={labels.since}
        value={isPeriod(filter.period) ? filter.period : ''}
        onChange={(value) => set.period(value, { before: '' })}
        choices={known(
          labels.ever,
          (Object.keys(periodMs) as Period[]).map((value) => ({ value, label: labels.periods[value] })),
          '',
        )}
      />
    </Choices>
  );
}

function Chips({
  filter: { q, status, reason, key, period },
  set,
  onClear,
}: {
  filter: RequestFilter;
  set: Readonly<Record<keyof RequestFilter, Setter>>;
  onClear(): void;
}) {
  const keys = useKeys();
  const keyName = keys.data?.find(({ keyId }) => keyId === key)?.name ?? key;
  const chips = [
    { value: q, text: labels.chips.q(q), drop: set.q },
    { value: status, text: labels.chips.status(status), drop: set.status },
    { value: reason, text: labels.chips.reason(reason), drop: set.reason },
    { value: key, text: labels.chips.key(keyName), drop: set.key },
    { value: isPeriod(period) ? period : '', text: isPeriod(period) ? labels.periods[period] : '', drop: set.period },
  ].filter(({ value }) => value !== '');
  return (
    <ul className={styles.chips} aria-label={labels.filters}>
      {chips.map(({ text, drop }) => (
        <li key={text}>
          <Button icon="cross" aria-label={labels.remove(text)} onPress={() => drop('', { before: '' })}>
            {text}
          </Button>
        </li>
      ))}
      <li>
        <Button look="quiet" onPress={onClear}>
          {labels.clearAll}
        </Button>
      </li>
    </ul>
  );
}

const columns: readonly Column<ApiCallKept>[] = [
  { id: 'at', title: labels.columns.at, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'call',
    title: labels.columns.call,
    cell: ({ method, path, dryRun, requestId }) => (
      <span className={styles.call}>
        <Link to="/requests/$requestId" params={{ requestId }}>
          <code>{`${method} ${path}`}</code>
        </Link>
        {dryRun && <span className={styles.muted}> {labels.dryRun}</span>}
      </span>
    ),
  },
  { id: 'status', title: labels.columns.status, cell: ({ status }) => <CallStatus status={status} /> },
  { id: 'reason', title: labels.columns.reason, cell: ({ reason }) => <ReasonLink code={reason} /> },
  { id: 'key', title: labels.columns.key, cell: (call) => <KeyLink of={call} /> },
  { id: 'ip', title: labels.columns.ip, cell: ({ ip }) => <code>{ip}</code> },
  { id: 'ms', title: labels.columns.ms, figures: true, cell: ({ ms }) => ms },
  {
    id: 'request',
    title: labels.columns.request,
    cell: ({ requestId }) => (
      <code className={styles.muted} title={requestId}>{`${requestId.slice(0, 8)}…${requestId.slice(-4)}`}</code>
    ),
  },
];

export function KeyLink({ of: { keyId, keyName } }: { of: ApiCallKept }) {
  return (
    <Link to="/settings/company/api-keys/$keyId" params={{ keyId }}>
      {keyName}
    </Link>
  );
}

function UnkeptNotice({ of }: { of: readonly UnkeptCalls[] }) {
  if (of.length === 0) return null;
  const [shown, rest] = [of.slice(0, minutesShown), of.slice(minutesShown)];
  return (
    <Notice tone="info" title={labels.unkept.title}>
      <ul className={styles.unkept}>
        {shown.map(({ minute, calls }) => (
          <li key={minute}>{labels.unkept.line(calls, momentText(minute))}</li>
        ))}
        {rest.length > 0 && (
          <li>
            {labels.unkept.more(
              rest.length,
              rest.reduce((sum, { calls }) => sum + calls, 0),
            )}
          </li>
        )}
      </ul>
      <p>{labels.unkept.why}</p>
    </Notice>
  );
}

function NoMatch({ onClear }: { onClear(): void }) {
  return (
    <Empty title={labels.noMatch.title} action={<Button onPress={onClear}>{labels.clearAll}</Button>}>
      {labels.noMatch.detail}
    </Empty>
  );
}

function NoCall() {
  const { baseUrl } = useMe();
  return (
    <Empty
      title={labels.none.title}
      action={
        <div className={styles.first}>
          <Code text={curlOf(baseUrl, { path: '/api/v1/messages' })} what={labels.none.curl} />
        </div>
      }
    >
      {labels.none.detail}
    </Empty>
  );
}

/** Exports everything that matches the filter, not only the shown rows. */
function ExportMenu({ of }: { of: RequestFilter }) {
  const save = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') => {
      const timeZone = zoneShown() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      return saveAnswer(`requests.${format}`, `/requests/export.${format}${query({ ...paramsOf(of), timeZone })}`);
    },
  });
  return (
    <>
      <ActionMenu
        label={labels.export}
        actions={(['csv', 'jsonl'] as const).map((format) => ({
          id: format,
          label: labels[format],
          run: () => save.mutate(format),
        }))}
      />
      <FormFault error={save.error} />
    </>
  );
}
