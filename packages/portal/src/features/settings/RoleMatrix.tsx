/** What each role may do: the table the gateway itself decides by. */

import { Icon } from '../../ui/icons';
import { Panel } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { settingsWords } from '../../words/en/settings';
import { type Roles, useRoles } from './people';
import styles from './Settings.module.css';

const words = settingsWords.users;

type Row = Roles['permissions'][number];

export function RoleMatrix() {
  const roles = useRoles();
  return (
    <Panel title={words.matrix}>
      <Shown of={roles}>
        {({ roles: names, permissions }) => (
          <Table
            caption={words.matrixCaption}
            compact
            rows={permissions}
            keyOf={({ permission }) => permission}
            columns={[
              {
                id: 'permission',
                title: words.permission,
                cell: ({ permission }) => words.permissions[permission] ?? permission,
              },
              ...[...names, words.operator].map(columnOf),
            ]}
          />
        )}
      </Shown>
    </Panel>
  );
}

function columnOf(role: string): Column<Row> {
  return {
    id: role,
    title: role,
    cell: ({ who }) =>
      who.split(', ').includes(role) ? (
        <span className={styles.cell}>
          <Icon name="check" />
          {words.yes}
        </span>
      ) : (
        <span className={styles.no}>{words.no}</span>
      ),
  };
}
