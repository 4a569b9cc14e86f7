/** A forgotten password: requests a link by mail; the link leads back here, with its key in the fragment of the URL. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Alone } from './Alone';
import { PasswordField } from './PasswordField';
import { SecondStep, type Step, useSignedIn } from './SecondStep';
import { useKeyFromAddress } from './SetupPage';

const labels = labelsOf('reset');
const signInLabels = labelsOf('signIn');

export function ResetPage() {
  const key = useKeyFromAddress();
  return key === '' ? <Ask /> : <WithKey key={key} resetKey={key} />;
}

function Ask({ isOver = false }: { isOver?: boolean }) {
  const [email, setEmail] = useState('');
  const send = useMutation({ mutationFn: async () => (await api.post('/password-reset', { email })).data });
  return (
    <Alone title={labels.title}>
      {isOver && !send.isSuccess && <Notice tone="warn" title={labels.over} />}
      {send.isSuccess ? (
        <div role="status">
          <Notice tone="ok" title={labels.asked}>
            <p>{labels.askedWhat(email, send.data.minutes)}</p>
          </Notice>
        </div>
      ) : (
        <Form label={labels.title} onSubmit={() => send.mutate()}>
          <p>{labels.what}</p>
          <FormFault error={send.error} />
          <TextField
            label={signInLabels.email}
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            fault={faultOf(send.error, 'email')}
            isRequired
            autoFocus
          />
          <Button look="primary" type="submit" isPending={send.isPending}>
            {labels.send}
          </Button>
        </Form>
      )}
      <p>
        <Link to="/login" search={{ next: undefined }}>
          {labels.toSignIn}
        </Link>
      </p>
    </Alone>
  );
}

function WithKey({ resetKey }: { resetKey: string }) {
  const [step, setStep] = useState<Step | null>(null);
  const signedIn = useSignedIn();
  const look = useQuery({
    queryKey: ['password-reset', resetKey],
    retry: false,
    // The link may be used up in another tab; its details stay until then.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await api.post('/password-reset/look', { key: resetKey })).data,
  });
  if (step !== null) return <SecondStep step={step} onDone={signedIn} onBack={() => location.assign('/login')} />;
  if (look.error instanceof ApiError && look.error.reason === 'LINK_OVER') return <Ask isOver />;
  return (
    <Alone title={labels.newTitle}>
      <Shown of={look}>
        {({ email, passwordCharactersMin }) => (
          <NewPassword
            resetKey={resetKey}
            email={email}
            charactersMin={passwordCharactersMin}
            onEntered={(entered) => (entered.next === 'done' ? signedIn() : setStep(entered))}
          />
        )}
      </Shown>
    </Alone>
  );
}

function NewPassword({
  resetKey,
  email,
  charactersMin,
  onEntered,
}: {
  resetKey: string;
  email: string;
  charactersMin: number;
  onEntered(entered: { next: 'done' } | Step): void;
}) {
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/password-reset/finish', { key: resetKey, password }),
    onSuccess: ({ data }) => onEntered(data),
  });
  return (
    <Form label={labels.newTitle} onSubmit={() => send.mutate()}>
      <p>{labels.as(email)}</p>
      <FormFault error={send.error} at={['password']} />
      <PasswordField
        value={password}
        onChange={setPassword}
        isNew
        charactersMin={charactersMin}
        fault={faultOf(send.error, 'password')}
      />
      <Button look="primary" type="submit" isPending={send.isPending}>
        {labels.set}
      </Button>
    </Form>
  );
}
