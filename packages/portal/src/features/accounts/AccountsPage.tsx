/** Every company of the gateway; for operators. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { TextField } from '../../ui/Field';
import { FilterLine, Page, Row } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { Empty, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Count } from '../../ui/Values';
import { AccountForm } from './AccountForm';
import { type Account, accountsCsv, fittingAccounts, priceOn, useAccounts } from './accounts';

const labels = labelsOf('account');

export function AccountsPage() {
  const accounts = useAccounts();
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {labels.add}
    </Button>
  );
  return (
    <Page title={labels.title} actions={add}>
      <p>{labels.what}</p>
      <Shown of={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={labels.empty.title} action={add}>
              {labels.empty.detail}
            </Empty>
          ) : (
            <AccountList list={list} />
          )
        }
      </Shown>
      {adding && <AccountForm of={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AccountList({ list }: { list: readonly Account[] }) {
  const navigate = useNavigate();
  const [search, setSearch] = useUrlText('q');
  const shown = fittingAccounts(list, search);
  return (
    <>
      <FilterLine>
        <TextField label={labels.search} type="search" value={search} onChange={setSearch} />
      </FilterLine>
      <Row>
        <span role="status">{labels.count(shown.length, list.length)}</span>
        <Button
          look="quiet"
          onPress={() => saveText('accounts.csv', accountsCsv(shown, today()), 'text/csv;charset=utf-8')}
        >
          {labels.exportCsv}
        </Button>
        <FilterViews list="account" fields={{ q: labels.search }} />
      </Row>
      {shown.length === 0 ? (
        <Empty title={labels.nothingFits} action={<Button onPress={() => setSearch('')}>{labels.showAll}</Button>} />
      ) : (
        <Table
          caption={labels.title}
          columns={columns}
          rows={shown}
          keyOf={({ accountId }) => accountId}
          onOpen={({ accountId }) => void navigate({ to: '/accounts/$accountId', params: { accountId } })}
        />
      )}
    </>
  );
}

const today = (): string => new Date().toISOString().slice(0, 10);

const columns: Column<Account>[] = [
  {
    id: 'name',
    title: labels.columns.name,
    cell: ({ accountId, name }) => (
      <Link to="/accounts/$accountId" params={{ accountId }}>
        {name}
      </Link>
    ),
  },
  { id: 'status', title: labels.columns.status, cell: ({ status }) => <StatusBadge state={status} /> },
  {
    id: 'numbers',
    title: labels.columns.numbers,
    figures: true,
    cell: ({ counts }) => <Count value={counts.numbers} />,
  },
  { id: 'keys', title: labels.columns.keys, figures: true, cell: ({ counts }) => <Count value={counts.keys} /> },
  {
    id: 'limit',
    title: labels.columns.limit,
    cell: ({ requestsPerSecond: limit }) => (limit === 0 ? labels.noLimit : labels.perSecond(limit)),
  },
  { id: 'rates', title: labels.columns.rates, cell: ({ rates }) => priceText(rates) },
];

function priceText(rates: Account['rates']): string {
  const rate = priceOn(today(), rates);
  return rate === null ? labels.noPrice : `${rate.smsPerSegment} ${rate.currency}`;
}
