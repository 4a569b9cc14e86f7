/** Wires the portal: people, routes with a session, pages. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createPortalPages, type PortalPages } from '../http/portal/pages.ts';
import { createPortal, type PortalModule } from '../http/portal/portal.ts';
import type { RouteModule } from '../http/server.ts';
import { isAddressOrBlock } from '../kernel/address.ts';
import { createAuditLog } from '../subjects/audit/audit-log.ts';
import { auditRoutes } from '../subjects/audit/audit-routes.ts';
import { companyRoutes } from '../subjects/company/company-routes.ts';
import { keyRoutes } from '../subjects/keys/key-routes.ts';
import type { People } from '../subjects/people/people.ts';
import { peopleRoutes } from '../subjects/people/people-routes.ts';
import { registrationRoutes } from '../subjects/registration/registration-routes.ts';
import { webhookRoutes } from '../subjects/webhooks/webhook-portal-routes.ts';
import { webhookHeaderRules } from '../subjects/webhooks/webhook-poster.ts';
import type { Alerts } from './alerts.ts';
import type { CarrierHistory } from './carrier-history.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { MessageFlow } from './message-flow.ts';
import { openOperator } from './operator.ts';
import { openPeople, type PeoplePorts } from './people.ts';
import { type PortalMessagesPorts, portalMessages } from './portal-messages.ts';
import type { OpenRegistration } from './registration.ts';
import { openUpkeep, type UpkeepPorts } from './upkeep.ts';

/** A release contains the pages; in a checkout they are in the output folder of `packages/portal/build.js`. */
const carried = fileURLToPath(new URL('../../portal', import.meta.url));
const pagesFolder = existsSync(carried) ? carried : fileURLToPath(new URL('../../../portal/dist', import.meta.url));

export interface Portal {
  readonly people: People;
  readonly pages: PortalPages;
  /** Routes for `createServer`, after the API's own. */
  readonly routes: RouteModule[];
}

export type PortalPorts = PeoplePorts &
  PortalMessagesPorts &
  Omit<UpkeepPorts, 'lanes' | 'pagesFolder'> & {
    config: Config;
    flow: Pick<MessageFlow, 'lanes' | 'pace' | 'retention'>;
    registration: OpenRegistration;
    alerts: Pick<Alerts, 'portal'>;
    history: Pick<CarrierHistory, 'portal'>;
    /** The API's routes that the portal also serves under its own paths. */
    apiModules: readonly RouteModule[];
  };

export function openPortal(context: Context, ports: PortalPorts): Portal {
  const { config, store } = ports;
  const { publicUrl, sandbox } = config;
  const people = openPeople(context, ports);
  const portal = createPortal({
    sessions: people.sessions,
    writeAudit: (entry) => store.changePeople([{ rules: [], writes: [], audit: [entry] }]),
    sandbox,
    mirrored: ports.apiModules,
    modules: [
      peopleRoutes({ people, sandbox }),
      auditRoutes(createAuditLog({ ...context, store })),
      ...openModules(context, { ...ports, people }),
    ],
  });
  const tls = config.tls !== null;
  const pages = createPortalPages({ folder: pagesFolder, random: context.random, publicUrl, tls });
  return { people, pages, routes: [portal.module, pages.module] };
}

/** All routes behind a session, except those of people and of the API. */
function openModules(context: Context, ports: PortalPorts & { people: People }): PortalModule[] {
  const { config, store, sealer, flow, directory, people } = ports;
  const { lanes } = flow;
  const refreshDirectory = directory.refresh;
  const common = { ...context, store, directory: directory.current, refreshDirectory };
  return [
    ...portalMessages(ports),
    keyRoutes({ store, random: context.random, refreshDirectory, sandbox: config.sandbox, isAddressOrBlock }),
    webhookRoutes({ store, sealer, headerRules: webhookHeaderRules }),
    openUpkeep(context, { ...ports, lanes, pagesFolder }),
    ...openOperator(context, { store, sealer, lanes, directory, people }),
    ...registrationRoutes({ ...common, ...ports.registration, pace: flow.pace }),
    ports.alerts.portal,
    ports.history.portal,
    companyRoutes({ ...common, erasureRequested: flow.retention.nudge }),
  ];
}
