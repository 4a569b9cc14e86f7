/** Campaigns and brands of the company; for operators also all submitted campaigns. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { saveText } from '../../ui/download';
import { Select, TextField } from '../../ui/Field';
import { Form, Page } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { Empty, FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { CampaignList, WaitingList } from './CampaignList';
import styles from './Campaigns.module.css';
import { type Brand, useBrands } from './campaigns';
import { brandsCsv, brandsLike } from './list';

const brandLabels = labelsOf('brand');
const labels = labelsOf('campaign');

export function CampaignsPage() {
  const mayManage = useMay('manageCampaigns');
  const operator = useMay('operator');
  const [tab, setTab] = useUrlText('tab');
  const [creating, create] = useState(false);
  const createButton = mayManage && (
    <Button look="primary" icon="plus" onPress={() => create(true)}>
      {labels.create}
    </Button>
  );
  const brandButton = mayManage && (
    <LinkButton to="/campaigns/brands/$brandId" params={{ brandId: 'new' }} icon="plus">
      {labels.addBrand}
    </LinkButton>
  );
  return (
    <Page
      title={labels.title}
      actions={
        <>
          {brandButton}
          {createButton}
        </>
      }
    >
      <p>{labels.what}</p>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <Tabs
        label={labels.tabs.label}
        selected={tab === '' ? 'campaigns' : tab}
        onSelect={(id) => setTab(id === 'campaigns' ? '' : id, { q: '', status: '' })}
        tabs={[
          { id: 'campaigns', title: labels.tabs.campaigns, content: <CampaignList action={createButton} /> },
          { id: 'brands', title: labels.tabs.brands, content: <BrandList action={brandButton} /> },
          ...(operator ? [{ id: 'waiting', title: labels.tabs.waiting, content: <WaitingList /> }] : []),
        ]}
      />
      {creating && <NewCampaign onClose={() => create(false)} />}
    </Page>
  );
}

function BrandList({ action }: { action: ReactNode }) {
  const brands = useBrands();
  return (
    <Shown of={brands}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={labels.noBrands.title} action={action}>
            {labels.noBrands.detail}
          </Empty>
        ) : (
          <FoundBrands rows={rows} />
        )
      }
    </Shown>
  );
}

function FoundBrands({ rows }: { rows: readonly Brand[] }) {
  const navigate = useNavigate();
  const [search, setSearch] = useUrlText('q');
  const shown = brandsLike(rows, search);
  return (
    <>
      <div className={styles.pair}>
        <TextField label={brandLabels.list.search} type="search" value={search} onChange={setSearch} />
      </div>
      <div className={styles.line}>
        <span role="status">{brandLabels.list.count(shown.length, rows.length)}</span>
        <Button look="quiet" onPress={() => saveText('brands.csv', brandsCsv(shown), 'text/csv;charset=utf-8')}>
          {labels.list.exportCsv}
        </Button>
        <FilterViews list="brand" fields={{ q: brandLabels.list.search }} />
      </div>
      {shown.length === 0 ? (
        <Empty
          title={brandLabels.list.nothingFits}
          action={<Button onPress={() => setSearch('')}>{labels.list.clear}</Button>}
        />
      ) : (
        <Table
          caption={brandLabels.title}
          columns={brandColumns}
          rows={shown}
          keyOf={({ brandId }) => brandId}
          onOpen={({ brandId }) => void navigate({ to: '/campaigns/brands/$brandId', params: { brandId } })}
        />
      )}
    </>
  );
}

const brandColumns: readonly Column<Brand>[] = [
  {
    id: 'name',
    title: brandLabels.columns.name,
    cell: ({ brandId, displayName, legalName }) => (
      <Link to="/campaigns/brands/$brandId" params={{ brandId }}>
        {displayName === '' ? legalName : displayName}
      </Link>
    ),
  },
  { id: 'type', title: brandLabels.columns.entityType, cell: ({ entityType }) => brandLabels.entityTypes[entityType] },
  {
    id: 'identity',
    title: brandLabels.columns.identity,
    cell: ({ identityStatus }) => brandLabels.identities[identityStatus],
  },
  {
    id: 'score',
    title: brandLabels.columns.score,
    figures: true,
    cell: ({ vettingScore }) => vettingScore ?? <span className={styles.muted}>{brandLabels.noScore}</span>,
  },
  {
    id: 'complete',
    title: brandLabels.columns.complete,
    cell: ({ checks }) => {
      const open = checks.filter(({ ok }) => !ok).length;
      return open === 0 ? (
        <Badge tone="ok" icon="check" word={brandLabels.yes} />
      ) : (
        <Badge tone="warn" icon="warning" word={brandLabels.no(open)} />
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
      return (await api.post('/campaigns', form)).data;
    },
    onSuccess: ({ campaignId }) => navigate({ to: '/campaigns/$campaignId', params: { campaignId } }),
  });
  const choices = [
    { value: '', label: labels.newDialog.laterBrand },
    ...(brands.data ?? []).map((one) => ({ value: one.brandId, label: one.displayName || one.legalName })),
  ];
  return (
    <Dialog title={labels.newDialog.title} open onClose={onClose}>
      <Form label={labels.newDialog.title} onSubmit={() => create.mutate()}>
        <FormFault error={create.error} />
        <TextField
          label={labels.newDialog.name}
          help={labels.newDialog.nameHelp}
          value={name}
          onChange={setName}
          fault={faultOf(create.error, 'name')}
          isRequired
          autoFocus
        />
        <Select label={labels.newDialog.brand} choices={choices} value={brandId} onChange={setBrandId} />
        <DialogActions>
          <Button onPress={onClose}>{labels.newDialog.cancel}</Button>
          <Button look="primary" type="submit" isPending={create.isPending}>
            {labels.newDialog.create}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
