/** Asks for the password again before sensitive actions, in case somebody else sits at the screen. One for all pages. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, onConfirm } from '../api/client';
import { PasswordField } from '../features/sign-in/PasswordField';
import { labelsOf } from '../language/labels';
import { Button } from '../ui/Button';
import { Dialog, DialogActions } from '../ui/Dialog';
import { Form } from '../ui/Page';
import { FormFault, faultOf } from '../ui/States';

const frameWords = labelsOf('frame');

const words = frameWords.confirm;

export function ConfirmPerson() {
  const [settle, setSettle] = useState<((given: boolean) => void) | null>(null);

  useEffect(() => {
    onConfirm(() => new Promise((resolve) => setSettle(() => resolve)));
    return () => onConfirm(null);
  }, []);

  function done(given: boolean): void {
    settle?.(given);
    setSettle(null);
  }

  return (
    <Dialog title={words.title} open={settle !== null} onClose={() => done(false)}>
      <Ask onDone={() => done(true)} onCancel={() => done(false)} />
    </Dialog>
  );
}

function Ask({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const [password, setPassword] = useState('');
  const send = useMutation({ mutationFn: () => api.post('/me/confirm', { password }), onSuccess: onDone });
  return (
    <Form label={words.title} onSubmit={() => send.mutate()}>
      <p>{words.why}</p>
      <FormFault error={send.error} />
      <PasswordField value={password} onChange={setPassword} fault={faultOf(send.error, 'password')} />
      <DialogActions>
        <Button onPress={onCancel}>{words.cancel}</Button>
        <Button look="primary" type="submit" isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Form>
  );
}
