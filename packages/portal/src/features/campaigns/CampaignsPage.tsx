/** Campaigns and brands of the company; for operators also what all companies have sent in. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextField } from '../../ui/Field';
import { Form, Page } from '../../ui/Page';
import { Empty, FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Count, Time } from '../../ui/Values';
import { brandWords, campaignWords as words } from '../../words/en/campaigns';
import styles from './Campaigns.module.css';
import { type Brand, type Campaign, type CampaignRow, useBrands, useCampaigns, useWaitingCampaigns } from './campaigns';

export function CampaignsPage() {
  const mayManage = useMay('manageCampaigns');
  const operator = useMay('operator');
  const [tab, setTab] = useUrlText('tab');
  const [creating, create] = useState(false);
  const createButton = mayManage && (
    <Button look="primary" icon="plus" onPress={() => create(true)}>
      {words.create}
    </Button>
  );
  const brandButton = mayManage && (
    <LinkButton to="/campaigns/brands/$brandId" params={{ brandId: 'new' }} icon="plus">
      {words.addBrand}
    </LinkButton>
  );
  return (
    <Page
      title={words.title}
      actions={
        <>
          {brandButton}
          {createButton}
        </>
      }
    >
      <p>{words.what}</p>
      {!mayManage && <Notice tone="info" title={words.roleMissing} />}
      <Tabs
        label={words.tabs.label}
        selected={tab === '' ? 'campaigns' : tab}
        onSelect={(id) => setTab(id === 'campaigns' ? '' : id)}
        tabs={[
          { id: 'campaigns', title: words.tabs.campaigns, content: <CampaignList action={createButton} /> },
          { id: 'brands', title: words.tabs.brands, content: <BrandList action={brandButton} /> },
          ...(operator ? [{ id: 'waiting', title: words.tabs.waiting, content: <WaitingList /> }] : []),
        ]}
      />
      {creating && <NewCampaign onClose={() => create(false)} />}
    </Page>
  );
}

function CampaignList({ action }: { action: ReactNode }) {
  const campaigns = useCampaigns();
  return (
    <Shown of={campaigns}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={words.empty.title} action={action}>
            {words.empty.detail}
          </Empty>
        ) : (
          <CampaignTable rows={rows} columns={campaignColumns} />
        )
      }
    </Shown>
  );
}

function WaitingList() {
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

function BrandList({ action }: { action: ReactNode }) {
  const brands = useBrands();
  const navigate = useNavigate();
  return (
    <Shown of={brands}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={words.noBrands.title} action={action}>
            {words.noBrands.detail}
          </Empty>
        ) : (
          <Table
            caption={brandWords.title}
            columns={brandColumns}
            rows={rows}
            keyOf={({ brandId }) => brandId}
            onOpen={({ brandId }) => void navigate({ to: '/campaigns/brands/$brandId', params: { brandId } })}
          />
        )
      }
    </Shown>
  );
}

const brandColumns: readonly Column<Brand>[] = [
  {
    id: 'name',
    title: brandWords.columns.name,
    cell: ({ brandId, displayName, legalName }) => (
      <Link to="/campaigns/brands/$brandId" params={{ brandId }}>
        {displayName === '' ? legalName : displayName}
      </Link>
    ),
  },
  { id: 'type', title: brandWords.columns.entityType, cell: ({ entityType }) => brandWords.entityTypes[entityType] },
  {
    id: 'identity',
    title: brandWords.columns.identity,
    cell: ({ identityStatus }) => brandWords.identities[identityStatus],
  },
  {
    id: 'score',
    title: brandWords.columns.score,
    figures: true,
    cell: ({ vettingScore }) => vettingScore ?? <span className={styles.muted}>{brandWords.noScore}</span>,
  },
  {
    id: 'complete',
    title: brandWords.columns.complete,
    cell: ({ checks }) => {
      const open = checks.filter(({ ok }) => !ok).length;
      return open === 0 ? (
        <Badge tone="ok" icon="check" word={brandWords.yes} />
      ) : (
        <Badge tone="warn" icon="warning" word={brandWords.no(open)} />
      );
    },
  },
];

function NewCampaign({ onClose }: { onClose(): void }) {
  const brands = useBrands();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [brandId, setBrandId] = useState('');
  const create = useMutation({
    mutationFn: async () => {
      const form = { name, brandId: brandId === '' ? null : brandId };
      return (await api.post<Campaign>('/campaigns', form)).data;
    },
    onSuccess: ({ campaignId }) => navigate({ to: '/campaigns/$campaignId', params: { campaignId } }),
  });
  const choices = [
    { value: '', label: words.newDialog.laterBrand },
    ...(brands.data ?? []).map((one) => ({ value: one.brandId, label: one.displayName || one.legalName })),
  ];
  return (
    <Dialog title={words.newDialog.title} open onClose={onClose}>
      <Form label={words.newDialog.title} onSubmit={() => create.mutate()}>
        <FormFault error={create.error} />
        <TextField
          label={words.newDialog.name}
          help={words.newDialog.nameHelp}
          value={name}
          onChange={setName}
          fault={faultOf(create.error, 'name')}
          isRequired
          autoFocus
        />
        <Select label={words.newDialog.brand} choices={choices} value={brandId} onChange={setBrandId} />
        <DialogActions>
          <Button onPress={onClose}>{words.newDialog.cancel}</Button>
          <Button look="primary" type="submit" isPending={create.isPending}>
            {words.newDialog.create}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
