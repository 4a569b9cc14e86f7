/**
 * Adds a carrier or changes one: the fields of its kind in groups, as the gateway describes them. Secrets are
 * write-only. Another person's change is shown beside one's own before anything is overwritten.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import type { CarrierKindShown, CarrierShown } from '../../api/routes/carriers';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { Focused, FormFault, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import styles from './Carriers.module.css';
import { ConnectionTest } from './ConnectionTest';
import { type Entries, entriesOf, groupsOf, kindNamed, ownFields, recordOf, useKinds } from './carrier-settings';
import { labelOf, SettingEntry } from './SettingEntry';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.form;

export function CarrierForm({ of, onClose }: { of: CarrierShown | null; onClose(): void }) {
  const { twoFactor } = useMe().user;
  const kinds = useKinds();
  return (
    <Dialog title={of === null ? labels.addTitle : labels.editTitle(of.name)} open onClose={onClose} wide>
      {!twoFactor && <NeedsSecondFactor />}
      <Shown of={kinds}>{(list) => <Fields of={of} kinds={list} onClose={onClose} />}</Shown>
    </Dialog>
  );
}

function Fields({
  of,
  kinds,
  onClose,
}: {
  of: CarrierShown | null;
  kinds: readonly CarrierKindShown[];
  onClose(): void;
}) {
  const client = useQueryClient();
  const [kind, setKind] = useState(() => (of === null ? kinds[0]! : kindNamed(kinds, of.kind)));
  const [entries, setEntries] = useState<Entries>(() => entriesOf(kind, of));
  /** The record as it was when the form was opened or another person's change was seen. */
  const [base, setBase] = useState(of);
  const record = () => recordOf(kind, entries, of === null ? null : entriesOf(kind, base));
  const send = useMutation({
    mutationFn: () =>
      of === null
        ? api.post('/carriers', { record: record() })
        : api.post('/carriers/:carrierId', { record: record(), version: base?.version }, { carrierId: of.carrierId }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['carriers'] });
      onClose();
    },
  });
  const theirs = conflictOf(send.error);
  const set = (name: string) => (value: string | boolean) => setEntries({ ...entries, [name]: value });
  const entry = { entries, set, error: send.error, carrier: of };
  const choose = (name: string) => {
    const chosen = kindNamed(kinds, name);
    setKind(chosen);
    setEntries({ ...entriesOf(chosen, null), id: entries.id!, name: entries.name! });
  };
  return (
    <Form onSubmit={() => send.mutate()}>
      {theirs === null ? (
        <FormFault error={send.error} />
      ) : (
        <Focused>
          <Conflict theirs={theirs} base={base} entries={entries} kind={kind} />
        </Focused>
      )}
      <div className={styles.columns}>
        {of === null && (
          <>
            <Select
              label={labels.kind}
              value={kind.name}
              onChange={choose}
              choices={kinds.map((one) => ({ value: one.name, label: carrierLabels.kind(one.title, one.carries) }))}
            />
            <SettingEntry field={ownFields.id} {...entry} />
          </>
        )}
        <SettingEntry field={ownFields.name} {...entry} />
      </div>
      <SettingEntry field={ownFields.enabled} {...entry} />
      {groupsOf(kind).map(([group, fields]) => (
        <fieldset key={group} className={styles.group}>
          <legend>{carrierLabels.groups[group] ?? group}</legend>
          <div className={styles.columns}>
            {fields.map((field) => (
              <SettingEntry key={field.name} field={field} {...entry} />
            ))}
          </div>
        </fieldset>
      ))}
      <ConnectionTest record={record} />
      <DialogActions>
        <Button onPress={onClose}>{carrierLabels.cancel}</Button>
        {theirs === null ? (
          <Button look="primary" type="submit" isPending={send.isPending}>
            {carrierLabels.save}
          </Button>
        ) : (
          <Button
            look="danger"
            onPress={() => {
              // Fields that the form does not change keep the other person's values.
              setEntries(rebased(kind, entries, base, theirs));
              setBase(theirs);
              send.reset();
            }}
          >
            {labels.conflict.again}
          </Button>
        )}
      </DialogActions>
    </Form>
  );
}

export function NeedsSecondFactor() {
  const { title, detail, link } = carrierLabels.secondFactor;
  return (
    <Notice tone="warn" title={title} actions={<LinkButton to="/profile">{link}</LinkButton>}>
      <p>{detail}</p>
    </Notice>
  );
}

function conflictOf(error: unknown): CarrierShown | null {
  if (!(error instanceof ApiError) || error.reason !== 'CONFLICT') return null;
  return (error.data as { current?: CarrierShown } | null)?.current ?? null;
}

function rebased(kind: CarrierKindShown, entries: Entries, base: CarrierShown | null, theirs: CarrierShown): Entries {
  const before = entriesOf(kind, base);
  const now = entriesOf(kind, theirs);
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, entry === before[name] ? now[name]! : entry]),
  );
}

function Conflict(props: {
  theirs: CarrierShown;
  base: CarrierShown | null;
  entries: Entries;
  kind: CarrierKindShown;
}) {
  const { theirs, base, entries, kind } = props;
  const { title, detail, nothing, columns } = labels.conflict;
  const before = entriesOf(kind, base);
  const now = entriesOf(kind, theirs);
  const all = [ownFields.name, ownFields.enabled, ...kind.fields];
  const rows = all.filter(({ name }) => now[name] !== before[name]);
  return (
    <Notice tone="warn" title={title}>
      <p>{detail}</p>
      {rows.length === 0 ? (
        <p>{nothing}</p>
      ) : (
        <Table
          caption={title}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { id: 'field', title: columns.field, cell: labelOf },
            { id: 'theirs', title: columns.theirs, cell: ({ name }) => String(now[name]) },
            { id: 'yours', title: columns.yours, cell: ({ name }) => String(entries[name]) },
          ]}
        />
      )}
    </Notice>
  );
}
