/** The password once more, or a passkey. Loaded when it is first asked for. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client';
import { hasPasskeys } from '../api/passkeys';
import { useMe } from '../api/session';
import { PasskeyButton } from '../features/sign-in/PasskeyButton';
import { PasswordField } from '../features/sign-in/PasswordField';
import { labelsOf } from '../language/labels';
import { Button } from '../ui/Button';
import { DialogActions } from '../ui/Dialog';
import { Form } from '../ui/Page';
import { FormFault, faultOf } from '../ui/States';

const words = labelsOf('frame').confirm;

export function ConfirmForm({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const { passkeys } = useMe().user;
  const [password, setPassword] = useState('');
  const send = useMutation({ mutationFn: () => api.post('/me/confirm', { password }), onSuccess: onDone });
  return (
    <Form label={words.title} onSubmit={() => send.mutate()}>
      <p>{words.why}</p>
      <FormFault error={send.error} />
      <PasswordField value={password} onChange={setPassword} fault={faultOf(send.error, 'password')} />
      {passkeys > 0 && hasPasskeys() && (
        <PasskeyButton
          onResponse={async (response) => {
            await api.post('/me/confirm/passkey', { response });
            onDone();
          }}
        />
      )}
      <DialogActions>
        <Button onPress={onCancel}>{words.cancel}</Button>
        <Button look="primary" type="submit" isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Form>
  );
}
