/** The people of the company and their roles; invitations; and each role's permissions, from the gateway. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, confirmFirst } from '../../api/client';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { Time } from '../../ui/Values';
import { InviteDialog } from './InviteDialog';
import { DisableDialog, RoleDialog, SignOutDialog } from './PersonDialogs';
import { type Invitation, type Person, useInvitations, usePeople } from './people';
import { RoleMatrix } from './RoleMatrix';
import styles from './Settings.module.css';
import { SettingsPage } from './SettingsPage';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.users;

type OpenDialog = { what: 'invite' } | { what: 'role' | 'disable' | 'signOut'; person: Person };

export function UsersPage() {
  const client = useQueryClient();
  const me = useMe();
  const people = usePeople();
  const mayManage = useMay('manageUsers');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const showDialog = (next: OpenDialog) => void confirmFirst(() => setDialog(next));
  const close = () => setDialog(null);
  const enable = useMutation({
    mutationFn: (person: Person) => api.post('/users/:userId', { disabled: false }, { userId: person.userId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['users'] }),
  });
  const invite = mayManage && (
    <Button look="primary" icon="plus" onPress={() => showDialog({ what: 'invite' })}>
      {labels.invite}
    </Button>
  );
  return (
    <SettingsPage title={labels.title} actions={invite}>
      {!mayManage && <Notice tone="info" title={settingsLabels.noManage} />}
      <FormFault error={enable.error} />
      <Shown of={people} leads>
        {(list) => (
          <>
            <p>{labels.count(list.length)}</p>
            <Table
              caption={labels.caption}
              rows={list}
              keyOf={({ userId }) => userId}
              columns={columns(me.user.userId, mayManage ? showDialog : null, enable.mutate)}
            />
            {list.length === 1 && mayManage && <Empty title={labels.only}>{labels.onlyNext}</Empty>}
          </>
        )}
      </Shown>
      {mayManage && <Invitations />}
      <RoleMatrix />
      <InviteDialog open={dialog?.what === 'invite'} onClose={close} />
      {dialog?.what === 'role' && <RoleDialog person={dialog.person} onClose={close} />}
      {dialog?.what === 'signOut' && <SignOutDialog person={dialog.person} onClose={close} />}
      {dialog?.what === 'disable' && <DisableDialog person={dialog.person} onClose={close} />}
    </SettingsPage>
  );
}

function columns(
  ownId: string,
  showDialog: ((dialog: OpenDialog) => void) | null,
  enable: (person: Person) => void,
): Column<Person>[] {
  const plain: Column<Person>[] = [
    {
      id: 'name',
      title: labels.name,
      cell: ({ name, email, userId }) => (
        <span className={styles.person}>
          <strong>
            {name}
            {userId === ownId && ` (${labels.you})`}
          </strong>
          <span className={styles.muted}>{email}</span>
        </span>
      ),
    },
    {
      id: 'role',
      title: labels.role,
      cell: ({ role, operator }) => (operator ? `${roleName(role)} · ${labels.operator}` : roleName(role)),
    },
    {
      id: 'state',
      title: labels.state,
      cell: ({ disabled }) => <StatusBadge state={disabled ? 'disabled' : 'active'} />,
    },
  ];
  if (showDialog === null) return plain;
  return [
    ...plain,
    { id: 'factor', title: labels.factor, cell: ({ twoFactor }) => <Factor on={twoFactor === true} /> },
    {
      id: 'last',
      title: labels.lastSignIn,
      cell: ({ lastSignInAt }) => (lastSignInAt == null ? labels.never : <Time at={lastSignInAt} form="relative" />),
    },
    {
      id: 'actions',
      title: labels.actions,
      cell: (person) =>
        person.userId === ownId ? (
          <span className={styles.muted}>{labels.you}</span>
        ) : (
          <ActionMenu
            label={labels.actions}
            name={labels.actionsOf(person.name)}
            look="quiet"
            icon="more"
            actions={[
              { id: 'role', label: labels.change, run: () => showDialog({ what: 'role', person }) },
              { id: 'signOut', label: labels.signOut, run: () => showDialog({ what: 'signOut', person }) },
              person.disabled
                ? { id: 'enable', label: labels.enable, run: () => enable(person) }
                : { id: 'disable', label: labels.disable, run: () => showDialog({ what: 'disable', person }) },
            ]}
          />
        ),
    },
  ];
}

export function Factor({ on }: { on: boolean }) {
  return on ? (
    <Badge tone="ok" icon="check" word={labels.on} />
  ) : (
    <Badge tone="warn" icon="warning" word={labels.off} />
  );
}

function Invitations() {
  const client = useQueryClient();
  const invitations = useInvitations(true);
  const withdraw = useMutation({
    mutationFn: ({ invitationId }: Invitation) => api.delete('/users/invitations/:invitationId', { invitationId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  });
  return (
    <Panel title={labels.invitations}>
      <FormFault error={withdraw.error} />
      <Shown of={invitations} rows={1} leads>
        {(list) =>
          list.length === 0 ? (
            <p>{labels.noInvitations}</p>
          ) : (
            <Table
              caption={labels.invitations}
              rows={list}
              keyOf={({ invitationId }) => invitationId}
              columns={[
                { id: 'email', title: labels.email, cell: ({ email }) => email },
                { id: 'role', title: labels.role, cell: ({ role }) => roleName(role) },
                { id: 'by', title: labels.invitedBy, cell: ({ invitedBy }) => invitedBy },
                { id: 'expires', title: labels.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
                {
                  id: 'actions',
                  title: labels.actions,
                  cell: (invitation) => (
                    <Button
                      aria-label={labels.withdrawOf(invitation.email)}
                      onPress={() => withdraw.mutate(invitation)}
                    >
                      {labels.withdraw}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Shown>
    </Panel>
  );
}
