/** The name of a role on pages; an unknown role keeps the gateway's name. */
import { labelsOf } from '../language/labels';

const labels = labelsOf('role');

export function roleName(role: string): string {
  return Object.hasOwn(labels, role) ? labels[role as keyof typeof labels] : role;
}
