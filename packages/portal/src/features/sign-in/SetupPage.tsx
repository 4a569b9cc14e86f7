/** The first administrator. The one-time key is in the fragment of the address, which no server or log ever sees. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { Code } from '../../ui/Values';
import { Alone } from './Alone';
import { PasswordField } from './PasswordField';

const labels = { ...labelsOf('signIn'), ...labelsOf('setup') };
const copied = labelsOf('copied');

function keyInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('k') ?? '';
}

/** The one-time key, removed from the address at once: the browser's history would keep it, and others might see it. */
export function useKeyFromAddress(): string {
  const [key, setKey] = useState(keyInAddress);
  useEffect(() => {
    // The link may be opened in a tab that already shows this page: the browser then loads nothing.
    const follow = () => setKey((before) => keyInAddress() || before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (key !== '') history.replaceState(history.state, '', location.pathname + location.search);
  }, [key]);
  return key;
}

export function SetupPage() {
  const key = useKeyFromAddress();
  const state = useQuery({
    queryKey: ['setup-state'],
    queryFn: async () => (await api.get('/setup-state')).data,
  });
  const purpose = useQuery({
    queryKey: ['setup-key', key],
    enabled: key !== '',
    retry: false,
    queryFn: async () => (await api.post('/setup/look', { key })).data,
  });
  const isKnown = purpose.data?.purpose === 'user';
  return (
    <Alone title={isKnown ? labels.setup.again : labels.setup.title}>
      {(key === '' || purpose.isError) && (
        <Notice tone="warn" title={key === '' ? labels.setup.noKey : labels.setup.over}>
          <p>{labels.setup.newLink}</p>
          <Code text={labels.setup.command} what={copied.command} />
        </Notice>
      )}
      {purpose.data?.purpose === 'user' && (
        <NewPassword setupKey={key} email={purpose.data.email} charactersMin={purpose.data.passwordCharactersMin} />
      )}
      {purpose.data?.purpose === 'setup' && (
        <>
          <NewAdministrator setupKey={key} sandbox={state.data?.sandbox ?? true} />
          <p>{labels.setup.later}</p>
        </>
      )}
    </Alone>
  );
}

/** A link from the command line for an existing user: a new password signs them in. */
function NewPassword({ setupKey, email, charactersMin }: { setupKey: string; email: string; charactersMin: number }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/setup', { key: setupKey, password }),
    onSuccess: () => {
      client.clear();
      void navigate({ to: '/' });
    },
  });
  return (
    <Form label={labels.setup.again} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} at={['password']} />
      <p>{labels.setup.as(email)}</p>
      <PasswordField
        value={password}
        onChange={setPassword}
        isNew
        charactersMin={charactersMin}
        fault={faultOf(send.error, 'password')}
      />
      <Button look="primary" type="submit" isPending={send.isPending}>
        {labels.setup.set}
      </Button>
    </Form>
  );
}

function NewAdministrator({ setupKey, sandbox }: { setupKey: string; sandbox: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState({ name: '', email: '', password: '', company: sandbox ? 'Sandbox Company' : '' });
  const set = (field: keyof typeof form) => (value: string) => setForm({ ...form, [field]: value });
  const send = useMutation({
    mutationFn: () => api.post('/setup', { key: setupKey, ...form }),
    onSuccess: () => {
      client.clear();
      void navigate({ to: '/' });
    },
  });
  return (
    <Form label={labels.setup.title} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} at={['password']} />
      {faultOf(send.error, 'key') !== undefined && <Code text={labels.setup.command} what={copied.command} />}
      <TextField
        label={labels.name}
        autoComplete="name"
        value={form.name}
        onChange={set('name')}
        fault={faultOf(send.error, 'name')}
        isRequired
        autoFocus
      />
      <TextField
        label={labels.email}
        type="email"
        autoComplete="username"
        value={form.email}
        onChange={set('email')}
        fault={faultOf(send.error, 'email')}
        isRequired
      />
      <PasswordField value={form.password} onChange={set('password')} isNew fault={faultOf(send.error, 'password')} />
      <TextField
        label={labels.company}
        autoComplete="organization"
        value={form.company}
        onChange={set('company')}
        fault={faultOf(send.error, 'company')}
        isRequired
      />
      <Button look="primary" type="submit" isPending={send.isPending}>
        {labels.setup.create}
      </Button>
    </Form>
  );
}
