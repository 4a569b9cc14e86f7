/** One of the roles the gateway knows, each with what it is. */

import { labelsOf } from '../../language/labels';
import { Select } from '../../ui/Field';
import { roleName } from '../../ui/roles';
import { useRoles } from './people';

const settingsWords = labelsOf('settings');

const words = settingsWords.users;

export function RoleSelect({
  value,
  onChange,
  fault,
}: {
  value: string;
  onChange(role: string): void;
  fault?: string;
}) {
  const { data } = useRoles();
  return (
    <Select
      label={words.role}
      help={words.roles[value]}
      value={value}
      onChange={onChange}
      fault={fault}
      choices={(data?.roles ?? [value]).map((role) => ({
        value: role,
        label: roleName(role),
        help: words.roles[role],
      }))}
    />
  );
}
