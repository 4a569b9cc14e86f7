/** The form of an endpoint: where it is, what is sent there, about which numbers, in which format. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, Select, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { webhookWords } from '../../words/en/webhooks';
import styles from './Webhooks.module.css';
import { type Endpoint, type EndpointWithSecret, isPrivateUrl, pretty, useCatalogue } from './webhooks';

const words = webhookWords.form;
const timeoutDefault = 15;

interface Draft {
  url: string;
  name: string;
  /** Null: all. */
  types: string[] | null;
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

/** A header whose value was not typed again stays as it is, so it is not sent. */
function bodyOf(draft: Draft, before: Endpoint | null): object {
  const { url, types, format, headerName, headerValue } = draft;
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const keepsHeader = headerValue === '' && headerName.trim() === (before?.header?.name ?? '');
  const header = headerName.trim() === '' ? null : { name: headerName.trim(), value: headerValue };
  return {
    ...{ url: url.trim(), types, format, number: orNull(draft.number), campaign: orNull(draft.campaign) },
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(!keepsHeader && { header }),
    timeoutSeconds: Number(draft.timeoutSeconds),
  };
}

export function EndpointForm({
  of,
  number,
  onClose,
  onSecret,
}: {
  /** Null: a new one. */
  of: Endpoint | null;
  /** Whose replies a new one is for. */
  number?: string;
  onClose(): void;
  onSecret(secret: string): void;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => ({
    ...draftOf(of),
    ...(of === null && number !== undefined && { number }),
  }));
  const set = (changes: Partial<Draft>): void => setDraft({ ...draft, ...changes });
  const send = useMutation({
    mutationFn: async () => {
      const body = bodyOf(draft, of);
      if (of !== null) return api.patch<Endpoint>(`/endpoints/${of.endpointId}`, body);
      const made = await api.post<EndpointWithSecret>('/endpoints', body);
      onSecret(made.data.secret);
      return made;
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['endpoints'] });
      onClose();
    },
  });
  const title = of === null ? words.addTitle : words.changeTitle(of.name);
  /** The API names the field in its sentence. */
  const faultAt = (field: string): string | undefined =>
    send.error?.message.startsWith(`${field} `) === true ? send.error.message : undefined;
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form label={title} onSubmit={() => send.mutate()}>
        <FormFault error={send.error} />
        <TextField
          label={words.url}
          help={words.urlHelp}
          type="url"
          value={draft.url}
          onChange={(url) => set({ url })}
          fault={faultAt('url')}
          isRequired
          autoFocus
          mono
        />
        {isPrivateUrl(draft.url) && <Notice tone="warn" title={words.isPrivate} />}
        <TextField label={words.name} help={words.nameHelp} value={draft.name} onChange={(name) => set({ name })} />
        <Select
          label={words.format}
          value={draft.format}
          onChange={(format) => set({ format: format as Draft['format'] })}
          choices={(['standard', 'flat'] as const).map((value) => ({
            value,
            label: webhookWords.formats[value],
            help: webhookWords.formatHelp[value],
          }))}
        />
        <Types draft={draft} set={set} />
        <TextField
          label={words.number}
          help={words.numberHelp}
          inputMode="numeric"
          value={draft.number}
          onChange={(number) => set({ number })}
          fault={faultAt('number')}
        />
        <TextField
          label={words.campaign}
          help={words.campaignHelp}
          value={draft.campaign}
          onChange={(campaign) => set({ campaign })}
          fault={faultAt('campaign')}
        />
        <TextField
          label={words.headerName}
          help={words.headerNameHelp}
          value={draft.headerName}
          onChange={(headerName) => set({ headerName })}
          fault={faultAt('header')}
        />
        {draft.headerName.trim() !== '' && (
          <TextField
            label={words.headerValue}
            help={of?.header?.name === draft.headerName.trim() ? words.headerKept : words.headerValueHelp}
            value={draft.headerValue}
            onChange={(headerValue) => set({ headerValue })}
            autoComplete="off"
          />
        )}
        <TextField
          label={words.timeout}
          help={words.timeoutHelp}
          inputMode="numeric"
          value={draft.timeoutSeconds}
          onChange={(timeoutSeconds) => set({ timeoutSeconds })}
          fault={faultAt('timeoutSeconds')}
        />
        <DialogActions>
          <Button onPress={onClose}>{webhookWords.cancel}</Button>
          <Button look="primary" type="submit" isPending={send.isPending}>
            {of === null ? words.add : webhookWords.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function Types({ draft, set }: { draft: Draft; set(changes: Partial<Draft>): void }) {
  const { data: catalogue } = useCatalogue();
  const events = (catalogue?.events ?? []).filter(
    ({ type }) => draft.format === 'standard' || type.startsWith('message.'),
  );
  const chosen = draft.types ?? events.map(({ type }) => type);
  return (
    <fieldset className={styles.types}>
      <legend>{words.events}</legend>
      <Checkbox
        isSelected={draft.types === null}
        onChange={(all) => set({ types: all ? null : events.map(({ type }) => type) })}
      >
        {words.all}
      </Checkbox>
      {draft.types === null && (
        <details>
          <summary>{words.which}</summary>
          <dl>
            {events.map(({ type, example }) => (
              <div key={type}>
                <dt>
                  <code>{type}</code>
                </dt>
                <dd>
                  {webhookWords.eventLines[type]}
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
            <span className={styles.muted}>{webhookWords.eventLines[type]}</span>
            <Example of={example} />
          </div>
        ))}
    </fieldset>
  );
}

function Example({ of }: { of: object }) {
  return (
    <details>
      <summary className={styles.muted}>{words.example}</summary>
      <pre className={styles.example}>{pretty(of)}</pre>
    </details>
  );
}
