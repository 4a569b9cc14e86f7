/**
 * The whole store, named by need, batch in and batch out. SQLite and PostgreSQL run the same operations. Only the
 * wiring sees all of it; each part takes the port of its subject (`MessageStore`, `WebhookStore`, …).
 *
 * A write resolves only after its transaction is on disk. Calls made at the same moment share one transaction (group
 * commit) and run in this order: accept, gather, inbound, settle and receipts, people and outbox, prepared media,
 * claim.
 */
import type { AuditStore } from '../messaging/store/modules/audit.ts';
import type { ConsentStore } from '../messaging/store/modules/consent.ts';
import type { EventStore } from '../messaging/store/modules/events.ts';
import type { InboundStore } from '../messaging/store/modules/inbound.ts';
import type { MediaStore } from '../messaging/store/modules/media.ts';
import type { MessageStore } from '../messaging/store/modules/messages.ts';
import type { OwnerStore } from '../messaging/store/modules/owners.ts';
import type { PacingStore } from '../messaging/store/modules/pacing.ts';
import type { RecordsStore } from '../messaging/store/modules/records.ts';
import type { StoreBase } from '../store/create-store.ts';
import type { SystemStore } from '../store/system/module.ts';
import type { AlertStore } from '../subjects/alerts/store/module.ts';
import type { CarrierHistoryStore } from '../subjects/carrier-history/store/module.ts';
import type { ContactStore } from '../subjects/contacts/store/module.ts';
import type { CannedReplyStore } from '../subjects/conversations/store/canned-replies.ts';
import type { ThreadStore } from '../subjects/conversations/store/module.ts';
import type { MessageLogStore, NumberTrafficStore } from '../subjects/message-log/store/module.ts';
import type { MetricsStore } from '../subjects/metrics/store/module.ts';
import type { PeopleStore } from '../subjects/people/store/module.ts';
import type { RequestLogStore } from '../subjects/request-log/store/module.ts';
import type { RetentionStore } from '../subjects/retention/store/module.ts';
import type { DemoStore } from '../subjects/sandbox/store/module.ts';
import type { TraceStore } from '../subjects/traces/store/module.ts';
import type { UsageStore } from '../subjects/usage/store/module.ts';
import type { WebhookStore } from '../subjects/webhooks/store/module.ts';

export interface Store
  extends StoreBase,
    AlertStore,
    AuditStore,
    CannedReplyStore,
    CarrierHistoryStore,
    ConsentStore,
    ContactStore,
    ThreadStore,
    DemoStore,
    EventStore,
    InboundStore,
    OwnerStore,
    MediaStore,
    MessageLogStore,
    NumberTrafficStore,
    MessageStore,
    MetricsStore,
    PacingStore,
    PeopleStore,
    RecordsStore,
    RequestLogStore,
    RetentionStore,
    SystemStore,
    TraceStore,
    UsageStore,
    WebhookStore {}
