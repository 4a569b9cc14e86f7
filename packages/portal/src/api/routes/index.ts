/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { AboutRoutes } from './about';
import type { AccountsRoutes } from './accounts';
import type { AlertsRoutes } from './alerts';
import type { AuditRoutes } from './audit';
import type { BackupsRoutes } from './backups';
import type { BrandsRoutes } from './brands';
import type { CampaignsRoutes } from './campaigns';
import type { CannedRepliesRoutes } from './canned-replies';
import type { CarrierHistoryRoutes } from './carrier-history';
import type { CarriersRoutes } from './carriers';
import type { ClockRoutes } from './clock';
import type { CompanyRoutes } from './company';
import type { ContactsRoutes } from './contacts';
import type { ConversationsRoutes } from './conversations';
import type { DeliveriesRoutes } from './deliveries';
import type { EndpointsRoutes } from './endpoints';
import type { EventsRoutes } from './events';
import type { HealthRoutes } from './health';
import type { HomeRoutes } from './home';
import type { InvitationRoutes } from './invitation';
import type { KeysRoutes } from './keys';
import type { MeRoutes } from './me';
import type { MediaRoutes } from './media';
import type { MessageHistogramRoutes } from './message-histogram';
import type { MessagesRoutes } from './messages';
import type { NumbersRoutes } from './numbers';
import type { OptOutsRoutes } from './opt-outs';
import type { PasswordResetRoutes } from './password-reset';
import type { PublicUrlRoutes } from './public-url';
import type { ReasonsRoutes } from './reasons';
import type { RequestsRoutes } from './requests';
import type { RolesRoutes } from './roles';
import type { RoutesRoutes } from './routes';
import type { SandboxRoutes } from './sandbox';
import type { SendRoutes } from './send';
import type { SendersRoutes } from './senders';
import type { SetupRoutes } from './setup';
import type { SetupStateRoutes } from './setup-state';
import type { SignInRoutes } from './sign-in';
import type { SignOutRoutes } from './sign-out';
import type { StreamRoutes } from './stream';
import type { UnmatchedRoutes } from './unmatched';
import type { UsageRoutes } from './usage';
import type { UsersRoutes } from './users';
import type { WebhooksRoutes } from './webhooks';

export interface Routes
  extends AboutRoutes,
    AccountsRoutes,
    AlertsRoutes,
    AuditRoutes,
    BackupsRoutes,
    BrandsRoutes,
    CampaignsRoutes,
    CannedRepliesRoutes,
    CarrierHistoryRoutes,
    CarriersRoutes,
    ClockRoutes,
    CompanyRoutes,
    ContactsRoutes,
    ConversationsRoutes,
    DeliveriesRoutes,
    EndpointsRoutes,
    EventsRoutes,
    HealthRoutes,
    HomeRoutes,
    InvitationRoutes,
    KeysRoutes,
    MeRoutes,
    MediaRoutes,
    MessageHistogramRoutes,
    MessagesRoutes,
    NumbersRoutes,
    OptOutsRoutes,
    PasswordResetRoutes,
    PublicUrlRoutes,
    ReasonsRoutes,
    RequestsRoutes,
    RolesRoutes,
    RoutesRoutes,
    SandboxRoutes,
    SendRoutes,
    SendersRoutes,
    SetupRoutes,
    SetupStateRoutes,
    SignInRoutes,
    SignOutRoutes,
    StreamRoutes,
    UnmatchedRoutes,
    UsageRoutes,
    UsersRoutes,
    WebhooksRoutes {}
