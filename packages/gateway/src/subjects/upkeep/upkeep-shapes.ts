/** Shapes of the answers in `upkeep-routes.ts`. */
import { always, either, flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';

const ofStore = { engine: oneOf(['sqlite', 'postgres']), bytes: whole() };

export const backup = named('Backup', object({ name: plain(), bytes: whole(), at: time }));

/** `folder` is null where backups are made with the tools of PostgreSQL: there is no more then. */
export const storeBackups = named(
  'StoreBackups',
  either(
    object({ ...ofStore, folder: always(null) }),
    object({
      ...ofStore,
      folder: plain(),
      backups: list(backup),
      runningSince: orNull(time),
      failed: orNull(object({ at: time, detail: plain() })),
    }),
  ),
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
    /** Null for whoever is no operator. */
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
