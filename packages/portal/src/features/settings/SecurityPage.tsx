/** The security of the company's sign-ins. */
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Panel } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { FactorRule } from './FactorRule';
import { PasswordRule } from './PasswordRule';
import { type Person, usePeople } from './people';
import { SettingsPage } from './SettingsPage';
import { Factor } from './UsersPage';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.security;
const userLabels = settingsLabels.users;

export function SecurityPage() {
  const people = usePeople();
  const mayManage = useMay('manageUsers');
  return (
    <SettingsPage title={labels.title}>
      <p>
        <Link to="/profile">{labels.own}</Link>
      </p>
      {mayManage ? (
        <>
          <Panel title={labels.people}>
            <Shown of={people}>{(list) => <Factors people={list.filter(({ disabled }) => !disabled)} />}</Shown>
          </Panel>
          <FactorRule />
          <PasswordRule />
        </>
      ) : (
        <Notice tone="info" title={settingsLabels.noManage} />
      )}
      <p>{labels.sessions}</p>
    </SettingsPage>
  );
}

function Factors({ people }: { people: readonly Person[] }) {
  const without = people.filter(({ twoFactor }) => twoFactor !== true);
  const operators = without.filter(({ operator }) => operator).map(({ name }) => name);
  return (
    <>
      {without.length === 0 ? (
        <Notice tone="ok" title={labels.all} />
      ) : (
        <p>{labels.peopleWhat(people.length - without.length, people.length)}</p>
      )}
      {operators.length > 0 && <Notice tone="warn" title={labels.operators(operators.join(', '))} />}
      <Table
        caption={labels.people}
        rows={people}
        keyOf={({ userId }) => userId}
        columns={[
          { id: 'name', title: userLabels.name, cell: ({ name }) => name },
          { id: 'email', title: userLabels.email, cell: ({ email }) => email },
          { id: 'role', title: userLabels.role, cell: ({ role }) => roleName(role) },
          { id: 'factor', title: userLabels.factor, cell: ({ twoFactor }) => <Factor on={twoFactor === true} /> },
        ]}
      />
    </>
  );
}
