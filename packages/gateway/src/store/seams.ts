/** The parts of the seam that stand in files of their own, put together. */
import type { DemoStore } from './demo-store.ts';
import type { MessageLogStore } from './message-log-store.ts';
import type { NumberTrafficStore } from './number-traffic-store.ts';
import type { PacingStore } from './pacing-store.ts';
import type { PeopleStore } from './people-store.ts';
import type { ReceiptMatchStore } from './receipt-match-store.ts';
import type { RecordsStore } from './records-store.ts';
import type { RequestLogStore } from './request-log-store.ts';
import type { RetentionStore } from './retention-store.ts';
import type { ThreadStore } from './thread-store.ts';
import type { UpkeepStore } from './upkeep-store.ts';
import type { UsageStore } from './usage-store.ts';

export interface Seams
  extends PeopleStore,
    RecordsStore,
    RetentionStore,
    UsageStore,
    MessageLogStore,
    NumberTrafficStore,
    PacingStore,
    ReceiptMatchStore,
    RequestLogStore,
    ThreadStore,
    UpkeepStore,
    DemoStore {}
