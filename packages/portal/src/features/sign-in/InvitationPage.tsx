/**
 * Accepting an invitation: who invites to which company, then name and password. The key is in the fragment of the URL.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Alone } from './Alone';
import { PasswordField } from './PasswordField';
import { useKeyFromAddress } from './SetupPage';

const labels = { ...labelsOf('signIn'), ...labelsOf('setup') };

export function InvitationPage() {
  const key = useKeyFromAddress();
  const invitation = useQuery({
    queryKey: ['invitation', key],
    retry: false,
    queryFn: async () => (await api.post('/invitation/look', { key })).data,
  });
  if (isOver(invitation.error)) return <Over />;
  return (
    <Alone title={labels.invitation.title}>
      <Shown of={invitation}>
        {({ email, company, role, passwordCharactersMin }) => (
          <>
            <Notice tone="info" title={labels.invitation.what(company, roleName(role))}>
              <p>{labels.invitation.as(email)}</p>
            </Notice>
            <Accept invitationKey={key} charactersMin={passwordCharactersMin} />
          </>
        )}
      </Shown>
    </Alone>
  );
}

/** Used, expired, or not a link: trying again would not help. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'LINK_OVER';
}

function Over() {
  const { over, overWhat } = labels.invitation;
  return (
    <Alone title={labels.invitation.title}>
      <Notice
        tone="warn"
        title={over}
        actions={
          <LinkButton to="/login" look="primary">
            {labels.signIn}
          </LinkButton>
        }
      >
        <p>{overWhat}</p>
      </Notice>
    </Alone>
  );
}

function Accept({ invitationKey, charactersMin }: { invitationKey: string; charactersMin: number }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const send = useMutation({
    mutationFn: () => api.post('/invitation', { key: invitationKey, name, password }),
    onSuccess: () => {
      client.clear();
      void navigate({ to: '/' });
    },
  });
  return (
    <Form label={labels.invitation.title} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} />
      <TextField
        label={labels.name}
        autoComplete="name"
        value={name}
        onChange={setName}
        fault={faultOf(send.error, 'name')}
        isRequired
        autoFocus
      />
      <PasswordField
        value={password}
        onChange={setPassword}
        isNew
        charactersMin={charactersMin}
        fault={faultOf(send.error, 'password')}
      />
      <Button look="primary" type="submit" isPending={send.isPending}>
        {labels.invitation.accept}
      </Button>
    </Form>
  );
}
