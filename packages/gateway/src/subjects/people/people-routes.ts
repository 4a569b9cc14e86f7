/** The portal's routes of sign-in, profile and users. */
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PeopleRouteParts } from './me.ts';
import { meRoutes } from './me-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { resetRoutes } from './reset-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { ssoRoutes } from './sso-routes.ts';
import { userRoutes } from './user-routes.ts';

export function peopleRoutes(parts: PeopleRouteParts): PortalModule {
  return (routes, deps) => {
    for (const add of [signInRoutes, resetRoutes, passkeyRoutes, ssoRoutes, meRoutes, userRoutes])
      add(routes, deps, parts);
  };
}
