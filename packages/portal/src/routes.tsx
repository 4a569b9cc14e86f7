/** Every page of the portal and its URL. Pages are loaded when they are first opened. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { patienceMs, patiently } from './api/patience';
import { meQuery } from './api/session';
import { needs } from './frame/Needs';
import { InsideFault, NotFoundPage, PageFault } from './frame/PageFault';
import { labelsOf, withLabels } from './language/labels';

const frameLabels = labelsOf('frame');

const { places } = frameLabels;

/**
 * Loads the page when it is first opened. A gateway that does not answer gets no more time than for any other answer.
 */
const lazyPage: typeof lazyRouteComponent = (load, name) => firstPage(() => withLabels(load), name);

/** For a page whose labels were loaded at the start. */
const firstPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await patiently(patienceMs.read, load);
    } catch (error) {
      // Not in the browser's words: for those the router would reload the document, which nobody would answer.
      throw new Error('the dynamically imported module did not come', { cause: error });
    }
  }, name);

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: PageFault,
  notFoundComponent: NotFoundPage,
});

/** Pages for signed-out people */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { next: string | undefined; out?: 'yes' } => ({
    next: localPath(search.next),
    ...(search.out === 'yes' && { out: search.out }),
  }),
  component: firstPage(() => import('./features/sign-in/SignInPage'), 'SignInPage'),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyPage(() => import('./features/sign-in/SetupPage'), 'SetupPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./features/sign-in/InvitationPage'), 'InvitationPage'),
});

const ssoBack = createRoute({
  getParentRoute: () => root,
  path: '/login/sso',
  component: lazyPage(() => import('./features/sign-in/SsoPage'), 'SsoPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyPage(() => import('./features/sign-in/ResetPage'), 'ResetPage'),
});

/** Everything else is behind the sign-in, inside the frame. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: firstPage(() => import('./frame/Frame'), 'Frame'),
  beforeLoad: async ({ context, location }) => {
    const me = await context.queryClient.ensureQueryData(meQuery);
    if (me === null)
      throw redirect({ to: '/login', search: { next: location.href === '/' ? undefined : location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: firstPage(() => import('./features/home/HomePage'), 'HomePage'),
});

const messagesPage = createRoute({
  getParentRoute: () => inside,
  path: '/messages',
  component: lazyPage(() => import('./features/messages/MessagesPage'), 'MessagesPage'),
});
const composePage = createRoute({
  getParentRoute: () => inside,
  path: '/messages/new',
  component: needs(
    'send',
    frameLabels.newMessage,
    lazyPage(() => import('./features/messages/ComposePage'), 'ComposePage'),
  ),
});
const messagePage = createRoute({
  getParentRoute: () => inside,
  path: '/messages/$messageId',
  component: lazyPage(() => import('./features/messages/MessagePage'), 'MessagePage'),
});
const recipientPage = createRoute({
  getParentRoute: () => inside,
  path: '/messages/$messageId/recipients/$to',
  component: lazyPage(() => import('./features/messages/MessagePage'), 'RecipientPage'),
});
/** One page for both URLs: the list does not change when a conversation opens beside it. */
const inboxPage = createRoute({
  getParentRoute: () => inside,
  id: 'inbox',
  component: needs(
    'readBody',
    places.conversations,
    lazyPage(() => import('./features/conversations/ConversationsPage'), 'ConversationsPage'),
  ),
});
const conversationsPage = createRoute({ getParentRoute: () => inboxPage, path: '/conversations' });
const conversationPage = createRoute({ getParentRoute: () => inboxPage, path: '/conversations/$number/$peer' });
const handsetsPage = createRoute({
  getParentRoute: () => inside,
  path: '/handsets',
  component: lazyPage(() => import('./features/handsets/HandsetPage'), 'HandsetsPage'),
});
const handsetPage = createRoute({
  getParentRoute: () => inside,
  path: '/handsets/$number',
  component: lazyPage(() => import('./features/handsets/HandsetPage'), 'HandsetPage'),
});
const numbersPage = createRoute({
  getParentRoute: () => inside,
  path: '/numbers',
  component: lazyPage(() => import('./features/numbers/NumbersPage'), 'NumbersPage'),
});
const numberPage = createRoute({
  getParentRoute: () => inside,
  path: '/numbers/$number',
  component: lazyPage(() => import('./features/numbers/NumberPage'), 'NumberPage'),
});
const campaignsPage = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns',
  component: lazyPage(() => import('./features/campaigns/CampaignsPage'), 'CampaignsPage'),
});
const brandPage = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns/brands/$brandId',
  component: lazyPage(() => import('./features/campaigns/BrandPage'), 'BrandPage'),
});
const campaignPage = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns/$campaignId',
  component: lazyPage(() => import('./features/campaigns/CampaignPage'), 'CampaignPage'),
});
const optOutsPage = createRoute({
  getParentRoute: () => inside,
  path: '/opt-outs',
  component: lazyPage(() => import('./features/opt-outs/OptOutsPage'), 'OptOutsPage'),
});
const webhooksPage = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks',
  component: lazyPage(() => import('./features/webhooks/WebhooksPage'), 'WebhooksPage'),
});
const webhookPage = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/$endpointId',
  component: lazyPage(() => import('./features/webhooks/WebhookPage'), 'WebhookPage'),
});
const deliveryPage = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/$endpointId/deliveries/$deliveryId',
  component: lazyPage(() => import('./features/webhooks/DeliveryPage'), 'DeliveryPage'),
});
const keysPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/company/api-keys',
  component: lazyPage(() => import('./features/keys/KeysPage'), 'KeysPage'),
});
const keyPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/company/api-keys/$keyId',
  component: lazyPage(() => import('./features/keys/KeyPage'), 'KeyPage'),
});
const carriersPage = createRoute({
  getParentRoute: () => inside,
  path: '/carriers',
  component: needs(
    'operator',
    places.carriers,
    lazyPage(() => import('./features/carriers/CarriersPage'), 'CarriersPage'),
  ),
});
const carrierPage = createRoute({
  getParentRoute: () => inside,
  path: '/carriers/$carrierId',
  component: needs(
    'operator',
    places.carriers,
    lazyPage(() => import('./features/carriers/CarrierPage'), 'CarrierPage'),
  ),
});
const routesPage = createRoute({
  getParentRoute: () => inside,
  path: '/routes',
  component: needs(
    'operator',
    places.routes,
    lazyPage(() => import('./features/routes/RoutesPage'), 'RoutesPage'),
  ),
});
/** The tester is part of that page. */
const testerAlias = createRoute({
  getParentRoute: () => inside,
  path: '/routes/test',
  beforeLoad: ({ location }) => {
    throw redirect({ to: '/routes', search: { ...location.search, tab: 'tester' } as never });
  },
});
const alertsPage = createRoute({
  getParentRoute: () => inside,
  path: '/alerts',
  component: needs(
    'operator',
    places.alerts,
    lazyPage(() => import('./features/alerts/AlertsPage'), 'AlertsPage'),
  ),
});
const usagePage = createRoute({
  getParentRoute: () => inside,
  path: '/usage',
  component: needs(
    'readUsage',
    places.usage,
    lazyPage(() => import('./features/usage/UsagePage'), 'UsagePage'),
  ),
});
const statementPage = createRoute({
  getParentRoute: () => inside,
  path: '/usage/statement',
  component: needs(
    'readUsage',
    places.usage,
    lazyPage(() => import('./features/usage/StatementPage'), 'StatementPage'),
  ),
});
const auditPage = createRoute({
  getParentRoute: () => inside,
  path: '/audit',
  component: needs(
    'readAudit',
    places.audit,
    lazyPage(() => import('./features/audit/AuditPage'), 'AuditPage'),
  ),
});
const accountsPage = createRoute({
  getParentRoute: () => inside,
  path: '/accounts',
  component: needs(
    'operator',
    places.accounts,
    lazyPage(() => import('./features/accounts/AccountsPage'), 'AccountsPage'),
  ),
});
const accountPage = createRoute({
  getParentRoute: () => inside,
  path: '/accounts/$accountId',
  component: needs(
    'operator',
    places.accounts,
    lazyPage(() => import('./features/accounts/AccountPage'), 'AccountPage'),
  ),
});
const companyPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/company',
  component: lazyPage(() => import('./features/settings/CompanyPage'), 'CompanyPage'),
});
const usersPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/users',
  component: lazyPage(() => import('./features/settings/UsersPage'), 'UsersPage'),
});
const securityPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/security',
  component: lazyPage(() => import('./features/settings/SecurityPage'), 'SecurityPage'),
});
const retentionPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/retention',
  component: lazyPage(() => import('./features/settings/RetentionPage'), 'RetentionPage'),
});
const sandboxPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/sandbox',
  component: lazyPage(() => import('./features/settings/SandboxPage'), 'SandboxPage'),
});
const backupPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/backup',
  component: needs(
    'operator',
    places.backup,
    lazyPage(() => import('./features/settings/BackupPage'), 'BackupPage'),
  ),
});
const aboutPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/about',
  component: lazyPage(() => import('./features/settings/AboutPage'), 'AboutPage'),
});
/** The permissions of roles are below the list of people. */
const rolesAlias = createRoute({
  getParentRoute: () => inside,
  path: '/settings/roles',
  beforeLoad: () => {
    throw redirect({ to: '/settings/users', hash: 'roles' });
  },
});
/** The short URL. */
const settingsAlias = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/company' });
  },
});
const profilePage = createRoute({
  getParentRoute: () => inside,
  path: '/profile',
  component: lazyPage(() => import('./features/profile/ProfilePage'), 'ProfilePage'),
});
const reasonPage = createRoute({
  getParentRoute: () => inside,
  path: '/reasons/$code',
  component: lazyPage(() => import('./features/reasons/ReasonsPage'), 'ReasonPage'),
});
const reasonsPage = createRoute({
  getParentRoute: () => inside,
  path: '/reasons',
  component: lazyPage(() => import('./features/reasons/ReasonsPage'), 'ReasonsPage'),
});
const requestsPage = createRoute({
  getParentRoute: () => inside,
  path: '/requests',
  component: needs(
    'manageKeys',
    places.requests,
    lazyPage(() => import('./features/requests/RequestsPage'), 'RequestsPage'),
  ),
});
const requestPage = createRoute({
  getParentRoute: () => inside,
  path: '/requests/$requestId',
  component: lazyPage(() => import('./features/requests/RequestPage'), 'RequestPage'),
});
/** All building blocks, for developers of pages. */
const devUiPage = createRoute({
  getParentRoute: () => inside,
  path: '/dev/ui',
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(meQuery))?.sandbox !== true) throw notFound();
  },
  component: lazyPage(() => import('./features/dev-ui/DevUiPage'), 'DevUiPage'),
});
/** The name in the contract's documents. */
const keysAlias = createRoute({
  getParentRoute: () => inside,
  path: '/api-keys',
  beforeLoad: () => {
    throw redirect({ to: '/settings/company/api-keys' });
  },
});

const pages = [
  home,
  messagesPage,
  composePage,
  messagePage,
  recipientPage,
  inboxPage.addChildren([conversationsPage, conversationPage]),
  handsetsPage,
  handsetPage,
  numbersPage,
  numberPage,
  campaignsPage,
  brandPage,
  campaignPage,
  optOutsPage,
  webhooksPage,
  webhookPage,
  deliveryPage,
  keysPage,
  keyPage,
  carriersPage,
  carrierPage,
  routesPage,
  testerAlias,
  alertsPage,
  usagePage,
  statementPage,
  auditPage,
  accountsPage,
  accountPage,
  companyPage,
  usersPage,
  securityPage,
  retentionPage,
  sandboxPage,
  backupPage,
  aboutPage,
  rolesAlias,
  settingsAlias,
  profilePage,
  reasonPage,
  reasonsPage,
  requestsPage,
  requestPage,
  devUiPage,
  keysAlias,
];

/** Only a path of this site: anything else could redirect people to another site after the sign-in. */
function localPath(next: unknown): string | undefined {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined;
}

export function createPortalRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([signIn, ssoBack, setup, invitation, reset, inside.addChildren(pages)]),
    context: { queryClient },
    defaultErrorComponent: InsideFault,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
