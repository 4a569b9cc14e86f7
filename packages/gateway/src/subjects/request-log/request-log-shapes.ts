/** Shapes of the answers in `request-log-routes.ts`. */
import { flag, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';

export const unkeptCalls = named(
  'UnkeptCalls',
  object({
    minute: plain(),
    calls: whole(),
  }),
);

export const apiCallKept = named(
  'ApiCallKept',
  object({
    environment: oneOf(['sandbox', 'live']),
    requestId: plain(),
    at: time,
    method: plain(),
    path: plain(),
    status: whole(),
    reason: plain(),
    detail: plain(),
    keyId: plain(),
    keyName: plain(),
    ip: plain(),
    ms: whole(),
    dryRun: flag(),
    redacted: orNull(plain()),
    bodyBytes: whole(),
  }),
);
