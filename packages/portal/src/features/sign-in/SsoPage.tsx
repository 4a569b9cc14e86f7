/**
 * The page to which the identity provider sends people back. Its parameters are in the URL, and are removed at once.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Loading, Notice } from '../../ui/States';
import { Alone } from './Alone';
import { SecondStep, type Step, useSignedIn } from './SecondStep';
import { SsoButton } from './SsoButton';

const labels = labelsOf('sso');

export function SsoPage() {
  const [query] = useState(() => location.search);
  const [step, setStep] = useState<{ step: Step; to: string | undefined } | null>(null);
  const [to, setTo] = useState<string | undefined>(undefined);
  const signedIn = useSignedIn(step?.to ?? to);
  const finish = useMutation({
    mutationFn: async () => (await api.post('/sign-in/sso/finish', { query })).data,
    onSuccess: (data) => {
      const next = data.to ?? undefined;
      if (data.entered.next === 'totp') setStep({ step: data.entered, to: next });
      else setTo(next ?? '/');
    },
  });
  useEffect(() => {
    if (to !== undefined) signedIn();
  }, [to, signedIn]);
  // Only once, even if effects run twice: the response is valid once.
  const sent = useRef(false);
  const { mutate } = finish;
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    history.replaceState(history.state, '', location.pathname);
    mutate();
  }, [mutate]);
  if (step !== null) return <SecondStep step={step.step} onDone={signedIn} onBack={() => location.assign('/login')} />;
  return <Alone title={labels.title}>{finish.isError ? <Refused error={finish.error} /> : <Loading rows={2} />}</Alone>;
}

function Refused({ error }: { error: Error }) {
  const { data: state } = useQuery({
    queryKey: ['setup-state'],
    queryFn: async () => (await api.get('/setup-state')).data,
  });
  const refusalText = error instanceof ApiError ? labels.refusals[error.reason] : undefined;
  return (
    <>
      <div role="alert">
        <Notice tone="warn" title={labels.refused}>
          <p>{refusalText ?? error.message}</p>
        </Notice>
      </div>
      {state !== undefined && state.sso !== null && <SsoButton name={state.sso.name} isPrimary />}
      <p>
        <Link to="/login" search={{ next: undefined }}>
          {labels.toSignIn}
        </Link>
      </p>
    </>
  );
}
