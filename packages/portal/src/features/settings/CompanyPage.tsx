/** The company: its name for recipients, its allowed destinations, and the rule for uncertain messages. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/session';
import { timeZoneNames } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select, Switch, TextField } from '../../ui/Field';
import { Facts, Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { AddressPanel } from './AddressPanel';
import { ConflictNotice } from './ConflictNotice';
import { type Company, conflictOf, useCompany, useSaveCompany } from './company';
import { QuietHours } from './QuietHours';
import { SettingsPage } from './SettingsPage';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.company;

export function CompanyPage() {
  const company = useCompany();
  const mayManage = useMay('manageCompany');
  return (
    <SettingsPage title={labels.title}>
      <Shown of={company} leads>
        {(current) =>
          mayManage ? (
            <Forms current={current} />
          ) : (
            <>
              <Panel>
                <Notice tone="info" title={settingsLabels.noManage} />
                <Facts facts={factsOf(current)} />
              </Panel>
              <QuietHours
                now={current}
                current={current}
                version={current.version}
                onSaved={() => {}}
                onTheirs={() => {}}
              />
            </>
          )
        }
      </Shown>
      <AddressPanel />
    </SettingsPage>
  );
}

interface Begun {
  current: Company;
  version: string;
  onSaved(company: Company): void;
  onTheirs(company: Company): void;
}

/** Two forms of one record: a change saved by one is not another person's change to the other. */
function Forms({ current }: { current: Company }) {
  const client = useQueryClient();
  const [version, setVersion] = useState(current.version);
  /** The fields' initial values. The cache updates a moment later. */
  const [begun, setBegun] = useState({ times: 0, from: current });
  const both = {
    current: begun.from,
    version,
    onSaved: (company: Company) => setVersion(company.version),
    onTheirs: (company: Company) => {
      client.setQueryData(['company'], company);
      setVersion(company.version);
      setBegun({ times: begun.times + 1, from: company });
    },
  };
  return (
    <>
      <CompanyForm key={`company ${begun.times}`} {...both} />
      <QuietHours key={`quiet ${begun.times}`} now={current} {...both} />
    </>
  );
}

function CompanyForm({ current, version, onSaved, onTheirs }: Begun) {
  const [form, setForm] = useState(() => formOf(current));
  const save = useSaveCompany();
  const set = (fields: Partial<typeof form>) => setForm({ ...form, ...fields });

  function submit(as: string): void {
    const destinations = form.destinations.split(/[\s,;]+/).filter((code) => code !== '');
    const timeZone = form.timeZone === '' ? null : form.timeZone;
    save.mutate(
      {
        ...form,
        destinations,
        timeZone,
        version: as,
        repeatsUnanswered: wholeOf(form.repeatsUnanswered),
        repeatsBroken: wholeOf(form.repeatsBroken),
      },
      {
        onSuccess: ({ data }) => {
          setForm(formOf(data));
          onSaved(data);
        },
      },
    );
  }

  const conflict = conflictOf(save.error);
  return (
    <Panel>
      <Form label={labels.title} onSubmit={() => submit(version)}>
        {conflict !== null ? (
          <ConflictNotice
            facts={factsOf(conflict)}
            onTheirs={() => onTheirs(conflict)}
            onMine={() => submit(conflict.version)}
          />
        ) : (
          <FormFault error={save.error} />
        )}
        <TextField
          label={labels.name}
          help={labels.nameHelp}
          value={form.name}
          onChange={(name) => set({ name })}
          fault={faultOf(save.error, 'name')}
          isRequired
        />
        <TextField
          label={labels.support}
          help={labels.supportHelp}
          value={form.supportContact}
          onChange={(supportContact) => set({ supportContact })}
          fault={faultOf(save.error, 'supportContact')}
        />
        <TextField
          label={labels.destinations}
          help={labels.destinationsHelp((save.data?.data ?? current).destinationsMax)}
          value={form.destinations}
          onChange={(destinations) => set({ destinations })}
          fault={faultOf(save.error, 'destinations')}
          isRequired
        />
        <div>
          <Switch
            label={labels.guard}
            isSelected={form.fraudGuard === 'on'}
            onChange={(on) => set({ fraudGuard: on ? 'on' : 'off' })}
          />
          <p>{faultOf(save.error, 'fraudGuard') ?? labels.guardHelp}</p>
        </div>
        <Select
          label={labels.uncertain}
          help={labels.uncertainChoices[form.uncertainPolicy].help}
          value={form.uncertainPolicy}
          onChange={(value) => set({ uncertainPolicy: value as Company['uncertainPolicy'] })}
          choices={choicesOf(labels.uncertainChoices)}
        />
        {form.uncertainPolicy === 'resend' && (
          <>
            <TextField
              label={labels.repeatsUnanswered}
              help={labels.repeatsUnansweredHelp}
              inputMode="numeric"
              value={form.repeatsUnanswered}
              onChange={(repeatsUnanswered) => set({ repeatsUnanswered })}
              fault={faultOf(save.error, 'repeatsUnanswered')}
            />
            <TextField
              label={labels.repeatsBroken}
              help={labels.repeatsBrokenHelp}
              inputMode="numeric"
              value={form.repeatsBroken}
              onChange={(repeatsBroken) => set({ repeatsBroken })}
              fault={faultOf(save.error, 'repeatsBroken')}
            />
          </>
        )}
        <Select
          label={labels.fallback}
          help={labels.fallbackChoices[form.mmsFallback].help}
          value={form.mmsFallback}
          onChange={(value) => set({ mmsFallback: value as Company['mmsFallback'] })}
          choices={choicesOf(labels.fallbackChoices)}
        />
        <Select
          label={labels.animations}
          help={labels.animationChoices[form.animations].help}
          value={form.animations}
          onChange={(value) => set({ animations: value as Company['animations'] })}
          choices={choicesOf(labels.animationChoices)}
        />
        <div>
          <Switch
            label={labels.smart}
            isSelected={form.smartEncoding}
            onChange={(smartEncoding) => set({ smartEncoding })}
          />
          <p>{labels.smartHelp}</p>
        </div>
        <div>
          <Switch
            label={labels.exact}
            isSelected={form.exactShapeDefault}
            onChange={(exactShapeDefault) => set({ exactShapeDefault })}
          />
          <p>{labels.exactHelp}</p>
        </div>
        <Select
          label={labels.zone}
          help={labels.zoneHelp}
          value={form.timeZone}
          onChange={(timeZone) => set({ timeZone })}
          fault={faultOf(save.error, 'timeZone')}
          choices={[
            { value: '', label: labels.zoneBrowser },
            ...timeZoneNames().map((value) => ({ value, label: value })),
          ]}
        />
        <Button look="primary" type="submit" isPending={save.isPending}>
          {settingsLabels.save}
        </Button>
        <p role="status">{save.isSuccess && settingsLabels.saved}</p>
      </Form>
    </Panel>
  );
}

/** A number if it is one; else as typed, so that the gateway refuses it. */
function wholeOf(text: string): number {
  return (/^\d+$/.test(text) ? Number(text) : text) as number;
}

function choicesOf(choices: Readonly<Record<string, { label: string; help: string }>>) {
  return Object.entries(choices).map(([value, choice]) => ({ value, ...choice }));
}

function formOf(company: Company) {
  const {
    name,
    supportContact,
    uncertainPolicy,
    mmsFallback,
    animations,
    smartEncoding,
    exactShapeDefault,
    fraudGuard,
  } = company;
  const destinations = company.destinations.join(', ');
  return {
    name,
    supportContact,
    uncertainPolicy,
    repeatsUnanswered: String(company.repeatsUnanswered),
    repeatsBroken: String(company.repeatsBroken),
    mmsFallback,
    animations,
    smartEncoding,
    exactShapeDefault,
    fraudGuard,
    destinations,
    timeZone: company.timeZone ?? '',
  };
}

function factsOf(company: Company): (readonly [string, string])[] {
  return [
    [labels.name, company.name],
    [labels.support, company.supportContact || '—'],
    [labels.destinations, company.destinations.join(', ')],
    [labels.guard, settingsLabels.users[company.fraudGuard]],
    [labels.uncertain, labels.uncertainChoices[company.uncertainPolicy].label],
    [labels.repeatsUnanswered, String(company.repeatsUnanswered)],
    [labels.repeatsBroken, String(company.repeatsBroken)],
    [labels.fallback, labels.fallbackChoices[company.mmsFallback].label],
    [labels.animations, labels.animationChoices[company.animations].label],
    [labels.smart, company.smartEncoding ? settingsLabels.users.on : settingsLabels.users.off],
    [labels.exact, company.exactShapeDefault ? settingsLabels.users.on : settingsLabels.users.off],
    [labels.zone, company.timeZone ?? labels.zoneBrowser],
  ];
}
