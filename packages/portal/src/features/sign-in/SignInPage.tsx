/** Sign-in: e-mail and password, then the second factor where there is one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { Code } from '../../ui/Values';
import { Alone } from './Alone';
import { PasswordField } from './PasswordField';

const words = labelsOf('signIn');
const copied = labelsOf('copied');

type Next = { next: 'done' } | { next: 'totp'; challenge: string };

export function SignInPage() {
  const [challenge, setChallenge] = useState<string | null>(null);
  const signedIn = useSignedIn();
  return (
    <Alone title={challenge === null ? words.signIn : words.twoFactor}>
      {challenge === null ? (
        <>
          <SignedOut />
          <NobodyYet />
          <Credentials onNext={(next) => (next.next === 'done' ? signedIn() : setChallenge(next.challenge))} />
        </>
      ) : (
        <SecondFactor challenge={challenge} onDone={signedIn} onBack={() => setChallenge(null)} />
      )}
    </Alone>
  );
}

/** Drops cached data of another person, then goes where this person wanted to go. */
function useSignedIn(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/login' });
  return () => {
    client.clear();
    void navigate({ to: next ?? '/' });
  };
}

/** The person whose session ended while the portal was open. */
function SignedOut() {
  const { out } = useSearch({ from: '/login' });
  if (out === undefined) return null;
  return (
    <Notice tone="info" title={words.out.title}>
      <p>{words.out.detail}</p>
    </Notice>
  );
}

function NobodyYet() {
  const { data } = useQuery({
    queryKey: ['setup-state'],
    queryFn: async () => (await api.get('/setup-state')).data,
  });
  if (data?.needsSetup !== true) return null;
  return (
    <Notice tone="info" title={words.nobody.title}>
      <p>{words.nobody.detail}</p>
      <Code text={words.nobody.commands} what={copied.commands} />
    </Notice>
  );
}

function Credentials({ onNext }: { onNext(next: Next): void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/sign-in', { email, password }),
    onSuccess: ({ data }) => onNext(data),
  });
  return (
    <Form label={words.signIn} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} />
      <TextField
        label={words.email}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        fault={faultOf(send.error, 'email')}
        isRequired
        autoFocus
      />
      <PasswordField value={password} onChange={setPassword} fault={faultOf(send.error, 'password')} />
      <Button look="primary" type="submit" isPending={send.isPending}>
        {words.signIn}
      </Button>
    </Form>
  );
}

function SecondFactor({ challenge, onDone, onBack }: { challenge: string; onDone(): void; onBack(): void }) {
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/sign-in/totp', { challenge, code: code.trim() }),
    onSuccess: onDone,
  });
  return (
    <Form label={words.twoFactor} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} />
      <TextField
        label={words.code}
        help={words.codeHelp}
        autoComplete="one-time-code"
        inputMode="text"
        value={code}
        onChange={setCode}
        fault={faultOf(send.error, 'code')}
        isRequired
        autoFocus
        mono
      />
      <Button look="primary" type="submit" isPending={send.isPending}>
        {words.signIn}
      </Button>
      <Button look="quiet" onPress={onBack}>
        {words.back}
      </Button>
    </Form>
  );
}
