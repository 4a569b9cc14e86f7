/** Adds a routing rule to the draft, or changes one. */

import { useState } from 'react';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { wholeOrText } from '../../ui/whole';
import { useCarriers } from '../carriers/carriers';
import { formOf } from './draft';
import { HoursFields } from './HoursFields';
import { type Hours, type Rule, untakenBy, useAllCampaigns } from './routes';
import type { DraftState } from './use-draft';

const routeLabels = labelsOf('route');

const labels = routeLabels.form;
const carriersMax = 16;

const fresh = { id: '', prefix: '', number: '', kind: '', campaign: '', weight: '1', priority: '100' };

export function RuleForm({ of, draft, onClose }: { of: Rule | null; draft: DraftState; onClose(): void }) {
  const { environment } = useMe();
  const [form, setForm] = useState(() =>
    of === null
      ? { ...fresh, environment: environment as string }
      : {
          id: of.routeId,
          environment: of.environment,
          prefix: of.prefix,
          number: of.number ?? '',
          campaign: of.campaignId ?? '',
          kind: of.kind ?? '',
          weight: String(of.weight),
          priority: String(of.priority),
        },
  );
  const [carriers, setCarriers] = useState<string[]>(of?.carrierIds ?? []);
  const [hours, setHours] = useState<Hours | null>(of?.hours ?? null);
  const campaigns = useAllCampaigns();
  const set = (field: keyof typeof form) => (value: string) => setForm({ ...form, [field]: value });
  const { error, isPending } = draft.step;
  const put = () => {
    const record = {
      ...form,
      number: form.number === '' ? null : form.number,
      kind: form.kind === '' ? null : form.kind,
      campaign: form.campaign === '' ? null : form.campaign,
      hours,
      weight: wholeOrText(form.weight),
      priority: wholeOrText(form.priority),
      carriers,
    };
    const others = draft.rules.filter(({ routeId }) => routeId !== of?.routeId).map(formOf);
    draft.step.mutate({ forms: [...others, record] }, { onSuccess: onClose });
  };
  const field = (name: keyof typeof form) => ({ value: form[name], onChange: set(name), fault: faultOf(error, name) });
  return (
    <Dialog title={of === null ? labels.addTitle : labels.editTitle(of.routeId)} open onClose={onClose}>
      <Form onSubmit={put}>
        <FormFault error={error} />
        {of === null && <TextField label={labels.id} help={labels.idHelp} {...field('id')} autoFocus />}
        <Select
          label={labels.environment}
          {...field('environment')}
          choices={['live', 'sandbox'].map((value) => ({ value, label: value }))}
        />
        <TextField label={labels.prefix} help={labels.prefixHelp} inputMode="numeric" {...field('prefix')} />
        <TextField label={labels.number} help={labels.numberHelp} inputMode="numeric" {...field('number')} />
        <Select
          label={labels.kind}
          {...field('kind')}
          choices={[
            { value: '', label: routeLabels.anyKind },
            { value: 'SMS', label: 'SMS' },
            { value: 'MMS', label: 'MMS' },
          ]}
        />
        <Select
          label={labels.campaign}
          {...field('campaign')}
          choices={[
            { value: '', label: labels.anyCampaign },
            ...(campaigns.data ?? [])
              .filter(({ campaignId, environment }) => environment === form.environment || campaignId === form.campaign)
              .map(({ campaignId, name, company }) => ({ value: campaignId, label: labels.campaignOf(name, company) })),
          ]}
        />
        <HoursFields value={hours} onChange={setHours} error={error} />
        <Untaken environment={form.environment} kind={form.kind} prefix={form.prefix} carrierIds={carriers} />
        <CarrierList
          value={carriers}
          onChange={setCarriers}
          environment={form.environment}
          fault={faultOf(error, 'carriers')}
        />
        <TextField label={labels.priority} help={labels.priorityHelp} inputMode="numeric" {...field('priority')} />
        <TextField label={labels.weight} inputMode="numeric" {...field('weight')} />
        <DialogActions>
          <Button onPress={onClose}>{routeLabels.cancel}</Button>
          <Button look="primary" type="submit" isPending={isPending}>
            {labels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Such a rule is valid but probably unintended. */
function Untaken({ prefix, ...rule }: Parameters<typeof untakenBy>[0] & { prefix: string }) {
  const { data = [] } = useCarriers();
  const kinds = untakenBy(rule, data);
  return (
    <div role="status">
      {kinds.length > 0 && (
        <Notice tone="warn" title={routeLabels.untaken.title(kinds)}>
          <p>{routeLabels.untaken.detail(kinds, prefix)}</p>
        </Notice>
      )}
    </div>
  );
}

/** One choice for each position, and an empty one after the last. */
function CarrierList({
  value,
  onChange,
  environment,
  fault,
}: {
  value: readonly string[];
  onChange(value: string[]): void;
  environment: string;
  fault: string | undefined;
}) {
  const { data = [] } = useCarriers();
  const mine = data.filter((carrier) => carrier.environment === environment);
  const rows = [...value, ...(value.length < carriersMax ? [''] : [])];
  return (
    <>
      {rows.map((chosen, index) => (
        <Select
          // biome-ignore lint/suspicious/noArrayIndexKey: a choice is identified by its position
          key={index}
          label={labels.carrier(index + 1)}
          help={index === 0 ? labels.carriersHelp : undefined}
          fault={index === 0 ? fault : undefined}
          value={chosen}
          onChange={(next) => onChange(rows.map((one, at) => (at === index ? next : one)).filter((one) => one !== ''))}
          choices={[
            { value: '', label: labels.noCarrier },
            ...mine.map(({ carrierId, name }) => ({ value: carrierId, label: `${name} (${carrierId})` })),
          ]}
        />
      ))}
    </>
  );
}
