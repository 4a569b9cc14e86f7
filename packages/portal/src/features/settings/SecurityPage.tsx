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

const settingsWords = labelsOf('settings');

const words = settingsWords.security;
const userWords = settingsWords.users;

export function SecurityPage() {
  const people = usePeople();
  const mayManage = useMay('manageUsers');
  return (
    <SettingsPage title={words.title}>
      <p>
        <Link to="/profile">{words.own}</Link>
      </p>
      {mayManage ? (
        <>
          <Panel title={words.people}>
            <Shown of={people}>{(list) => <Factors people={list.filter(({ disabled }) => !disabled)} />}</Shown>
          </Panel>
          <FactorRule />
          <PasswordRule />
        </>
      ) : (
        <Notice tone="info" title={settingsWords.noManage} />
      )}
      <p>{words.sessions}</p>
    </SettingsPage>
  );
}

function Factors({ people }: { people: readonly Person[] }) {
  const without = people.filter(({ twoFactor }) => twoFactor !== true);
  const operators = without.filter(({ operator }) => operator).map(({ name }) => name);
  return (
    <>
      {without.length === 0 ? (
        <Notice tone="ok" title={words.all} />
      ) : (
        <p>{words.peopleWhat(people.length - without.length, people.length)}</p>
      )}
      {operators.length > 0 && <Notice tone="warn" title={words.operators(operators.join(', '))} />}
      <Table
        caption={words.people}
        rows={people}
        keyOf={({ userId }) => userId}
        columns={[
          { id: 'name', title: userWords.name, cell: ({ name }) => name },
          { id: 'email', title: userWords.email, cell: ({ email }) => email },
          { id: 'role', title: userWords.role, cell: ({ role }) => roleName(role) },
          { id: 'factor', title: userWords.factor, cell: ({ twoFactor }) => <Factor on={twoFactor === true} /> },
        ]}
      />
    </>
  );
}
