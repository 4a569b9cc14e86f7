/** A cell confirms to another one a receipt that it has not stored. */
import { plantStore, withMethods } from './plant.ts';

plantStore((store) => withMethods(store, { lookUpReceipts: async (receipts) => receipts.map(() => 'known' as const) }));
