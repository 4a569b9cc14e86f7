/** The sending numbers of the company: their abilities, what fixes them, and their switches. */

import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import type { ImportedNumbers } from '../../api/routes/numbers';
import { useIsSuspended, useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { Select, TextField } from '../../ui/Field';
import { ImportDialog } from '../../ui/ImportDialog';
import { Page } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { Empty, Notice, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Phone } from '../../ui/Values';
import { AddNumber } from './AddNumber';
import { CanSend } from './CanSend';
import styles from './Numbers.module.css';
import { csvOf, fitting, type NumberRow, useNumbers, withoutCampaign } from './numbers';
import { MmsSwitch, SmsSwitch } from './Switches';

const labels = labelsOf('number');
const importLabels = labels.importer;

const example = 'number,name,sms,mms,campaign,messages_per_second\n12025550142,Shop in Austin,true,true,SBX-DEMO,0\n';

/** A table of numbers: imported entry by entry, with a list of rejected entries and the reasons. */
function ImportNumbers({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  return (
    <ImportDialog<ImportedNumbers>
      labels={importLabels}
      what={`${importLabels.what[environment]} ${importLabels.columns}`}
      example={example}
      accept=".csv,text/csv"
      send={(file) => api.upload('/numbers/import', file)}
      stale="numbers"
      bodyOf={(_, body) => ({ type: 'text/csv', body })}
      subject={{ title: labels.columns.number, of: ({ number }) => number }}
      onClose={onClose}
    />
  );
}

export function NumbersPage() {
  const numbers = useNumbers();
  const { environment } = useMe();
  const mayManage = useMay('manageNumbers');
  const operator = useMay('operator');
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  const isSuspended = useIsSuspended();
  const mayAdd = mayManage && !isSuspended && (environment === 'sandbox' || operator);
  const addButton = mayAdd && (
    <Button look="primary" icon="plus" onPress={() => setOpen('add')}>
      {labels.add}
    </Button>
  );
  const importButton = mayManage && !isSuspended && (
    <Button onPress={() => setOpen('import')}>{labels.importCsv}</Button>
  );
  return (
    <Page
      title={labels.title}
      actions={
        <>
          {importButton}
          {addButton}
        </>
      }
    >
      <p>{labels.what}</p>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <Shown of={numbers}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={labels.empty.title} action={addButton}>
              {labels.empty[environment]}
            </Empty>
          ) : (
            <NumberList rows={rows} mayManage={mayManage} />
          )
        }
      </Shown>
      {open === 'add' && <AddNumber onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportNumbers onClose={() => setOpen(null)} />}
    </Page>
  );
}

function NumberList({ rows, mayManage }: { rows: readonly NumberRow[]; mayManage: boolean }) {
  const navigate = useNavigate();
  const [search, setSearch] = useUrlText('q');
  const [canSend, setCanSend] = useUrlText('can-send');
  const [campaign, setCampaign] = useUrlText('campaign');
  const shown = fitting(rows, { search, canSend, campaign });
  const campaigns = new Map(rows.map((row) => [row.campaignId, row.campaignName] as const));
  const campaignChoices = [...campaigns].flatMap(([value, name]) =>
    value === null ? [] : [{ value, label: name ?? value }],
  );
  return (
    <>
      <div className={styles.filters}>
        <TextField label={labels.search} type="search" value={search} onChange={setSearch} />
        <Select
          label={labels.canSend}
          choices={Object.entries(labels.choices).map(([value, label]) => ({ value, label }))}
          value={canSend === '' ? 'all' : canSend}
          onChange={(value) => setCanSend(value === 'all' ? '' : value)}
        />
        <Select
          label={labels.campaignFilter}
          choices={[
            { value: 'any', label: labels.anyCampaign },
            ...campaignChoices,
            { value: withoutCampaign, label: labels.noCampaign },
          ]}
          value={campaign === '' ? 'any' : campaign}
          onChange={(value) => setCampaign(value === 'any' ? '' : value)}
        />
      </div>
      <div className={styles.fix}>
        <span role="status">{labels.count(shown.length, rows.length)}</span>
        <Button look="quiet" onPress={() => saveText('numbers.csv', csvOf(shown), 'text/csv;charset=utf-8')}>
          {labels.exportCsv}
        </Button>
        <FilterViews
          list="number"
          fields={{ q: labels.search, 'can-send': labels.canSend, campaign: labels.campaignFilter }}
        />
      </div>
      {shown.length === 0 ? (
        <Empty
          title={labels.nothingFits.title}
          action={
            <Button onPress={() => setSearch('', { 'can-send': '', campaign: '' })}>{labels.nothingFits.clear}</Button>
          }
        >
          {labels.nothingFits.detail}
        </Empty>
      ) : (
        <Table
          caption={labels.title}
          columns={columns(mayManage)}
          rows={shown}
          keyOf={({ number }) => number}
          onOpen={({ number }) => void navigate({ to: '/numbers/$number', params: { number } })}
        />
      )}
    </>
  );
}

function columns(mayChange: boolean): Column<NumberRow>[] {
  const titles = labels.columns;
  return [
    {
      id: 'number',
      title: titles.number,
      cell: ({ number, name }) => (
        <span className={styles.cell}>
          <Link to="/numbers/$number" params={{ number }}>
            <Phone digits={number} />
          </Link>
          {name !== '' && <span className={styles.muted}>{name}</span>}
        </span>
      ),
    },
    { id: 'sms', title: titles.sms, cell: (row) => <SmsSwitch of={row} mayChange={mayChange} /> },
    { id: 'mms', title: titles.mms, cell: (row) => <MmsSwitch of={row} mayChange={mayChange} /> },
    { id: 'campaign', title: titles.campaign, cell: (row) => <CampaignOf of={row} /> },
    { id: 'last24h', title: titles.last24h, cell: (row) => <Last24h of={row} /> },
    { id: 'canSend', title: titles.canSend, cell: (row) => <CanSend of={row} /> },
  ];
}

function CampaignOf({ of: { campaignId, campaignName, campaignStatus } }: { of: NumberRow }) {
  if (campaignId === null) return <span className={styles.muted}>{labels.none}</span>;
  return (
    <span className={styles.fix}>
      <Link to="/campaigns/$campaignId" params={{ campaignId }}>
        {campaignName ?? campaignId}
      </Link>
      {campaignStatus !== null && <StatusBadge state={campaignStatus} />}
    </span>
  );
}

export function Last24h({ of: { last24h } }: { of: NumberRow }) {
  const { sent, delivered } = last24h;
  if (sent === 0) return <span className={styles.muted}>{labels.noTraffic}</span>;
  return (
    <span className={styles.traffic} title={labels.trafficLabels(sent, delivered)}>
      {labels.traffic(sent, delivered)}
    </span>
  );
}
