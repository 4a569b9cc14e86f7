/**
 * Audit entries that the guard itself writes: actions of pages, and attempts without permission. The latter once a
 * minute per person and permission, so nobody can fill the log.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Permission } from '../../model/people.ts';
import { type Person, toldBy } from '../../model/person.ts';
import type { AuditNote, PortalParts } from './portal-parts.ts';

const everyMs = 60_000;
const keptMax = 5_000;

export function createRefusalNotes(
  { clock, logger }: { clock: Clock; logger: Logger },
  { writeAudit }: Pick<PortalParts, 'writeAudit'>,
) {
  const lastMs = new Map<string, number>();

  async function write(person: Person, told: AuditNote): Promise<void> {
    await writeAudit(toldBy(person, clock.now(), told));
  }

  function refused(person: Person, permission: Permission, route: string): void {
    const key = `${person.user.userId} ${permission}`;
    const now = clock.monotonicMs();
    if (now - (lastMs.get(key) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    lastMs.delete(key);
    lastMs.set(key, now);
    if (lastMs.size > keptMax) lastMs.delete(lastMs.keys().next().value!);
    write(person, { what: 'access.refused', target: route, after: { permission, role: person.user.role } }).catch(
      (error: unknown) => logger.warn({ userId: person.user.userId, err: error }, 'a refusal could not be noted'),
    );
  }

  return { write, refused };
}
