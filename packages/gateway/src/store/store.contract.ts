/**
 * The contract of the store: what every engine guarantees. One suite, run on each engine with a factory of empty
 * stores.
 */
import { describe } from 'vitest';
import { acceptContract } from './contract/accept.ts';
import { alertsContract } from './contract/alerts.ts';
import { claimContract } from './contract/claim.ts';
import { codesContract } from './contract/codes.ts';
import { consentContract } from './contract/consent.ts';
import { contactsContract } from './contract/contacts.ts';
import { crashContract } from './contract/crash.ts';
import { demoContract } from './contract/demo.ts';
import { eventsContract } from './contract/events.ts';
import type { StoreFactory } from './contract/fixture.ts';
import { groupsContract } from './contract/groups.ts';
import { heldContract } from './contract/held.ts';
import { hourlyContract } from './contract/hourly.ts';
import { inboundContract } from './contract/inbound.ts';
import { inboundMmsContract } from './contract/inbound-mms.ts';
import { keywordsContract } from './contract/keywords.ts';
import { mediaContract } from './contract/media.ts';
import { mediaKeptContract } from './contract/media-kept.ts';
import { mediaNeededContract } from './contract/media-needed.ts';
import { messageLogContract } from './contract/message-log.ts';
import { metricsContract } from './contract/metrics.ts';
import { numberTrafficContract } from './contract/number-traffic.ts';
import { pacingContract } from './contract/pacing.ts';
import { peopleContract } from './contract/people.ts';
import { queueContract } from './contract/queue.ts';
import { receiptMatchContract } from './contract/receipt-match.ts';
import { receiptsContract } from './contract/receipts.ts';
import { recordsContract } from './contract/records.ts';
import { refusedContract } from './contract/refused.ts';
import { replayContract } from './contract/replay.ts';
import { requestLogContract } from './contract/request-log.ts';
import { retentionContract } from './contract/retention.ts';
import { routeVersionsContract } from './contract/route-versions.ts';
import { talkContract } from './contract/talk.ts';
import { threadsContract } from './contract/threads.ts';
import { timeContract } from './contract/time.ts';
import { tracesContract } from './contract/traces.ts';
import { upkeepContract } from './contract/upkeep.ts';
import { usageContract } from './contract/usage.ts';
import { webhooksContract } from './contract/webhooks.ts';

export function storeContract(engine: string, factory: StoreFactory): void {
  describe(`store on ${engine}`, () => {
    acceptContract(factory);
    claimContract(factory);
    codesContract(factory);
    receiptsContract(factory);
    receiptMatchContract(factory);
    inboundContract(factory);
    threadsContract(factory);
    talkContract(factory);
    timeContract(factory);
    queueContract(factory);
    recordsContract(factory);
    routeVersionsContract(factory);
    groupsContract(factory);
    eventsContract(factory);
    webhooksContract(factory);
    replayContract(factory);
    consentContract(factory);
    contactsContract(factory);
    keywordsContract(factory);
    mediaContract(factory);
    mediaKeptContract(factory);
    mediaNeededContract(factory);
    inboundMmsContract(factory);
    usageContract(factory);
    hourlyContract(factory);
    messageLogContract(factory);
    refusedContract(factory);
    numberTrafficContract(factory);
    pacingContract(factory);
    heldContract(factory);
    peopleContract(factory);
    retentionContract(factory);
    requestLogContract(factory);
    demoContract(factory);
    upkeepContract(factory);
    metricsContract(factory);
    alertsContract(factory);
    tracesContract(factory);
    crashContract(factory);
  });
}
