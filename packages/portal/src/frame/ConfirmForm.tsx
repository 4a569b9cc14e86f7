/** Asks for the password once more, or a passkey. Loaded at first use. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client';
import { hasPasskeys } from '../api/passkeys';
import { useMe } from '../api/session';
import { PasskeyButton } from '../features/sign-in/PasskeyButton';
import { PasswordField } from '../features/sign-in/PasswordField';
import { SsoButton } from '../features/sign-in/SsoButton';
import { labelsOf } from '../language/labels';
import { Button } from '../ui/Button';
import { DialogActions } from '../ui/Dialog';
import { Form } from '../ui/Page';
import { FormFault, faultOf } from '../ui/States';

const labels = labelsOf('frame').confirm;

export function ConfirmForm({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const { passkeys, password: hasPassword } = useMe().user;
  const [password, setPassword] = useState('');
  const send = useMutation({ mutationFn: () => api.post('/me/confirm', { password }), onSuccess: onDone });
  return (
    <Form label={labels.title} onSubmit={() => send.mutate()}>
      <p>{hasPassword ? labels.why : labels.whyNoPassword}</p>
      <FormFault error={send.error} />
      {hasPassword && <PasswordField value={password} onChange={setPassword} fault={faultOf(send.error, 'password')} />}
      {passkeys > 0 && hasPasskeys() && (
        <PasskeyButton
          onResponse={async (response) => {
            await api.post('/me/confirm/passkey', { response });
            onDone();
          }}
        />
      )}
      <DialogActions>
        <Button onPress={onCancel}>{labels.cancel}</Button>
        {hasPassword ? (
          <Button look="primary" type="submit" isPending={send.isPending}>
            {labels.go}
          </Button>
        ) : (
          <Again />
        )}
      </DialogActions>
    </Form>
  );
}

/** A sign-in counts as recent: the provider authenticates the person anew and leads back to this page. */
function Again() {
  const { data } = useQuery({
    queryKey: ['setup-state'],
    queryFn: async () => (await api.get('/setup-state')).data,
  });
  if (data === undefined || data.sso === null) return null;
  return <SsoButton name={data.sso.name} next={`${location.pathname}${location.search}`} isPrimary again />;
}
