/** The settings a person changes for themselves. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, setCsrf } from '../../api/client';
import { meQuery, useMay, useMe } from '../../api/session';
import { setTimeZone, timeZoneNames } from '../../api/time-zone';
import { setSingleKeys } from '../../frame/keyboard';
import { setNotify, useNotifyState } from '../../frame/notify';
import { labelsOf } from '../../language/labels';
import { language, languageNames, type OfferedLanguage, offeredLanguage, speak } from '../../language/language';
import { Button } from '../../ui/Button';
import { densities, setDensity, useDensity } from '../../ui/density';
import { Select, Switch, TextField } from '../../ui/Field';
import { Choices, Facts, Form, Page, Panel } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { PasswordField } from '../sign-in/PasswordField';
import { Passkeys } from './Passkeys';
import { SessionList } from './SessionList';
import { TwoFactor } from './TwoFactor';

const labels = labelsOf('profile');
const notifyLabels = labels.notify;

/** Whether this browser notifies of replies: off until the person turns it on here. */
function Notifications() {
  const state = useNotifyState();
  return (
    <Panel title={notifyLabels.title}>
      <p>{notifyLabels.what}</p>
      {(state === 'on' || state === 'off') && (
        <Switch label={notifyLabels.switch} isSelected={state === 'on'} onChange={(on) => void setNotify(on)} />
      )}
      <p role="status">{state === 'denied' ? notifyLabels.denied : state === 'unable' ? notifyLabels.unable : ''}</p>
    </Panel>
  );
}

export function ProfilePage() {
  const me = useMe();
  const mayRead = useMay('readBody');
  return (
    <Page title={labels.title}>
      <About />
      {me.user.password ? <Password /> : <NoPassword />}
      <TwoFactor />
      <Passkeys />
      <SessionList />
      {mayRead && <Notifications />}
      <Lists />
      <SingleKeys />
    </Page>
  );
}

function Lists() {
  const density = useDensity();
  return (
    <Panel title={labels.density.title}>
      <Choices>
        <Select
          label={labels.density.label}
          help={labels.density.help}
          value={density}
          choices={densities.map((value) => ({ value, label: labels.density[value] }))}
          onChange={(value) => setDensity(value === 'comfortable' ? value : 'compact')}
        />
      </Choices>
    </Panel>
  );
}

/** Saves the given fields; the answer updates the session at once. */
export function useSaveMe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: { name?: string; timeZone?: string | null; language?: OfferedLanguage; singleKeys?: boolean }) =>
      api.post('/me', form),
    onSuccess: ({ data }) => {
      setTimeZone(data.timeZone ?? data.account.timeZone);
      client.setQueryData(meQuery.queryKey, data);
    },
  });
}

function About() {
  const me = useMe();
  const role = roleName(me.user.role);
  const [name, setName] = useState(me.user.name);
  const shown = offeredLanguage(me.user.language) ?? offeredLanguage(language) ?? 'en';
  const [tongue, setTongue] = useState(shown);
  const [zone, setZone] = useState(me.timeZone ?? '');
  const save = useSaveMe();
  const zones = [
    { value: '', label: labels.about.companyZone },
    ...timeZoneNames().map((value) => ({ value, label: value })),
  ];
  const submit = () =>
    save.mutate(
      { name, timeZone: zone === '' ? null : zone, language: tongue === shown ? undefined : tongue },
      { onSuccess: () => speak(tongue) },
    );
  return (
    <Panel title={labels.about.title}>
      <Facts
        facts={[
          [labels.about.email, me.user.email],
          [labels.about.role, me.user.operator ? `${role} · ${labels.about.operator}` : role],
        ]}
      />
      <Form label={labels.about.title} onSubmit={submit}>
        <FormFault error={save.error} />
        <TextField
          label={labels.about.name}
          autoComplete="name"
          value={name}
          onChange={setName}
          fault={faultOf(save.error, 'name')}
          isRequired
        />
        <Select
          label={labels.about.timeZone}
          help={labels.about.timeZoneHelp}
          value={zone}
          onChange={setZone}
          choices={zones}
          fault={faultOf(save.error, 'timeZone')}
        />
        <Select
          label={labels.about.language}
          help={labels.about.languageHelp}
          value={tongue}
          onChange={(value) => setTongue(offeredLanguage(value) ?? shown)}
          choices={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          fault={faultOf(save.error, 'language')}
        />
        <Button look="primary" type="submit" isPending={save.isPending}>
          {labels.about.save}
        </Button>
        <p role="status">{save.isSuccess && labels.about.saved}</p>
      </Form>
    </Panel>
  );
}

function NoPassword() {
  return (
    <Panel title={labels.password.title}>
      <p>{labels.password.none}</p>
    </Panel>
  );
}

function Password() {
  const me = useMe();
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const save = useMutation({
    mutationFn: () => api.post('/me/password', { current, next }),
    onSuccess: ({ data }) => {
      if (data !== null) {
        setCsrf(data.csrf);
        client.setQueryData(meQuery.queryKey, data);
      }
      void client.invalidateQueries({ queryKey: ['sessions'] });
      setCurrent('');
      setNext('');
      setTried(false);
    },
  });
  const [isTried, setTried] = useState(false);
  const empty = (value: string) => (isTried && value === '' ? labels.password.empty : undefined);
  const submit = () => {
    setTried(true);
    if (current !== '' && next !== '') save.mutate();
  };
  return (
    <Panel title={labels.password.title}>
      <Form label={labels.password.title} onSubmit={submit}>
        <p>{labels.password.what}</p>
        <FormFault error={save.error} at={['current', 'next']} />
        <PasswordField
          label={labels.password.current}
          value={current}
          onChange={setCurrent}
          fault={empty(current) ?? faultOf(save.error, 'current')}
        />
        <PasswordField
          label={labels.password.next}
          value={next}
          onChange={setNext}
          isNew
          charactersMin={me.account.passwordCharactersMin}
          fault={empty(next) ?? faultOf(save.error, 'next')}
        />
        <Button look="primary" type="submit" isPending={save.isPending}>
          {labels.password.change}
        </Button>
        {save.isSuccess && <Notice tone="ok" title={labels.password.changed} />}
      </Form>
    </Panel>
  );
}

function SingleKeys() {
  const me = useMe();
  const save = useSaveMe();
  return (
    <Panel title={labels.keys.title}>
      <p>{labels.keys.what}</p>
      <FormFault error={save.error} />
      <Switch
        label={labels.keys.single}
        isSelected={me.user.singleKeys}
        onChange={(on) => {
          setSingleKeys(on);
          save.mutate({ singleKeys: on });
        }}
      />
    </Panel>
  );
}
