/** How long messages are kept, and the erasure of numbers. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Facts, Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { phoneText, Time } from '../../ui/Values';
import { ConflictNotice } from './ConflictNotice';
import { type Company, conflictOf, useCompany, useSaveCompany } from './company';
import styles from './Settings.module.css';
import { SettingsPage } from './SettingsPage';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.retention;

export function RetentionPage() {
  const company = useCompany();
  const mayManage = useMay('manageCompany');
  return (
    <SettingsPage title={labels.title}>
      <p>{labels.what}</p>
      <Shown of={company} leads>
        {(current) =>
          mayManage ? (
            <Days current={current} />
          ) : (
            <Panel>
              <Notice tone="info" title={settingsLabels.noManage} />
              <Facts facts={factsOf(current)} />
            </Panel>
          )
        }
      </Shown>
      {mayManage && <Erase />}
      {mayManage && <Erasures />}
    </SettingsPage>
  );
}

function factsOf({ bodyDays, metadataDays }: Company): (readonly [string, string])[] {
  return [
    [labels.bodyDays, String(bodyDays)],
    [labels.metadataDays, String(metadataDays)],
  ];
}

function Days({ current }: { current: Company }) {
  const [body, setBody] = useState(String(current.bodyDays));
  const [metadata, setMetadata] = useState(String(current.metadataDays));
  const [version, setVersion] = useState(current.version);
  const [sure, setSure] = useState(false);
  const save = useSaveCompany();
  const wanted = { bodyDays: Number(body), metadataDays: Number(metadata) };
  const deletes = wanted.bodyDays < current.bodyDays || wanted.metadataDays < current.metadataDays;

  function submit(as: string): void {
    setSure(false);
    save.mutate({ ...wanted, version: as }, { onSuccess: ({ data }) => setVersion(data.version) });
  }

  const conflict = conflictOf(save.error);
  return (
    <Panel>
      <Form label={labels.title} onSubmit={() => (deletes ? setSure(true) : submit(version))}>
        {conflict !== null ? (
          <ConflictNotice
            facts={factsOf(conflict)}
            onTheirs={() => {
              setBody(String(conflict.bodyDays));
              setMetadata(String(conflict.metadataDays));
              setVersion(conflict.version);
              save.reset();
            }}
            onMine={() => submit(conflict.version)}
          />
        ) : (
          <FormFault error={save.error} />
        )}
        <TextField
          label={labels.bodyDays}
          help={labels.bodyHelp}
          inputMode="numeric"
          value={body}
          onChange={setBody}
          fault={faultOf(save.error, 'bodyDays')}
          isRequired
        />
        <TextField
          label={labels.metadataDays}
          help={labels.metadataHelp}
          inputMode="numeric"
          value={metadata}
          onChange={setMetadata}
          fault={faultOf(save.error, 'metadataDays')}
          isRequired
        />
        <Button look="primary" type="submit" isPending={save.isPending}>
          {settingsLabels.save}
        </Button>
        <p role="status">{save.isSuccess && settingsLabels.saved}</p>
      </Form>
      <Dialog title={labels.shorterTitle} open={sure} onClose={() => setSure(false)} urgent>
        <p>{labels.shorterWhat(wanted.bodyDays, wanted.metadataDays)}</p>
        <DialogActions>
          <Button onPress={() => setSure(false)}>{settingsLabels.cancel}</Button>
          <Button look="danger" onPress={() => submit(version)}>
            {labels.shorter}
          </Button>
        </DialogActions>
      </Dialog>
    </Panel>
  );
}

function Erase() {
  const client = useQueryClient();
  const [number, setNumber] = useState('');
  const [sure, setSure] = useState(false);
  const digits = number.replace(/[\s().+-]/g, '');
  const erase = useMutation({
    mutationFn: () => api.post('/company/erasures', { number: digits }),
    onSettled: () => setSure(false),
    onSuccess: () => {
      setNumber('');
      void client.invalidateQueries({ queryKey: ['erasures'] });
    },
  });
  return (
    <Panel title={labels.erase}>
      <p>{labels.eraseWhat}</p>
      <Form label={labels.erase} onSubmit={() => setSure(true)}>
        <FormFault error={erase.error} />
        <TextField
          label={labels.number}
          help={labels.numberHelp}
          type="tel"
          autoComplete="off"
          value={number}
          onChange={setNumber}
          fault={faultOf(erase.error, 'number')}
          isRequired
          mono
        />
        <Button look="danger" type="submit">
          {labels.eraseButton}
        </Button>
      </Form>
      <Dialog title={labels.eraseTitle(phoneText(digits))} open={sure} onClose={() => setSure(false)} urgent>
        <p>{labels.eraseSure}</p>
        <DialogActions>
          <Button onPress={() => setSure(false)}>{settingsLabels.cancel}</Button>
          <Button look="danger" isPending={erase.isPending} onPress={() => erase.mutate()}>
            {labels.eraseButton}
          </Button>
        </DialogActions>
      </Dialog>
    </Panel>
  );
}

/** How often a running erasure is refetched. */
const runningMs = 2_000;

function Erasures() {
  const list = useQuery({
    queryKey: ['erasures'],
    queryFn: async () => (await api.get('/company/erasures')).data,
    refetchInterval: ({ state }) => (state.data?.some(({ doneAt }) => doneAt === null) === true ? runningMs : false),
  });
  return (
    <Panel title={labels.list}>
      <Shown of={list}>
        {(erasures) =>
          erasures.length === 0 ? (
            <p>{labels.none}</p>
          ) : (
            <Table
              caption={labels.list}
              rows={erasures}
              keyOf={({ erasureId }) => erasureId}
              columns={[
                { id: 'number', title: labels.number, cell: ({ number }) => <code>{number}</code> },
                {
                  id: 'state',
                  title: labels.state,
                  cell: ({ doneAt, deleted, leftOver }) => (
                    <span className={styles.person}>
                      {doneAt === null ? (
                        <Badge tone="info" icon="hourglass" word={labels.running} />
                      ) : (
                        <Badge tone="ok" icon="check" word={labels.ended} />
                      )}
                      <span className={styles.muted}>{labels.deleted(deleted)}</span>
                      {leftOver > 0 && <span className={styles.muted}>{labels.leftOver(leftOver)}</span>}
                    </span>
                  ),
                },
                { id: 'by', title: labels.by, cell: ({ requestedBy }) => requestedBy },
                { id: 'at', title: labels.at, cell: ({ requestedAt }) => <Time at={requestedAt} /> },
              ]}
            />
          )
        }
      </Shown>
    </Panel>
  );
}
