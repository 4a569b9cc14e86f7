/** The form of an endpoint: its address, events, numbers and format. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { EventType } from '../../api/routes/deliveries';
import type { Endpoint, EndpointFields } from '../../api/routes/endpoints';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Conflict } from '../../ui/Conflict';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, type Choice, Select, TextField, Ticks } from '../../ui/Field';
import { useOpened } from '../../ui/opened';
import { Form } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import { useCampaigns } from '../campaigns/campaigns';
import { useNumbers } from '../numbers/numbers';
import styles from './Webhooks.module.css';
import { endpointFaults, isPrivateUrl, pretty, sentenceAt, useCatalogue } from './webhooks';

const webhookLabels = labelsOf('webhook');

const labels = webhookLabels.form;
const timeoutDefault = 15;
/** Fields at which the form shows a fault. */
const atFields = ['url', 'types', 'number', 'campaign', 'header', 'timeoutSeconds'];

interface Draft {
  url: string;
  name: string;
  /** Null: all. */
  types: EventType[] | null;
  format: Endpoint['format'];
  number: string;
  campaign: string;
  headerName: string;
  headerValue: string;
  timeoutSeconds: string;
}

function draftOf(endpoint: Endpoint | null): Draft {
  return {
    url: endpoint?.url ?? '',
    name: endpoint?.name ?? '',
    types: endpoint?.types ?? null,
    format: endpoint?.format ?? 'standard',
    number: endpoint?.number ?? '',
    campaign: endpoint?.campaign ?? '',
    headerName: endpoint?.header?.name ?? '',
    headerValue: '',
    timeoutSeconds: String(endpoint?.timeoutSeconds ?? timeoutDefault),
  };
}

/** Only its settings make up the version: its state changes by itself. */
function versioned(endpoint: Endpoint): Endpoint & { version: string } {
  return { ...endpoint, version: JSON.stringify(draftOf(endpoint)) };
}

/** The label of each field, by its name in the form's labels. */
const labelNames = {
  url: 'url',
  name: 'name',
  types: 'events',
  format: 'format',
  number: 'number',
  campaign: 'campaign',
  headerName: 'headerName',
  headerValue: 'headerValue',
  timeoutSeconds: 'timeout',
} as const satisfies Record<keyof Draft, keyof typeof labels>;

/** A form value, for comparison with another person's. */
function textOf(name: keyof Draft, value: Draft[keyof Draft]): string {
  if (name === 'types') return value === null ? labels.all : (value as string[]).join(', ');
  if (name === 'headerValue') return value === '' ? '' : '•••';
  return String(value);
}

/** A header whose value was not typed again does not change. */
function keepsHeader({ headerName, headerValue }: Draft, before: Endpoint | null): boolean {
  return headerValue === '' && headerName.trim() === (before?.header?.name ?? '');
}

function headerOf({ headerName, headerValue }: Draft): { name: string; value: string } | null {
  return headerName.trim() === '' ? null : { name: headerName.trim(), value: headerValue };
}

function bodyOf(draft: Draft, before: Endpoint | null): EndpointFields {
  const { url, types, format } = draft;
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  return {
    url: url.trim(),
    types,
    format,
    number: orNull(draft.number),
    campaign: orNull(draft.campaign),
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(!keepsHeader(draft, before) && { header: headerOf(draft) }),
    // An invalid number is sent as typed, so that it is refused with its own sentence.
    timeoutSeconds: (Number.isNaN(Number(draft.timeoutSeconds))
      ? draft.timeoutSeconds
      : Number(draft.timeoutSeconds)) as number,
  };
}

interface Part {
  draft: Draft;
  set(changes: Partial<Draft>): void;
}

export function EndpointForm({
  of,
  number,
  onClose,
  onSecret,
}: {
  /** Null: a new one. */
  of: Endpoint | null;
  /** The number whose replies a new one is for. */
  number?: string;
  onClose(): void;
  onSecret(secret: string): void;
}) {
  const client = useQueryClient();
  const opened = useOpened(of === null ? null : versioned(of), (endpoint) => ({
    ...draftOf(endpoint),
    ...(endpoint === null && number !== undefined && { number }),
  }));
  const { form: draft, set } = opened;
  const [theirs, setTheirs] = useState<ReturnType<typeof versioned> | null>(null);
  const send = useMutation({
    /** `base`: the endpoint as it was when the person began to edit; its present state is checked before the change. */
    mutationFn: async ({ draft, base }: { draft: Draft; base: Endpoint | null }) => {
      const body = bodyOf(draft, base);
      if (base !== null) {
        const at = { endpointId: base.endpointId };
        const now = versioned((await api.get('/endpoints/:endpointId', at)).data);
        if (now.version !== versioned(base).version) return now;
        await api.patch('/endpoints/:endpointId', body, at);
        return null;
      }
      const made = await api.post('/endpoints', body);
      onSecret(made.data.secret);
      return null;
    },
    onSuccess: (changedMeanwhile) => {
      setTheirs(changedMeanwhile);
      if (changedMeanwhile !== null) return;
      void client.invalidateQueries({ queryKey: ['endpoints'] });
      onClose();
    },
  });
  const title = of === null ? labels.addTitle : labels.changeTitle(of.name);
  const [isTried, setTried] = useState(false);
  const { data: catalogue } = useCatalogue();
  const own = endpointFaults(draft, keepsHeader(draft, of) ? null : headerOf(draft), catalogue?.header);
  const faultAt = (field: string): string | undefined =>
    (isTried ? own[field as keyof typeof own] : undefined) ?? sentenceAt(send.error, field);
  const isAtField = atFields.some((field) => sentenceAt(send.error, field) !== undefined);
  const submit = () => {
    setTried(true);
    if (Object.keys(own).length === 0) send.mutate({ draft, base: opened.base });
  };
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form label={title} onSubmit={submit}>
        {!isAtField && <FormFault error={send.error} />}
        {theirs !== null && (
          <Conflict
            rows={opened.differing(theirs).map(({ name, theirs, mine }) => ({
              field: labels[labelNames[name]],
              theirs: textOf(name, theirs),
              mine: textOf(name, mine),
            }))}
            onTheirs={() => {
              opened.take(theirs);
              setTheirs(null);
            }}
            onMine={() => send.mutate({ draft: opened.over(theirs), base: theirs })}
          />
        )}
        <TextField
          label={labels.url}
          help={labels.urlHelp}
          type="url"
          value={draft.url}
          onChange={(url) => set({ url })}
          fault={faultAt('url')}
          isRequired
          autoFocus
          mono
        />
        {isPrivateUrl(draft.url) && <Notice tone="warn" title={labels.isPrivate} />}
        <TextField label={labels.name} help={labels.nameHelp} value={draft.name} onChange={(name) => set({ name })} />
        <Select
          label={labels.format}
          value={draft.format}
          onChange={(format) => set({ format: format as Draft['format'] })}
          choices={(['standard', 'flat'] as const).map((value) => ({
            value,
            label: webhookLabels.formats[value],
            help: webhookLabels.formatHelp[value],
          }))}
        />
        <Types draft={draft} set={set} fault={faultAt('types')} />
        <Only draft={draft} set={set} faultAt={faultAt} />
        <TextField
          label={labels.headerName}
          help={labels.headerNameHelp}
          value={draft.headerName}
          onChange={(headerName) => set({ headerName })}
          fault={faultAt('header')}
          maxLength={100}
        />
        {draft.headerName.trim() !== '' && (
          <TextField
            label={labels.headerValue}
            help={of?.header?.name === draft.headerName.trim() ? labels.headerKept : labels.headerValueHelp}
            value={draft.headerValue}
            onChange={(headerValue) => set({ headerValue })}
            autoComplete="off"
            maxLength={4_000}
          />
        )}
        <TextField
          label={labels.timeout}
          help={labels.timeoutHelp}
          inputMode="numeric"
          value={draft.timeoutSeconds}
          onChange={(timeoutSeconds) => set({ timeoutSeconds })}
          fault={faultAt('timeoutSeconds')}
        />
        <DialogActions>
          <Button onPress={onClose}>{webhookLabels.cancel}</Button>
          <Button look="primary" type="submit" isPending={send.isPending}>
            {of === null ? labels.add : webhookLabels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Its events: all, or those of one number or campaign. One that no longer exists can be kept. */
function Only({ draft, set, faultAt }: Part & { faultAt(field: string): string | undefined }) {
  const { data: ownNumbers } = useNumbers();
  const { data: ownCampaigns } = useCampaigns();
  const numbers = ownNumbers?.map(({ number }) => ({ value: number, label: phoneText(number) }));
  const campaigns = ownCampaigns?.map(({ campaignId, name }) => ({ value: campaignId, label: name, help: campaignId }));
  const choices = (any: string, own: readonly Choice[] | undefined, chosen: string): Choice[] => {
    const isOwn = chosen === '' || own?.some(({ value }) => value === chosen) === true;
    const kept = isOwn ? [] : [{ value: chosen, label: own === undefined ? chosen : labels.gone(chosen) }];
    return [{ value: 'any', label: any }, ...(own ?? []), ...kept];
  };
  return (
    <>
      <Select
        label={labels.number}
        value={draft.number === '' ? 'any' : draft.number}
        onChange={(value) => set({ number: value === 'any' ? '' : value })}
        choices={choices(labels.anyNumber, numbers, draft.number)}
        fault={faultAt('number')}
      />
      <Select
        label={labels.campaign}
        value={draft.campaign === '' ? 'any' : draft.campaign}
        onChange={(value) => set({ campaign: value === 'any' ? '' : value })}
        choices={choices(labels.anyCampaign, campaigns, draft.campaign)}
        fault={faultAt('campaign')}
      />
    </>
  );
}

function Types({ draft, set, fault }: Part & { fault: string | undefined }) {
  const { data: catalogue } = useCatalogue();
  const events = (catalogue?.events ?? []).filter(
    ({ type }) => draft.format === 'standard' || type.startsWith('message.'),
  );
  const chosen = draft.types ?? events.map(({ type }) => type);
  return (
    <Ticks label={labels.events} className={styles.types} fault={fault}>
      <Checkbox
        isSelected={draft.types === null}
        onChange={(all) => set({ types: all ? null : events.map(({ type }) => type) })}
      >
        {labels.all}
      </Checkbox>
      {draft.types === null && (
        <details>
          <summary>{labels.which}</summary>
          <dl>
            {events.map(({ type, example }) => (
              <div key={type}>
                <dt>
                  <code>{type}</code>
                </dt>
                <dd>
                  {webhookLabels.eventLines[type]}
                  <Example of={example} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {draft.types !== null &&
        events.map(({ type, example }) => (
          <div key={type}>
            <Checkbox
              isSelected={chosen.includes(type)}
              onChange={(on) => set({ types: on ? [...chosen, type] : chosen.filter((one) => one !== type) })}
            >
              <code>{type}</code>
            </Checkbox>
            <span className={styles.muted}>{webhookLabels.eventLines[type]}</span>
            <Example of={example} />
          </div>
        ))}
    </Ticks>
  );
}

function Example({ of }: { of: object }) {
  return (
    <details>
      <summary className={styles.muted}>{labels.example}</summary>
      <pre className={styles.example}>{pretty(of)}</pre>
    </details>
  );
}
