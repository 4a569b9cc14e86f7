/** Backups of the store: create, list, download; and how to restore one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Backup, StoreBackups } from '../../api/routes/backups';
import { sizeText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { openAnswer } from '../../ui/download';
import { Facts, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Code, Time } from '../../ui/Values';
import styles from './Settings.module.css';
import { SettingsPage } from './SettingsPage';
import { useBackups } from './upkeep';

const upkeepLabels = labelsOf('upkeep');

const labels = upkeepLabels.backup;

export function BackupPage() {
  const backups = useBackups();
  return (
    <SettingsPage title={labels.title}>
      <Shown of={backups}>{(data) => (data.folder === null ? <Postgres /> : <OfFile now={data} />)}</Shown>
    </SettingsPage>
  );
}

/** As in docs/backup.md; a test compares them. */
const emptySchema = `drop schema gateway cascade;
create schema gateway authorization gateway;`;
const restoreDump = `pg_restore --schema=gateway --exit-on-error --single-transaction --dbname="$HELIO_DATABASE_URL" heliograph.dump &&
  helio backup restored --waiting hold`;

function Postgres() {
  return (
    <Panel title={labels.postgres}>
      <p>{labels.postgresMake}</p>
      <Code what={labels.command} text={'pg_dump --format=custom --file=heliograph.dump "$HELIO_DATABASE_URL"'} />
      <p>{labels.postgresBack}</p>
      <Code what={labels.command} text={emptySchema} />
      <p>{labels.postgresThen}</p>
      <Code what={labels.command} text={restoreDump} />
      <p>{labels.notInIt}</p>
    </Panel>
  );
}

type OfFileData = Extract<StoreBackups, { folder: string }>;

function OfFile({ now: { bytes, folder, backups, runningSince, failed } }: { now: OfFileData }) {
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => api.post('/backups', {}),
    onSettled: () => client.invalidateQueries({ queryKey: ['backups'] }),
  });
  return (
    <>
      <Panel title={labels.store}>
        <p>{labels.what}</p>
        <p>{labels.notInIt}</p>
        <Facts
          facts={[
            [labels.folder, <code key="folder">{folder}</code>],
            [labels.size, sizeText(bytes)],
          ]}
        />
        <FormFault error={make.error} />
        {failed !== null && <Notice tone="bad" title={labels.failed(failed.detail)} />}
        <Row>
          <Button look="primary" isPending={make.isPending || runningSince !== null} onPress={() => make.mutate()}>
            {labels.now}
          </Button>
          <span role="status">
            {runningSince !== null && (
              <>
                {labels.running} <Time at={runningSince} />
              </>
            )}
          </span>
        </Row>
      </Panel>
      <Panel title={labels.list}>
        {backups.length === 0 ? <Empty title={labels.none}>{labels.noneNext}</Empty> : <List backups={backups} />}
      </Panel>
      <Restore name={backups[0]?.name ?? 'heliograph.db'} />
    </>
  );
}

function List({ backups }: { backups: readonly Backup[] }) {
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<Backup | null>(null);
  const download = useMutation({
    mutationFn: async ({ name }: Backup) => {
      // The browser itself downloads the file, which may exceed its memory; the password prompt comes first.
      await api.post('/backups/:name/download', {}, { name });
      openAnswer(name, `/backups/${name}`);
    },
  });
  const remove = useMutation({
    mutationFn: ({ name }: Backup) => api.delete('/backups/:name', { name }),
    onSuccess: () => setLeaving(null),
    onSettled: () => client.invalidateQueries({ queryKey: ['backups'] }),
  });
  return (
    <>
      <FormFault error={download.error} />
      <Table
        caption={labels.list}
        rows={backups}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', title: labels.name, cell: ({ name }) => <code className={styles.file}>{name}</code> },
          { id: 'made', title: labels.made, cell: ({ at }) => <Time at={at} /> },
          { id: 'bytes', title: labels.bytes, figures: true, cell: ({ bytes }) => sizeText(bytes) },
          {
            id: 'actions',
            title: labels.actions,
            cell: (one) => (
              <Row>
                <Button aria-label={labels.downloadOf(one.name)} onPress={() => download.mutate(one)}>
                  {labels.download}
                </Button>
                <Button aria-label={labels.removeOf(one.name)} onPress={() => setLeaving(one)}>
                  {labels.remove}
                </Button>
              </Row>
            ),
          },
        ]}
      />
      <Dialog title={labels.removeTitle} open={leaving !== null} onClose={() => setLeaving(null)} urgent>
        <p>{leaving === null ? '' : labels.removeWhat(leaving.name)}</p>
        <FormFault error={remove.error} />
        <DialogActions>
          <Button onPress={() => setLeaving(null)}>{labels.cancel}</Button>
          <Button look="danger" isPending={remove.isPending} onPress={() => leaving !== null && remove.mutate(leaving)}>
            {labels.remove}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function Restore({ name }: { name: string }) {
  return (
    <Panel title={labels.restore}>
      <p>{labels.restoreWhat}</p>
      <ol className={styles.steps}>
        <li>{labels.steps.stop}</li>
        <li>
          {labels.steps.run} <Code what={labels.command} text={`npx helio backup restore ${name}`} />
        </li>
        <li>{labels.steps.start}</li>
      </ol>
      <p>{labels.after}</p>
      <ul className={styles.steps}>
        {labels.afterwards.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Panel>
  );
}
