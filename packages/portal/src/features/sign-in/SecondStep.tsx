/** The second factor after a correct first one, and the steps after signing in. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { Alone } from './Alone';

const labels = labelsOf('signIn');

const PasskeyButton = lazy(() => import('./PasskeyButton').then((one) => ({ default: one.PasskeyButton })));

export type Step = { next: 'totp'; challenge: string; authenticator: boolean; passkey: boolean };

/** Drops cached data of another person, then goes where this person wanted to go. */
export function useSignedIn(next?: string): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return () => {
    client.clear();
    void navigate({ to: next ?? '/' });
  };
}

export function SecondStep({ step, onDone, onBack }: { step: Step; onDone(): void; onBack(): void }) {
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/sign-in/totp', { challenge: step.challenge, code: code.trim() }),
    onSuccess: onDone,
  });
  const { authenticator, passkey } = step;
  return (
    <Alone title={labels.twoFactor}>
      {passkey && (
        <Suspense fallback={null}>
          <PasskeyButton
            isPrimary={!authenticator}
            onResponse={async (response) => {
              await api.post('/sign-in/passkey', { response });
              onDone();
            }}
          />
        </Suspense>
      )}
      <Form label={labels.twoFactor} onSubmit={() => send.mutate()}>
        <FormFault error={send.error} />
        <TextField
          label={authenticator ? labels.code : labels.recoveryCode}
          help={authenticator ? labels.codeHelp : labels.recoveryCodeHelp}
          autoComplete="one-time-code"
          inputMode="text"
          value={code}
          onChange={setCode}
          fault={faultOf(send.error, 'code')}
          isRequired
          autoFocus={authenticator}
          mono
        />
        <Button look={authenticator ? 'primary' : 'plain'} type="submit" isPending={send.isPending}>
          {labels.signIn}
        </Button>
        <Button look="quiet" onPress={onBack}>
          {labels.back}
        </Button>
      </Form>
    </Alone>
  );
}
