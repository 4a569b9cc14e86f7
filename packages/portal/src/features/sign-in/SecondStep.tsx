/** The second factor after a first one that was right, and what happens once somebody is signed in. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { Alone } from './Alone';

const words = labelsOf('signIn');

export type Step = { next: 'totp'; challenge: string };

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
  return (
    <Alone title={words.twoFactor}>
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
    </Alone>
  );
}
