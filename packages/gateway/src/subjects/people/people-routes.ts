/** How people come in, what they change of themselves, and who is in the company, as it is handed to the portal. */
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PeopleDoorParts } from './me.ts';
import { meRoutes } from './me-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { userRoutes } from './user-routes.ts';

export function peopleRoutes(parts: PeopleDoorParts): PortalModule {
  return (routes, deps) => {
    for (const add of [signInRoutes, meRoutes, userRoutes]) add(routes, deps, parts);
  };
}
