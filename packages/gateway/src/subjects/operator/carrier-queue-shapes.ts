/** Shapes of the answers in `carrier-queue-routes.ts`. */
import { flag, list, named, object, orNull, plain, time, whole } from '../../http/shape.ts';

export const carrierErrors = named(
  'CarrierErrors',
  object({
    looked: whole(),
    since: orNull(plain()),
    errors: list(
      object({
        carrier: plain(),
        state: plain(),
        code: orNull(plain()),
        carrierCode: orNull(plain()),
        count: whole(),
        lastAt: time,
      }),
    ),
  }),
);

export const carrierBackups = named(
  'CarrierBackups',
  object({
    looked: whole(),
    isAll: flag(),
    backups: list(
      object({
        carrierId: plain(),
        name: plain(),
        up: flag(),
        paused: flag(),
        fits: whole(),
      }),
    ),
  }),
);
