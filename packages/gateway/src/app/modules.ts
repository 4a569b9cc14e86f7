/** Everything that is stored, by subject. Within a stage of a transaction the order here is that of the writes. */
import { catalogueOf } from '../store/catalogue.ts';
import { auditStore } from '../store/modules/audit.ts';
import { consentStore } from '../store/modules/consent.ts';
import { conversationStore } from '../store/modules/conversations.ts';
import { demoStore } from '../store/modules/demo.ts';
import { eventStore } from '../store/modules/events.ts';
import { inboundStore } from '../store/modules/inbound.ts';
import { mediaStore } from '../store/modules/media.ts';
import { messageLogStore, numberTrafficStore } from '../store/modules/message-log.ts';
import { messageStore } from '../store/modules/messages.ts';
import { pacingStore } from '../store/modules/pacing.ts';
import { peopleStore } from '../store/modules/people.ts';
import { recordStore } from '../store/modules/records.ts';
import { requestLogStore } from '../store/modules/request-log.ts';
import { retentionStore } from '../store/modules/retention.ts';
import { usageStore } from '../store/modules/usage.ts';
import { webhookStore } from '../store/modules/webhooks.ts';
import { systemStore } from '../store/system/module.ts';

export const catalogue = catalogueOf([
  messageStore,
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
]);
