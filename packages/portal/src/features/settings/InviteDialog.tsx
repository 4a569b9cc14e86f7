/** Invites a person: shows the link once, to pass on. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Role } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { Code } from '../../ui/Values';
import type { Invitation } from './people';
import { RoleSelect } from './RoleSelect';

const settingsLabels = labelsOf('settings');
const copied = labelsOf('copied');

const labels = settingsLabels.users;

type Made = Invitation & { link: string; mailed: boolean };

export function InviteDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const [made, setMade] = useState<Made | null>(null);
  function close(): void {
    setMade(null);
    onClose();
  }
  return (
    <Dialog title={made === null ? labels.inviteTitle : labels.linkTitle} open={open} onClose={close}>
      {made === null ? (
        <Ask onMade={setMade} onClose={close} />
      ) : (
        <>
          <p>{made.mailed ? labels.linkMailed(made.email) : labels.linkWhat(made.email)}</p>
          <Code text={made.link} what={copied.link} />
          <DialogActions>
            <Button look="primary" onPress={close}>
              {labels.done}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

function Ask({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('Viewer');
  const invite = useMutation({
    mutationFn: () => api.post('/users/invitations', { email, name, role }),
    onSuccess: ({ data }) => {
      void client.invalidateQueries({ queryKey: ['invitations'] });
      onMade(data);
    },
  });
  return (
    <Form label={labels.inviteTitle} onSubmit={() => invite.mutate()}>
      <FormFault error={invite.error} />
      <TextField
        label={labels.email}
        type="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
        fault={faultOf(invite.error, 'email')}
        isRequired
        autoFocus
      />
      <TextField
        label={labels.name}
        autoComplete="off"
        value={name}
        onChange={setName}
        fault={faultOf(invite.error, 'name')}
      />
      <RoleSelect value={role} onChange={setRole} fault={faultOf(invite.error, 'role')} />
      <DialogActions>
        <Button onPress={onClose}>{settingsLabels.cancel}</Button>
        <Button look="primary" type="submit" isPending={invite.isPending}>
          {labels.inviteSend}
        </Button>
      </DialogActions>
    </Form>
  );
}
