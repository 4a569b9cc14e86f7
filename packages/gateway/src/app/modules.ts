/** Everything that is stored, by subject. Within a stage of a transaction the order here is that of the writes. */
import { catalogueOf } from '../store/catalogue.ts';
import { conversationStore } from '../store/modules/conversations.ts';
import { mediaStore } from '../store/modules/media.ts';
import { messageLogStore, numberTrafficStore } from '../store/modules/message-log.ts';
import { messageStore } from '../store/modules/messages.ts';
import { pacingStore } from '../store/modules/pacing.ts';
import { consentStore, peopleStore } from '../store/modules/people.ts';
import { recordStore, systemStore } from '../store/modules/records.ts';
import { demoStore, retentionStore } from '../store/modules/retention.ts';
import { requestLogStore, usageStore } from '../store/modules/usage.ts';
import { eventStore, webhookStore } from '../store/modules/webhooks.ts';

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
