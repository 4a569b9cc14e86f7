/** What the portal is told by the routes of `upkeep-routes.ts`. */
import { flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

/** `folder` is null where backups are made with the tools of PostgreSQL: there is no more then. */
export const storeBackups = named(
  'StoreBackups',
  object({
    engine: oneOf(['sqlite', 'postgres']),
    bytes: whole(),
    folder: orNull(plain()),
    backups: optional(list(object({ name: plain(), bytes: whole(), at: time }))),
    runningSince: optional(orNull(time)),
    failed: optional(orNull(object({ at: time, detail: plain() }))),
  }),
);

export const gatewayAbout = named(
  'GatewayAbout',
  object({
    version: plain(),
    build: orNull(plain()),
    node: plain(),
    store: object({
      engine: oneOf(['sqlite', 'postgres']),
      engineVersion: plain(),
      schemaVersion: whole(),
    }),
    machine: orNull(
      object({
        platform: plain(),
        bytes: whole(),
        startedAt: time,
        now: plain(),
      }),
    ),
  }),
);

export const healthFinding = named(
  'HealthFinding',
  object({
    what: plain(),
    ok: flag(),
    detail: plain(),
    fix: orNull(plain()),
  }),
);
