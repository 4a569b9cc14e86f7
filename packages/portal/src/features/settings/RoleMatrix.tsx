/** The permissions of each role: the same table by which the gateway decides. */

import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Icon } from '../../ui/icons';
import { Panel } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { FormFault, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { useViewAs } from '../profile/ViewAsStrip';
import { type Roles, useRoles } from './people';
import styles from './Settings.module.css';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.users;

type Row = Roles['permissions'][number];

export function RoleMatrix() {
  const roles = useRoles();
  return (
    <Panel id="roles" title={labels.matrix} actions={<ViewAs />}>
      <Shown of={roles} leads>
        {({ roles: names, permissions }) => (
          <Table
            caption={labels.matrixCaption}
            cardsBelow={600}
            rows={permissions}
            keyOf={({ permission }) => permission}
            columns={[
              {
                id: 'permission',
                title: labels.permission,
                cell: ({ permission }) => labels.permissions[permission] ?? permission,
              },
              ...[...names, 'Operator'].map(columnOf),
            ]}
          />
        )}
      </Shown>
    </Panel>
  );
}

/** Shows the portal as a role with fewer permissions sees it. */
function ViewAs() {
  const { viewableRoles, viewAs } = useMe();
  const change = useViewAs();
  if (viewableRoles.length === 0 || viewAs !== null) return null;
  return (
    <>
      <FormFault error={change.error} />
      <ActionMenu
        label={labels.viewAs}
        icon="person"
        actions={viewableRoles.map((role) => ({ id: role, label: roleName(role), run: () => change.mutate(role) }))}
      />
    </>
  );
}

function columnOf(role: string): Column<Row> {
  return {
    id: role,
    title: roleName(role),
    cell: ({ who }) =>
      who.split(', ').includes(role) ? (
        <span className={styles.cell}>
          <Icon name="check" />
          {labels.yes}
        </span>
      ) : (
        <span className={styles.no}>{labels.no}</span>
      ),
  };
}
