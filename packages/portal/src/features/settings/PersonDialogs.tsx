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

const settingsWords = labelsOf('settings');

const words = settingsWords.users;

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
    <Dialog title={words.changeOf(person.name)} open onClose={onClose}>
      <Form label={words.changeOf(person.name)} onSubmit={() => change.mutate({ role })}>
        <FormFault error={change.error} />
        <RoleSelect value={role} onChange={setRole} />
        <p>{words.changeWhat}</p>
        <DialogActions>
          <Button onPress={onClose}>{settingsWords.cancel}</Button>
          <Button look="primary" type="submit" isPending={change.isPending}>
            {words.change}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function DisableDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const change = useChange(person, onClose);
  return (
    <Dialog title={words.disableOf(person.name)} open onClose={onClose} urgent>
      <p>{words.disableWhat(person.name)}</p>
      <FormFault error={change.error} />
      <DialogActions>
        <Button onPress={onClose}>{settingsWords.cancel}</Button>
        <Button look="danger" isPending={change.isPending} onPress={() => change.mutate({ disabled: true })}>
          {words.disable}
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
    <Dialog title={words.signOutOf(person.name)} open onClose={onClose} urgent>
      {end.data === undefined ? <p>{words.signOutWhat}</p> : <p role="status">{words.signedOut(end.data)}</p>}
      <FormFault error={end.error} />
      <DialogActions>
        <Button onPress={onClose}>{end.data === undefined ? settingsWords.cancel : words.done}</Button>
        {end.data === undefined && (
          <Button look="danger" isPending={end.isPending} onPress={() => end.mutate()}>
            {words.signOut}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
