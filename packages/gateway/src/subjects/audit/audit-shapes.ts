/** Shapes of the answers in `audit-routes.ts`. */
import { anything, byName, named, object, orNull, plain, time, whole } from '../../http/shape.ts';

export const auditEntry = named(
  'AuditEntry',
  object({
    position: whole(),
    at: time,
    userId: orNull(plain()),
    who: plain(),
    what: plain(),
    target: plain(),
    before: orNull(byName(anything())),
    after: orNull(byName(anything())),
    ip: orNull(plain()),
    requestId: orNull(plain()),
  }),
);
