/** Confirmations before a person gets another role or is disabled. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { BodyOf } from '../../api/typed';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Form } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import type { Person } from './people';
import { RoleSelect } from './RoleSelect';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.users;

function useChange({ userId }: Person, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: BodyOf<'POST', '/users/:userId'>) => api.post('/users/:userId', form, { userId }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['users'] });
      onDone();
    },
  });
}

export function RoleDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const [role, setRole] = useState(person.role);
  const change = useChange(person, onClose);
  return (
    <Dialog title={labels.changeOf(person.name)} open onClose={onClose}>
      <Form label={labels.changeOf(person.name)} onSubmit={() => change.mutate({ role })}>
        <FormFault error={change.error} />
        <RoleSelect value={role} onChange={setRole} />
        <p>{labels.changeWhat}</p>
        <DialogActions>
          <Button onPress={onClose}>{settingsLabels.cancel}</Button>
          <Button look="primary" type="submit" isPending={change.isPending}>
            {labels.change}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function DisableDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const change = useChange(person, onClose);
  return (
    <Dialog title={labels.disableOf(person.name)} open onClose={onClose} urgent>
      <p>{labels.disableWhat(person.name)}</p>
      <FormFault error={change.error} />
      <DialogActions>
        <Button onPress={onClose}>{settingsLabels.cancel}</Button>
        <Button look="danger" isPending={change.isPending} onPress={() => change.mutate({ disabled: true })}>
          {labels.disable}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function SignOutDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const end = useMutation({
    mutationFn: async () => (await api.post('/users/:userId/sessions/end', {}, { userId: person.userId })).data.ended,
  });
  return (
    <Dialog title={labels.signOutOf(person.name)} open onClose={onClose} urgent>
      {end.data === undefined ? <p>{labels.signOutWhat}</p> : <p role="status">{labels.signedOut(end.data)}</p>}
      <FormFault error={end.error} />
      <DialogActions>
        <Button onPress={onClose}>{end.data === undefined ? settingsLabels.cancel : labels.done}</Button>
        {end.data === undefined && (
          <Button look="danger" isPending={end.isPending} onPress={() => end.mutate()}>
            {labels.signOut}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
