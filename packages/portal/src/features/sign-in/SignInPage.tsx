/** Sign-in: e-mail and password, then the second factor if there is one. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/client';
import { hasPasskeys } from '../../api/passkeys';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { Code } from '../../ui/Values';
import { Alone } from './Alone';
import { PasswordField } from './PasswordField';
import { SecondStep, type Step, useSignedIn } from './SecondStep';
import { SsoButton } from './SsoButton';

const labels = labelsOf('signIn');
const copied = labelsOf('copied');

/** Only if this gateway and this browser support passkeys. */
const PasskeySignIn = lazy(() => import('./PasskeySignIn').then((one) => ({ default: one.PasskeySignIn })));

export function SignInPage() {
  const [step, setStep] = useState<Step | null>(null);
  const { next } = useSearch({ from: '/login' });
  const signedIn = useSignedIn(next);
  const state = useSetupState();
  if (step !== null) return <SecondStep step={step} onDone={signedIn} onBack={() => setStep(null)} />;
  return (
    <Alone title={labels.signIn}>
      <SignedOut />
      {state?.needsSetup === true && <NobodyYet />}
      {state !== undefined && state.sso !== null && (
        <>
          <SsoButton name={state.sso.name} next={next} isPrimary={!state.sso.passwords} />
          {!state.sso.passwords && <p>{labels.sso.operators}</p>}
        </>
      )}
      <Credentials
        isPrimary={state?.sso?.passwords !== false}
        onNext={(entered) => (entered.next === 'done' ? signedIn() : setStep(entered))}
      />
      {state?.passkeysAt === location.origin && hasPasskeys() && (
        <Suspense fallback={null}>
          <PasskeySignIn onDone={signedIn} />
        </Suspense>
      )}
      {state?.passwordReset === true && (
        <p>
          <Link to="/reset">{labels.forgot}</Link>
        </p>
      )}
    </Alone>
  );
}

function useSetupState() {
  const { data } = useQuery({
    queryKey: ['setup-state'],
    queryFn: async () => (await api.get('/setup-state')).data,
  });
  return data;
}

/** The person whose session ended while the portal was open. */
function SignedOut() {
  const { out } = useSearch({ from: '/login' });
  if (out === undefined) return null;
  return (
    <Notice tone="info" title={labels.out.title}>
      <p>{labels.out.detail}</p>
    </Notice>
  );
}

function NobodyYet() {
  return (
    <Notice tone="info" title={labels.nobody.title}>
      <p>{labels.nobody.detail}</p>
      <Code text={labels.nobody.commands} what={copied.commands} />
    </Notice>
  );
}

function Credentials({ isPrimary, onNext }: { isPrimary: boolean; onNext(entered: { next: 'done' } | Step): void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/sign-in', { email, password }),
    onSuccess: ({ data }) => onNext(data),
  });
  return (
    <Form label={labels.signIn} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} />
      <TextField
        label={labels.email}
        type="email"
        autoComplete="username webauthn"
        value={email}
        onChange={setEmail}
        fault={faultOf(send.error, 'email')}
        isRequired
        autoFocus
      />
      <PasswordField value={password} onChange={setPassword} fault={faultOf(send.error, 'password')} />
      <Button look={isPrimary ? 'primary' : 'plain'} type="submit" isPending={send.isPending}>
        {labels.signIn}
      </Button>
    </Form>
  );
}
