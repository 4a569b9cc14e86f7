/** The seam's part for whoever looks after the store: what it is and how large. */
import type { StoreFacts } from '../domain/upkeep.ts';

export interface UpkeepStore {
  storeFacts(): Promise<StoreFacts>;
}
