/**
 * Adds a carrier or changes one: fields in groups, the plain name beside the standard's. Secrets are written and never
 * shown. Somebody else's change meanwhile is shown beside one's own before anything is written over.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, Select, TextArea, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { Focused, FormFault, faultOf, Notice } from '../../ui/States';
import { Table } from '../../ui/Table';
import styles from './Carriers.module.css';
import { ConnectionTest } from './ConnectionTest';
import { allFields, type Entries, entriesOf, type Field, fieldsOf, groups, recordOf } from './carrier-settings';
import type { Carrier, Kind } from './carriers';
import { standardNames } from './standard-names';

const carrierWords = labelsOf('carrier');
const choiceWords = labelsOf('choice');
const settingWords = labelsOf('setting');

const words = carrierWords.form;
const kinds: readonly Kind[] = ['smpp', 'mm7', 'mm4'];

export function CarrierForm({ of, onClose }: { of: Carrier | null; onClose(): void }) {
  const client = useQueryClient();
  const { twoFactor } = useMe().user;
  const [kind, setKind] = useState<Kind>(of?.kind ?? 'smpp');
  const [entries, setEntries] = useState<Entries>(() => entriesOf(kind, of));
  /** What is on record, as it was when the form was opened or when somebody else's change was seen. */
  const [base, setBase] = useState(of);
  const record = () => recordOf(kind, entries, of === null ? null : entriesOf(kind, base));
  const send = useMutation({
    mutationFn: () =>
      of === null
        ? api.post('/carriers', { record: record() })
        : api.post(`/carriers/${of.carrierId}`, { record: record(), version: base?.version }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['carriers'] });
      onClose();
    },
  });
  const theirs = conflictOf(send.error);
  const set = (name: string) => (value: string | boolean) => setEntries({ ...entries, [name]: value });
  return (
    <Dialog title={of === null ? words.addTitle : words.editTitle(of.name)} open onClose={onClose} wide>
      {!twoFactor && <NeedsSecondFactor />}
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
                label={words.kind}
                value={kind}
                onChange={(value) => {
                  setKind(value as Kind);
                  setEntries({ ...entriesOf(value as Kind, null), id: entries.id!, name: entries.name! });
                }}
                choices={kinds.map((value) => ({ value, label: carrierWords.kinds[value] }))}
              />
              <Entry field={{ name: 'id', type: 'text' }} entries={entries} set={set} error={send.error} carrier={of} />
            </>
          )}
          <Entry field={{ name: 'name', type: 'text' }} entries={entries} set={set} error={send.error} carrier={of} />
        </div>
        <Entry field={{ name: 'enabled', type: 'flag' }} entries={entries} set={set} error={send.error} carrier={of} />
        {groups
          .filter((group) => fieldsOf[kind][group].length > 0)
          .map((group) => (
            <fieldset key={group} className={styles.group}>
              <legend>{carrierWords.groups[group]}</legend>
              <div className={styles.columns}>
                {fieldsOf[kind][group].map((field) => (
                  <Entry key={field.name} field={field} entries={entries} set={set} error={send.error} carrier={of} />
                ))}
              </div>
            </fieldset>
          ))}
        <ConnectionTest record={record} />
        <DialogActions>
          <Button onPress={onClose}>{carrierWords.cancel}</Button>
          {theirs === null ? (
            <Button look="primary" type="submit" isPending={send.isPending}>
              {carrierWords.save}
            </Button>
          ) : (
            <Button
              look="danger"
              onPress={() => {
                // What the form does not change stays as the other person left it.
                setEntries(rebased(kind, entries, base, theirs));
                setBase(theirs);
                send.reset();
              }}
            >
              {words.conflict.again}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function NeedsSecondFactor() {
  const { title, detail, link } = carrierWords.secondFactor;
  return (
    <Notice tone="warn" title={title} actions={<LinkButton to="/profile">{link}</LinkButton>}>
      <p>{detail}</p>
    </Notice>
  );
}

function conflictOf(error: unknown): Carrier | null {
  if (!(error instanceof ApiError) || error.reason !== 'CONFLICT') return null;
  return (error.data as { current?: Carrier } | null)?.current ?? null;
}

function rebased(kind: Kind, entries: Entries, base: Carrier | null, theirs: Carrier): Entries {
  const before = entriesOf(kind, base);
  const now = entriesOf(kind, theirs);
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, entry === before[name] ? now[name]! : entry]),
  );
}

function Conflict(props: { theirs: Carrier; base: Carrier | null; entries: Entries; kind: Kind }) {
  const { theirs, base, entries, kind } = props;
  const { title, detail, nothing, columns } = words.conflict;
  const before = entriesOf(kind, base);
  const now = entriesOf(kind, theirs);
  const names = ['name', 'enabled', ...allFields(kind).map((field) => field.name)];
  const rows = names.filter((name) => now[name] !== before[name]);
  return (
    <Notice tone="warn" title={title}>
      <p>{detail}</p>
      {rows.length === 0 ? (
        <p>{nothing}</p>
      ) : (
        <Table
          caption={title}
          compact
          rows={rows}
          keyOf={(name) => name}
          columns={[
            { id: 'field', title: columns.field, cell: labelOf },
            { id: 'theirs', title: columns.theirs, cell: (name) => String(now[name]) },
            { id: 'yours', title: columns.yours, cell: (name) => String(entries[name]) },
          ]}
        />
      )}
    </Notice>
  );
}

/** `Login name · system_id`. */
export function labelOf(name: string): string {
  const plain = settingWords[name] ?? name;
  const standard = standardNames[name] ?? (/_/.test(name) ? name : undefined);
  return standard === undefined ? plain : `${plain} · ${standard}`;
}

function Entry({
  field,
  entries,
  set,
  error,
  carrier,
}: {
  field: Field;
  entries: Entries;
  set(name: string): (value: string | boolean) => void;
  error: unknown;
  carrier: Carrier | null;
}) {
  const { name, type, start } = field;
  const fault = faultOf(error, name);
  const label = labelOf(name);
  const value = entries[name];
  if (type === 'flag') {
    return (
      <div>
        <Checkbox isSelected={value === true} onChange={set(name)}>
          {label}
        </Checkbox>
        {fault !== undefined && <p>{fault}</p>}
      </div>
    );
  }
  const text = typeof value === 'string' ? value : '';
  if (Array.isArray(type)) {
    return (
      <Select
        label={label}
        value={text === '' ? String(start) : text}
        onChange={set(name)}
        choices={type.map((value: string) => {
          const plain = choiceWords[name]?.[value];
          return { value, label: plain === undefined ? value : `${plain} · ${value}` };
        })}
        fault={fault}
      />
    );
  }
  const isKept = type === 'secret' && carrier?.secrets[name] === true;
  const help =
    type === 'secret'
      ? isKept
        ? words.secretKept
        : words.secretNew
      : carrier === null && typeof start === 'string' && start !== ''
        ? words.start(start)
        : undefined;
  if (type === 'pem' || type === 'list' || name === 'clientKey') {
    return <TextArea label={label} value={text} onChange={set(name)} help={help} fault={fault} rows={2} />;
  }
  return (
    <TextField
      label={label}
      value={text}
      onChange={set(name)}
      help={help}
      fault={fault}
      type={type === 'secret' ? 'password' : 'text'}
      inputMode={type === 'number' ? 'numeric' : undefined}
      autoComplete={type === 'secret' ? 'new-password' : 'off'}
    />
  );
}
