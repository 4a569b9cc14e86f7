/** The modules of the store. Within a stage of a transaction, writes run in this order. */
import { auditStore } from '../messaging/store/modules/audit.ts';
import { consentStore } from '../messaging/store/modules/consent.ts';
import { eventStore } from '../messaging/store/modules/events.ts';
import { inboundStore } from '../messaging/store/modules/inbound.ts';
import { mediaStore } from '../messaging/store/modules/media.ts';
import { messageStore } from '../messaging/store/modules/messages.ts';
import { ownerStore } from '../messaging/store/modules/owners.ts';
import { pacingStore } from '../messaging/store/modules/pacing.ts';
import { recordStore } from '../messaging/store/modules/records.ts';
import { catalogueOf } from '../store/catalogue.ts';
import { systemStore } from '../store/system/module.ts';
import { alertStore } from '../subjects/alerts/store/module.ts';
import { carrierHistoryStore } from '../subjects/carrier-history/store/module.ts';
import { contactStore } from '../subjects/contacts/store/module.ts';
import { cannedReplyStore } from '../subjects/conversations/store/canned-replies.ts';
import { conversationStore } from '../subjects/conversations/store/module.ts';
import { messageLogStore, numberTrafficStore } from '../subjects/message-log/store/module.ts';
import { metricsStore } from '../subjects/metrics/store/module.ts';
import { peopleStore } from '../subjects/people/store/module.ts';
import { requestLogStore } from '../subjects/request-log/store/module.ts';
import { retentionStore } from '../subjects/retention/store/module.ts';
import { demoStore } from '../subjects/sandbox/store/module.ts';
import { traceStore } from '../subjects/traces/store/module.ts';
import { usageStore } from '../subjects/usage/store/module.ts';
import { webhookStore } from '../subjects/webhooks/store/module.ts';

export const catalogue = catalogueOf([
  messageStore,
  ownerStore,
  pacingStore,
  recordStore,
  systemStore,
  consentStore,
  peopleStore,
  auditStore,
  eventStore,
  webhookStore,
  mediaStore,
  usageStore,
  inboundStore,
  conversationStore,
  messageLogStore,
  numberTrafficStore,
  retentionStore,
  demoStore,
  requestLogStore,
  metricsStore,
  traceStore,
  alertStore,
  contactStore,
  cannedReplyStore,
  carrierHistoryStore,
]);
