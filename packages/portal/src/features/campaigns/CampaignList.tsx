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

const labels = labelsOf('campaign');

export function CampaignList({ action }: { action: ReactNode }) {
  const campaigns = useCampaigns();
  return (
    <Shown of={campaigns}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={labels.empty.title} action={action}>
            {labels.empty.detail}
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
  const company: Column<CampaignRow> = { id: 'company', title: labels.columns.company, cell: (row) => row.company };
  return (
    <Shown of={waiting}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={labels.noWaiting.title}>{labels.noWaiting.detail}</Empty>
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
        <TextField label={labels.list.search} type="search" value={search} onChange={setSearch} />
        <Select
          label={labels.columns.status}
          choices={[
            { value: 'any', label: labels.list.any },
            ...states.map((state) => ({ value: state, label: statusWord(state) })),
          ]}
          value={status === '' ? 'any' : status}
          onChange={(value) => setStatus(value === 'any' ? '' : value)}
        />
      </div>
      <div className={styles.line}>
        <span role="status">{labels.list.count(shown.length, rows.length)}</span>
        <Button look="quiet" onPress={() => saveText('campaigns.csv', campaignsCsv(shown), 'text/csv;charset=utf-8')}>
          {labels.list.exportCsv}
        </Button>
        <FilterViews list="campaign" fields={{ q: labels.list.search, status: labels.columns.status }} />
      </div>
      {shown.length === 0 ? (
        <Empty
          title={labels.list.nothingFits}
          action={<Button onPress={() => setSearch('', { status: '' })}>{labels.list.clear}</Button>}
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
      caption={labels.title}
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
    title: labels.columns.name,
    cell: ({ campaignId, name }) => (
      <span className={styles.line}>
        <Link to="/campaigns/$campaignId" params={{ campaignId }}>
          {name}
        </Link>
        {name !== campaignId && <code className={styles.muted}>{campaignId}</code>}
      </span>
    ),
  },
  { id: 'status', title: labels.columns.status, cell: ({ status }) => <StatusBadge state={status} /> },
  {
    id: 'useCase',
    title: labels.columns.useCase,
    cell: ({ useCase }) =>
      useCase === '' ? <span className={styles.muted}>{labels.never}</span> : labels.useCases[useCase],
  },
  {
    id: 'brand',
    title: labels.columns.brand,
    cell: ({ brandName }) => brandName ?? <span className={styles.muted}>{labels.none}</span>,
  },
  { id: 'numbers', title: labels.columns.numbers, figures: true, cell: ({ numbers }) => <Count value={numbers} /> },
  {
    id: 'updated',
    title: labels.columns.updated,
    cell: ({ updatedAt }) => (updatedAt === null ? <span className={styles.muted}>—</span> : <Time at={updatedAt} />),
  },
];
