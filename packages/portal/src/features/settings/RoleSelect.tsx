/** One of the gateway's roles, each with a description. */

import type { Role } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Select } from '../../ui/Field';
import { roleName } from '../../ui/roles';
import { useRoles } from './people';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.users;

export function RoleSelect({ value, onChange, fault }: { value: Role; onChange(role: Role): void; fault?: string }) {
  const { data } = useRoles();
  return (
    <Select
      label={labels.role}
      help={labels.roles[value]}
      value={value}
      onChange={(role) => onChange(role as Role)}
      fault={fault}
      choices={(data?.roles ?? [value]).map((role) => ({
        value: role,
        label: roleName(role),
        help: labels.roles[role],
      }))}
    />
  );
}
