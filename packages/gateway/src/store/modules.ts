/** Everything that is stored, by subject. Within a stage of a transaction the order here is that of the writes. */
import { catalogueOf } from './catalogue.ts';
import { conversationStore } from './modules/conversations.ts';
import { mediaStore } from './modules/media.ts';
import { messageLogStore, numberTrafficStore } from './modules/message-log.ts';
import { messageStore } from './modules/messages.ts';
import { pacingStore } from './modules/pacing.ts';
import { consentStore, peopleStore } from './modules/people.ts';
import { recordStore, systemStore } from './modules/records.ts';
import { demoStore, retentionStore } from './modules/retention.ts';
import { requestLogStore, usageStore } from './modules/usage.ts';
import { eventStore, webhookStore } from './modules/webhooks.ts';

export const catalogue = catalogueOf([
  messageStore,
  pacingStore,
  recordStore,
  systemStore,
  consentStore,
  peopleStore,
  eventStore,
  webhookStore,
  mediaStore,
  usageStore,
  conversationStore,
  messageLogStore,
  numberTrafficStore,
  retentionStore,
  demoStore,
  requestLogStore,
]);
