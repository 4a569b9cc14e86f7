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

const words = labelsOf('number');
const importWords = words.importer;

const example = 'number,name,sms,mms,campaign,messages_per_second\n12025550142,Shop in Austin,true,true,SBX-DEMO,0\n';

/** A table of numbers: imported entry by entry, with a list of rejected entries and the reasons. */
function ImportNumbers({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  return (
    <ImportDialog<ImportedNumbers>
      words={importWords}
      what={`${importWords.what[environment]} ${importWords.columns}`}
      example={example}
      accept=".csv,text/csv"
      send={(file) => api.upload('/numbers/import', file)}
      stale="numbers"
      bodyOf={(_, body) => ({ type: 'text/csv', body })}
      subject={{ title: words.columns.number, of: ({ number }) => number }}
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
      {words.add}
    </Button>
  );
  const importButton = mayManage && !isSuspended && (
    <Button onPress={() => setOpen('import')}>{words.importCsv}</Button>
  );
  return (
    <Page
      title={words.title}
      actions={
        <>
          {importButton}
          {addButton}
        </>
      }
    >
      <p>{words.what}</p>
      {!mayManage && <Notice tone="info" title={words.roleMissing} />}
      <Shown of={numbers}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={words.empty.title} action={addButton}>
              {words.empty[environment]}
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
        <TextField label={words.search} type="search" value={search} onChange={setSearch} />
        <Select
          label={words.canSend}
          choices={Object.entries(words.choices).map(([value, label]) => ({ value, label }))}
          value={canSend === '' ? 'all' : canSend}
          onChange={(value) => setCanSend(value === 'all' ? '' : value)}
        />
        <Select
          label={words.campaignFilter}
          choices={[
            { value: 'any', label: words.anyCampaign },
            ...campaignChoices,
            { value: withoutCampaign, label: words.noCampaign },
          ]}
          value={campaign === '' ? 'any' : campaign}
          onChange={(value) => setCampaign(value === 'any' ? '' : value)}
        />
      </div>
      <div className={styles.fix}>
        <span role="status">{words.count(shown.length, rows.length)}</span>
        <Button look="quiet" onPress={() => saveText('numbers.csv', csvOf(shown), 'text/csv;charset=utf-8')}>
          {words.exportCsv}
        </Button>
        <FilterViews
          list="number"
          fields={{ q: words.search, 'can-send': words.canSend, campaign: words.campaignFilter }}
        />
      </div>
      {shown.length === 0 ? (
        <Empty
          title={words.nothingFits.title}
          action={
            <Button onPress={() => setSearch('', { 'can-send': '', campaign: '' })}>{words.nothingFits.clear}</Button>
          }
        >
          {words.nothingFits.detail}
        </Empty>
      ) : (
        <Table
          caption={words.title}
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
  const titles = words.columns;
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
  if (campaignId === null) return <span className={styles.muted}>{words.none}</span>;
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
  if (sent === 0) return <span className={styles.muted}>{words.noTraffic}</span>;
  return (
    <span className={styles.traffic} title={words.trafficWords(sent, delivered)}>
      {words.traffic(sent, delivered)}
    </span>
  );
}
