/** The form of a key pair: for a new one, or for changing the permissions of an existing one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { KeyPair, NewPair } from '../../api/routes/keys';
import { type Environment, useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Conflict, currentOf } from '../../ui/Conflict';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, Select, TextArea, TextField, Ticks } from '../../ui/Field';
import { useOpened } from '../../ui/opened';
import { Form } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import { useCompany } from '../settings/company';
import styles from './Keys.module.css';
import type { Scope } from './keys';

const keyLabels = labelsOf('key');

const labels = keyLabels.form;
const allScopes: readonly Scope[] = ['send', 'read', 'admin'];
/** Above this many, numbers are typed rather than ticked. */
const tickedMax = 50;

interface Draft {
  name: string;
  environment: Environment;
  scopes: Scope[];
  numbers: string[];
  dailyCap: string;
  allowedIps: string;
  /** `YYYY-MM-DD` or ''. */
  expires: string;
  /** Undefined: the company's default for new pairs. */
  exactShape?: boolean;
}

function draftOf(key: KeyPair | null, environment: Environment): Draft {
  return {
    name: key?.name ?? '',
    environment: key?.environment ?? environment,
    scopes: key?.scopes ?? ['send', 'read'],
    numbers: key?.numbers ?? [],
    dailyCap: key === null || key.dailyCap === 0 ? '' : String(key.dailyCap),
    allowedIps: key?.allowedIps?.join('\n') ?? '',
    expires: key?.expiresAt?.slice(0, 10) ?? '',
    exactShape: key?.exactShape,
  };
}

/** The label of each field, by its name in the form's labels. */
const labelNames = {
  name: 'name',
  environment: 'environment',
  scopes: 'scopes',
  numbers: 'numbers',
  dailyCap: 'cap',
  allowedIps: 'ips',
  expires: 'expires',
  exactShape: 'exact',
} as const satisfies Record<keyof Draft, keyof typeof labels>;

/** A form value, for comparison with another person's. */
function textOf(value: Draft[keyof Draft]): string {
  if (typeof value === 'boolean') return labels.flag[value ? 'on' : 'off'];
  return typeof value === 'string' ? value : (value ?? []).join(', ');
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The values to send. An unchanged day is not sent: it may be past, or have its own time. */
function bodyOf(draft: Draft, before: Draft | null): object {
  const { name, environment, scopes, numbers, exactShape } = draft;
  const cap = draft.dailyCap.trim();
  return {
    name,
    environment,
    scopes,
    numbers,
    ...(exactShape !== undefined && { exactShape }),
    // An invalid number is sent as typed, so that it is refused and not taken for none.
    dailyCap: cap === '' ? 0 : Number.isNaN(Number(cap)) ? cap : Number(cap),
    allowedIps: linesOf(draft.allowedIps),
    ...(draft.expires !== before?.expires && {
      expiresAt: draft.expires === '' ? null : `${draft.expires}T23:59:59Z`,
    }),
  };
}

export function KeyForm({
  of,
  onClose,
  onMade,
}: {
  /** Null: a new pair. */
  of: KeyPair | null;
  onClose(): void;
  onMade(pair: NewPair): void;
}) {
  const me = useMe();
  const client = useQueryClient();
  const { data: company } = useCompany();
  const opened = useOpened(of, (key) => draftOf(key, me.environment));
  const { form: draft, set } = opened;
  const send = useMutation({
    /** `base`: the pair as it was when the person began to edit. */
    mutationFn: async ({ draft, base }: { draft: Draft; base: KeyPair | null }) => {
      const body = bodyOf(draft, base === null ? null : draftOf(base, me.environment));
      if (of === null) return (await api.post('/keys', body)).data;
      await api.post('/keys/:keyId', { ...body, version: base?.version }, { keyId: of.keyId });
      return null;
    },
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onClose();
      if (made !== null) onMade(made);
    },
  });
  const { error } = send;
  const theirs = of === null ? null : currentOf<KeyPair>(error);
  const title = of === null ? labels.createTitle : labels.changeTitle(of.name);
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form label={title} onSubmit={() => send.mutate({ draft, base: opened.base })}>
        {theirs === null ? (
          <FormFault error={error} />
        ) : (
          <Conflict
            rows={opened.differing(theirs).map(({ name, theirs, mine }) => ({
              field: labels[labelNames[name]],
              theirs: textOf(theirs),
              mine: textOf(mine),
            }))}
            onTheirs={() => {
              opened.take(theirs);
              send.reset();
            }}
            onMine={() => send.mutate({ draft: opened.over(theirs), base: theirs })}
          />
        )}
        <TextField
          label={labels.name}
          help={labels.nameHelp}
          value={draft.name}
          onChange={(name) => set({ name })}
          fault={faultOf(error, 'name')}
          maxLength={100}
          isRequired
          autoFocus
        />
        {of === null && me.environments.length > 1 && (
          <Select
            label={labels.environment}
            value={draft.environment}
            onChange={(value) => set({ environment: value as Environment, numbers: [] })}
            choices={me.environments.map((value) => ({ value, label: labels[value], help: labels[`${value}Help`] }))}
            fault={faultOf(error, 'environment')}
          />
        )}
        <Scopes draft={draft} set={set} fault={faultOf(error, 'scopes')} />
        <Numbers draft={draft} set={set} fault={faultOf(error, 'numbers')} />
        <TextField
          label={labels.cap}
          help={labels.capHelp}
          inputMode="numeric"
          value={draft.dailyCap}
          onChange={(dailyCap) => set({ dailyCap })}
          fault={faultOf(error, 'dailyCap')}
        />
        <TextArea
          label={labels.ips}
          help={labels.ipsHelp}
          rows={2}
          value={draft.allowedIps}
          onChange={(allowedIps) => set({ allowedIps })}
          fault={faultOf(error, 'allowedIps')}
        />
        <TextField
          label={labels.expires}
          help={labels.expiresHelp}
          type="date"
          value={draft.expires}
          onChange={(expires) => set({ expires })}
          fault={faultOf(error, 'expiresAt')}
        />
        <div>
          <Checkbox
            isSelected={draft.exactShape ?? company?.exactShapeDefault ?? false}
            onChange={(exactShape) => set({ exactShape })}
          >
            {labels.exact}
          </Checkbox>
          {of === null && company !== undefined && (
            <p className={styles.muted}>{labels.exactDefault(company.exactShapeDefault)}</p>
          )}
        </div>
        <DialogActions>
          <Button onPress={onClose}>{keyLabels.cancel}</Button>
          <Button look="primary" type="submit" isPending={send.isPending}>
            {of === null ? keyLabels.create : keyLabels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface Part {
  draft: Draft;
  set(changes: Partial<Draft>): void;
  fault?: string;
}

/** Nobody can give a pair more permissions than they have. */
function Scopes({ draft, set, fault }: Part) {
  const may: Record<Scope, boolean> = { send: useMay('send'), read: useMay('read'), admin: useMay('manageCompany') };
  return (
    <Ticks label={labels.scopes} fault={fault} className={styles.group}>
      {allScopes
        .filter((scope) => may[scope] || draft.scopes.includes(scope))
        .map((scope) => (
          <Checkbox
            key={scope}
            isSelected={draft.scopes.includes(scope)}
            onChange={(on) =>
              set({ scopes: allScopes.filter((one) => (one === scope ? on : draft.scopes.includes(one))) })
            }
          >
            {keyLabels.scopes[scope]}
          </Checkbox>
        ))}
    </Ticks>
  );
}

function Numbers({ draft, set, fault }: Part) {
  const { data = [] } = useQuery({
    queryKey: ['numbers', 'choices'],
    queryFn: async () => (await api.get('/numbers')).data,
    retry: false,
  });
  const own = data.filter(({ environment }) => environment === draft.environment).map(({ number }) => number);
  const choices = [...new Set([...own, ...draft.numbers])];
  if (own.length === 0 || choices.length > tickedMax) {
    return (
      <TextArea
        label={labels.numbers}
        help={labels.numbersText}
        rows={2}
        value={draft.numbers.join('\n')}
        onChange={(text) => set({ numbers: text === '' ? [] : text.split('\n') })}
        fault={fault}
      />
    );
  }
  return (
    <Ticks label={labels.numbers} fault={fault} className={styles.group}>
      <div className={styles.numbers}>
        {choices.map((digits) => (
          <Checkbox
            key={digits}
            isSelected={draft.numbers.includes(digits)}
            onChange={(on) =>
              set({ numbers: choices.filter((one) => (one === digits ? on : draft.numbers.includes(one))) })
            }
          >
            {phoneText(digits)}
          </Checkbox>
        ))}
      </div>
      <span className={styles.muted}>{labels.numbersHelp}</span>
    </Ticks>
  );
}
