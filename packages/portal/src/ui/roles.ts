/** The name of a role on pages; an unknown role keeps the gateway's name. */
import { labelsOf } from '../language/labels';

const words = labelsOf('role');

export function roleName(role: string): string {
  return Object.hasOwn(words, role) ? words[role as keyof typeof words] : role;
}
