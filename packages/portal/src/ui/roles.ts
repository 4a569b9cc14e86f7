/** The name of a role as pages show it; one that this portal does not know yet keeps the gateway's. */
import { labelsOf } from '../language/labels';

const words = labelsOf('role');

export function roleName(role: string): string {
  return Object.hasOwn(words, role) ? words[role as keyof typeof words] : role;
}
