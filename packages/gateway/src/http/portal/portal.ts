/** The portal's routes: its guard, the subjects' routes, and the API's routes mirrored. */
import type { FastifyInstance } from 'fastify';
import type { RouteDeps, RouteModule } from '../server.ts';
import { createMirror } from './mirror.ts';
import { createPortalGuard, type PortalRoute, type PortalRoutes } from './portal-guard.ts';
import type { PortalParts } from './portal-parts.ts';

/** Adds routes that only the portal has. Such a route replaces the mirrored route with the same method and path. */
export type PortalModule = (routes: PortalRoutes, deps: RouteDeps) => void;

export interface Portal {
  /** Register it after the API's own modules. */
  module: RouteModule;
  /** Every route with its access rule; filled when the module is registered. */
  registry: readonly PortalRoute[];
}

export function createPortal(parts: PortalParts & { modules: readonly PortalModule[] }): Portal {
  const registry: PortalRoute[] = [];
  const module = (app: FastifyInstance, deps: RouteDeps): void => {
    const guard = createPortalGuard(app, deps, parts);
    for (const add of parts.modules) add(guard.routes, deps);
    const guarded = createMirror(guard);
    for (const add of parts.mirrored) add(withoutOpenRoutes(app), { ...deps, guarded });
    registry.push(...guard.registry);
  };
  return { module, registry };
}

/**
 * When a module is registered a second time, only its routes with credentials are added: its open routes exist already.
 */
function withoutOpenRoutes(app: FastifyInstance): FastifyInstance {
  const registers = new Set<PropertyKey>(['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'all', 'route']);
  const silent: FastifyInstance = new Proxy(app, {
    get: (target, name) => (registers.has(name) ? () => silent : Reflect.get(target, name)),
  });
  return silent;
}
