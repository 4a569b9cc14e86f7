/** Every company of the gateway; for operators. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Page } from '../../ui/Page';
import { Empty, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Count } from '../../ui/Values';
import { accountWords as words } from '../../words/en/accounts';
import { AccountForm } from './AccountForm';
import { type Account, priceOn, useAccounts } from './accounts';

export function AccountsPage() {
  const accounts = useAccounts();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={words.title} actions={add}>
      <p>{words.what}</p>
      <Shown of={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={words.empty.title} action={add}>
              {words.empty.detail}
            </Empty>
          ) : (
            <>
              <p>{words.count(list.length)}</p>
              <Table
                caption={words.title}
                columns={columns}
                rows={list}
                keyOf={({ accountId }) => accountId}
                onOpen={({ accountId }) => void navigate({ to: '/accounts/$accountId', params: { accountId } })}
              />
            </>
          )
        }
      </Shown>
      {adding && <AccountForm of={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}

const columns: Column<Account>[] = [
  {
    id: 'name',
    title: words.columns.name,
    cell: ({ accountId, name }) => (
      <Link to="/accounts/$accountId" params={{ accountId }}>
        {name}
      </Link>
    ),
  },
  { id: 'status', title: words.columns.status, cell: ({ status }) => <StatusBadge state={status} /> },
  {
    id: 'numbers',
    title: words.columns.numbers,
    figures: true,
    cell: ({ counts }) => <Count value={counts.numbers} />,
  },
  { id: 'keys', title: words.columns.keys, figures: true, cell: ({ counts }) => <Count value={counts.keys} /> },
  {
    id: 'limit',
    title: words.columns.limit,
    cell: ({ requestsPerSecond: limit }) => (limit === 0 ? words.noLimit : words.perSecond(limit)),
  },
  { id: 'rates', title: words.columns.rates, cell: ({ rates }) => priceText(rates) },
];

function priceText(rates: Account['rates']): string {
  const rate = priceOn(new Date().toISOString().slice(0, 10), rates);
  return rate === null ? words.noPrice : `${rate.smsPerSegment} ${rate.currency}`;
}
