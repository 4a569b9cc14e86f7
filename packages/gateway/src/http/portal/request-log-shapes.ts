/** What the portal is told by the routes of `request-log-routes.ts`. */

import { named, object, plain, whole } from '../shape.ts';

export const unkeptCalls = named(
  'UnkeptCalls',
  object({
    minute: plain(),
    calls: whole(),
  }),
);
