/**
 * The portal's side of the doors, wired for `main.ts`: people, the routes with a session, the pages. It decides nothing
 * about messages.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { People } from '../flow/people/people.ts';
import { createPortalPages, type PortalPages } from '../http/portal/pages.ts';
import { createPortal, type Portal, type PortalModule } from '../http/portal/portal.ts';
import type { RouteModule } from '../http/server.ts';
import type { Config } from './config.ts';
import { openPeople, type PeopleWiring } from './people.ts';

/** A release carries the pages; in a checkout they are where `packages/portal/build.js` puts them. */
const carried = fileURLToPath(new URL('../../portal', import.meta.url));
export const builtPages = existsSync(carried)
  ? carried
  : fileURLToPath(new URL('../../../portal/dist', import.meta.url));

export interface PortalDoors {
  people: People;
  portal: Portal;
  pages: PortalPages;
  /** For `createServer`: after the API's own modules. */
  routes: RouteModule[];
}

/** Everything of the portal that the doors need. `mirrored` are the API's modules, `modules` the portal's other ones. */
export function openPortal(
  parts: PeopleWiring & { config: Config; mirrored: readonly RouteModule[]; modules: readonly PortalModule[] },
): PortalDoors {
  const { config, mirrored, modules, store } = parts;
  const people = openPeople(parts);
  const portal = createPortal({ people, store, sandbox: config.sandbox, mirrored, modules });
  const { publicUrl } = config;
  const pages = createPortalPages({ folder: builtPages, random: parts.random, publicUrl, tls: config.tls !== null });
  return { people, portal, pages, routes: [portal.module, pages.module] };
}
