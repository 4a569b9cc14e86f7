/** The campaigns of the company, searched, filtered and exported; and for the operator those that wait for an outcome. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { Select, TextField } from '../../ui/Field';
import { FilterViews } from '../../ui/SavedViews';
import { Empty, Shown } from '../../ui/States';
import { StatusBadge, statusWord } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Count, Time } from '../../ui/Values';
import styles from './Campaigns.module.css';
import { type CampaignRow, useCampaigns, useWaitingCampaigns } from './campaigns';
import { campaignsCsv, campaignsLike } from './list';

const words = labelsOf('campaign');

export function CampaignList({ action }: { action: ReactNode }) {
  const campaigns = useCampaigns();
  return (
    <Shown of={campaigns}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={words.empty.title} action={action}>
            {words.empty.detail}
          </Empty>
        ) : (
          <Filtered rows={rows} />
        )
      }
    </Shown>
  );
}

export function WaitingList() {
  const waiting = useWaitingCampaigns(true);
  const company: Column<CampaignRow> = { id: 'company', title: words.columns.company, cell: (row) => row.company };
  return (
    <Shown of={waiting}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={words.noWaiting.title}>{words.noWaiting.detail}</Empty>
        ) : (
          <CampaignTable rows={rows} columns={[...campaignColumns.slice(0, 2), company, ...campaignColumns.slice(2)]} />
        )
      }
    </Shown>
  );
}

function Filtered({ rows }: { rows: readonly CampaignRow[] }) {
  const [search, setSearch] = useUrlText('q');
  const [status, setStatus] = useUrlText('status');
  const shown = campaignsLike(rows, { search, status });
  const states = [...new Set(rows.map((row) => row.status))];
  return (
    <>
      <div className={styles.pair}>
        <TextField label={words.list.search} type="search" value={search} onChange={setSearch} />
        <Select
          label={words.columns.status}
          choices={[
            { value: 'any', label: words.list.any },
            ...states.map((state) => ({ value: state, label: statusWord(state) })),
          ]}
          value={status === '' ? 'any' : status}
          onChange={(value) => setStatus(value === 'any' ? '' : value)}
        />
      </div>
      <div className={styles.line}>
        <span role="status">{words.list.count(shown.length, rows.length)}</span>
        <Button look="quiet" onPress={() => saveText('campaigns.csv', campaignsCsv(shown), 'text/csv;charset=utf-8')}>
          {words.list.exportCsv}
        </Button>
        <FilterViews list="campaign" fields={{ q: words.list.search, status: words.columns.status }} />
      </div>
      {shown.length === 0 ? (
        <Empty
          title={words.list.nothingFits}
          action={<Button onPress={() => setSearch('', { status: '' })}>{words.list.clear}</Button>}
        />
      ) : (
        <CampaignTable rows={shown} columns={campaignColumns} />
      )}
    </>
  );
}

function CampaignTable({ rows, columns }: { rows: readonly CampaignRow[]; columns: readonly Column<CampaignRow>[] }) {
  const navigate = useNavigate();
  return (
    <Table
      caption={words.title}
      columns={columns}
      rows={rows}
      keyOf={({ campaignId }) => campaignId}
      onOpen={({ campaignId }) => void navigate({ to: '/campaigns/$campaignId', params: { campaignId } })}
    />
  );
}

const campaignColumns: readonly Column<CampaignRow>[] = [
  {
    id: 'name',
    title: words.columns.name,
    cell: ({ campaignId, name }) => (
      <span className={styles.line}>
        <Link to="/campaigns/$campaignId" params={{ campaignId }}>
          {name}
        </Link>
        {name !== campaignId && <code className={styles.muted}>{campaignId}</code>}
      </span>
    ),
  },
  { id: 'status', title: words.columns.status, cell: ({ status }) => <StatusBadge state={status} /> },
  {
    id: 'useCase',
    title: words.columns.useCase,
    cell: ({ useCase }) =>
      useCase === '' ? <span className={styles.muted}>{words.never}</span> : words.useCases[useCase],
  },
  {
    id: 'brand',
    title: words.columns.brand,
    cell: ({ brandName }) => brandName ?? <span className={styles.muted}>{words.none}</span>,
  },
  { id: 'numbers', title: words.columns.numbers, figures: true, cell: ({ numbers }) => <Count value={numbers} /> },
  {
    id: 'updated',
    title: words.columns.updated,
    cell: ({ updatedAt }) => (updatedAt === null ? <span className={styles.muted}>—</span> : <Time at={updatedAt} />),
  },
];
